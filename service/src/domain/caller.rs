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
