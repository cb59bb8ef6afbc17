//! The caller of a request, and its rights.

use std::sync::Arc;

use super::{tenant::TenantId, token::Grants};

/// The owner of a token.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The tenant of the token.
    pub tenant: TenantId,
    /// The id of the token.
    pub token: i32,
    /// The name of the token.
    pub name: Arc<str>,
    /// The assignee it acts for, recorded as creator or modifier.
    pub assignee: Option<i32>,
    /// Its rights.
    pub grants: Arc<Grants>,
    /// The accounts it may see.
    pub visible: Visibility,
}

/// The author of a write, as the audit log records it.
#[derive(Clone, Debug, Default)]
pub struct Actor {
    /// Id and name of the token; `None` for writes without a caller.
    pub token: Option<(i32, Arc<str>)>,
    /// The assignee it acts for.
    pub assignee: Option<i32>,
    /// The action: the `operationId`, or that of a command or the scheduler.
    pub operation: &'static str,
}

impl Caller {
    /// The caller as the author of an operation's writes.
    pub fn actor(&self, operation: &'static str) -> Actor {
        Actor { token: Some((self.token, Arc::clone(&self.name))), assignee: self.assignee, operation }
    }
}

impl Actor {
    /// The service itself or its operator.
    pub fn internal(operation: &'static str) -> Self {
        Self { operation, ..Self::default() }
    }
}

/// The visible accounts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// Every account of the tenant.
    #[default]
    All,
    /// These only, in ascending order.
    Accounts(Arc<[i32]>),
}

impl Visibility {
    /// Whether the account is visible.
    pub fn includes(&self, account: i32) -> bool {
        match self {
            Self::All => true,
            Self::Accounts(accounts) => accounts.binary_search(&account).is_ok(),
        }
    }

    /// Whether accounts may be hidden. Then records without an account are hidden, too, if they could reveal
    /// accounts: agents, and batch actions with their logs.
    pub fn is_limited(&self) -> bool {
        *self != Self::All
    }
}
