//! Who writes, and which accounts a caller sees.

use std::sync::Arc;

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
    /// These accounts.
    pub fn of(mut accounts: Vec<i32>) -> Self {
        accounts.sort_unstable();
        accounts.dedup();
        Self::Accounts(accounts.into())
    }

    /// The accounts that it is limited to.
    pub fn accounts(&self) -> Option<&[i32]> {
        match self {
            Self::All => None,
            Self::Accounts(accounts) => Some(accounts),
        }
    }

    /// Whether the account is visible.
    pub fn includes(&self, account: i32) -> bool {
        self.accounts().is_none_or(|accounts| accounts.binary_search(&account).is_ok())
    }

    /// The id to look an account up by: 0, which no account has, for a hidden one. So a hidden account takes the same time as a
    /// missing one.
    pub fn sought(&self, account: i32) -> i32 {
        if self.includes(account) { account } else { 0 }
    }

    /// Whether accounts may be hidden. Then records without an account are hidden, too, if they could reveal
    /// accounts: agents, and batch actions with their logs.
    pub fn is_limited(&self) -> bool {
        *self != Self::All
    }
}
