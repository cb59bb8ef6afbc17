//! Accounts, their locations and alerts.

use std::sync::Arc;

use generated_server::models::{
    AccountAlertOutputDto, AccountLocationLookupOutputDto, AccountLocationOutputDto, AccountLookupOutputDto,
    AccountSummaryOutputDto,
};

use super::{
    Condition, Error, TenantStore,
    sqlite::{account, account_change, location},
};
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
    pub async fn account_summaries(
        &self,
        query: ListQuery<AccountFilter>,
    ) -> Result<Listed<AccountSummaryOutputDto>, Error> {
        self.read(move |view| account::summaries(view, &query)).await
    }

    /// One account.
    pub async fn account_summary(&self, id: i32) -> Result<Option<AccountSummaryOutputDto>, Error> {
        self.read(move |view| account::summary(view, id)).await
    }

    /// Accounts by name; see `shape::ACCOUNT_LOOKUP`.
    pub async fn account_lookup(
        &self,
        query: ListQuery<AccountLookupFilter>,
    ) -> Result<Listed<AccountLookupOutputDto>, Error> {
        self.read(move |view| account::lookup(view, &query)).await
    }

    /// The locations of an account; `None` when there is no such account.
    pub async fn account_locations(&self, account: i32) -> Result<Option<Vec<AccountLocationLookupOutputDto>>, Error> {
        self.read(move |view| location::lookup(view, account)).await
    }

    /// One location of an account.
    pub async fn account_location(
        &self,
        account: i32,
        location: i32,
    ) -> Result<Option<AccountLocationOutputDto>, Error> {
        self.read(move |view| location::one(view, account, location)).await
    }

    /// An alert; without id and details when the account has none of that kind, `None` when there is no such account.
    pub async fn account_alert(&self, account: i32, kind: AlertKind) -> Result<Option<AccountAlertOutputDto>, Error> {
        self.read(move |view| account::alert(view, account, kind)).await
    }

    /// Creates an account with its locations and addresses, once for each key.
    pub async fn create_account(
        &self,
        new: NewAccount,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<AccountSummaryOutputDto>, Error> {
        self.write_once(key, move |change| account_change::create(change, &new)).await
    }

    /// Changes an account of which the condition holds; nobody else can change it meanwhile. Where `work` changes
    /// nothing, nothing is written. `None` when there is no such account.
    pub async fn update_account(
        &self,
        id: i32,
        condition: Condition<AccountSummaryOutputDto>,
        work: AccountChange,
    ) -> Result<Option<AccountSummaryOutputDto>, Error> {
        self.write(move |change| account_change::update(change, id, &condition, &*work)).await
    }
}
