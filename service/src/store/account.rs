//! Accounts, their locations and alerts.

use std::sync::Arc;

use generated_server::models::{AccountAlert, AccountLocation, AccountLocationLookup, AccountLookup, AccountSummary};

use super::{Condition, Error, TenantStore, delegate};
use crate::domain::{
    account::{AccountFields, AccountFilter, AccountLookupFilter, AlertKind, NewAccount},
    idempotency::{Done, IdempotencyKey},
    list::{ListQuery, Listed},
    refusal::Refusal,
};

/// What becomes of an account: PUT ignores what is there, PATCH builds on it. It may be run more than once.
pub type AccountChange = Arc<dyn Fn(AccountFields) -> Result<AccountFields, Vec<Refusal>> + Send + Sync>;

impl TenantStore {
    /// Accounts with all that belongs to them; see `shape::ACCOUNT_SUMMARY`.
    pub async fn account_summaries(&self, query: ListQuery<AccountFilter>) -> Result<Listed<AccountSummary>, Error> {
        delegate!(self.account_summaries(query))
    }

    /// One account.
    pub async fn account_summary(&self, id: i32) -> Result<Option<AccountSummary>, Error> {
        delegate!(self.account_summary(id))
    }

    /// Accounts by name; see `shape::ACCOUNT_LOOKUP`.
    pub async fn account_lookup(&self, query: ListQuery<AccountLookupFilter>) -> Result<Listed<AccountLookup>, Error> {
        delegate!(self.account_lookup(query))
    }

    /// The locations of an account; `None` when there is no such account.
    pub async fn account_locations(&self, account: i32) -> Result<Option<Vec<AccountLocationLookup>>, Error> {
        delegate!(self.account_locations(account))
    }

    /// One location of an account.
    pub async fn account_location(&self, account: i32, location: i32) -> Result<Option<AccountLocation>, Error> {
        delegate!(self.account_location(account, location))
    }

    /// An alert; without id and details when the account has none of that kind, `None` when there is no such account.
    pub async fn account_alert(&self, account: i32, kind: AlertKind) -> Result<Option<AccountAlert>, Error> {
        delegate!(self.account_alert(account, kind))
    }

    /// Creates an account with its locations and addresses, once for each key.
    pub async fn create_account(
        &self,
        new: NewAccount,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<AccountSummary>, Error> {
        delegate!(self.create_account(new, key))
    }

    /// Changes an account of which the condition holds; nobody else can change it meanwhile. Where `work` changes
    /// nothing, nothing is written. `None` when there is no such account.
    pub async fn update_account(
        &self,
        id: i32,
        condition: Condition<AccountSummary>,
        work: AccountChange,
    ) -> Result<Option<AccountSummary>, Error> {
        delegate!(self.update_account(id, condition, work))
    }
}
