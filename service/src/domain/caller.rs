//! Who makes a request, and what they may do.

use std::sync::Arc;

use super::{tenant::TenantId, token::Grants};

/// The bearer of a token.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The tenant whose data it is about.
    pub tenant: TenantId,
    /// The number of the token.
    pub token: i32,
    /// The name of the token.
    pub name: Arc<str>,
    /// The assignee on whose behalf it acts: who has created or modified what it writes.
    pub assignee: Option<i32>,
    /// What it may do.
    pub grants: Arc<Grants>,
    /// The accounts it may see.
    pub visible: Visibility,
}

/// Who makes a write, as the audit log names them.
#[derive(Clone, Debug, Default)]
pub struct Actor {
    /// Number and name of the token; none when no caller has asked for the write.
    pub token: Option<(i32, Arc<str>)>,
    /// The assignee on whose behalf it is made.
    pub assignee: Option<i32>,
    /// What is done: the `operationId`, or what a command or the scheduler does.
    pub operation: &'static str,
}

impl Caller {
    /// The caller, as the one who makes the writes of an operation.
    pub fn actor(&self, operation: &'static str) -> Actor {
        Actor { token: Some((self.token, Arc::clone(&self.name))), assignee: self.assignee, operation }
    }
}

impl Actor {
    /// The service itself, or whoever runs it.
    pub fn internal(operation: &'static str) -> Self {
        Self { operation, ..Self::default() }
    }
}

/// The accounts that may be seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// Every account of the tenant.
    #[default]
    All,
    /// These only, in ascending order.
    Accounts(Arc<[i32]>),
}

impl Visibility {
    /// Whether the account may be seen.
    pub fn includes(&self, account: i32) -> bool {
        match self {
            Self::All => true,
            Self::Accounts(accounts) => accounts.binary_search(&account).is_ok(),
        }
    }

    /// Whether there may be accounts that may not be seen. What belongs to no account may not be seen either, then, where it
    /// could tell of accounts: agents, and batch actions with their logs.
    pub fn is_limited(&self) -> bool {
        *self != Self::All
    }
}
