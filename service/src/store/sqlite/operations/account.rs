//! Accounts, their locations and alerts.

use generated_server::models::{AccountAlert, AccountLocation, AccountLocationLookup, AccountLookup, AccountSummary};

use crate::{
    domain::{
        account::{AccountFilter, AccountLookupFilter, AlertKind, NewAccount},
        idempotency::{Done, IdempotencyKey},
        list::{ListQuery, Listed},
    },
    store::{
        AccountChange, Condition, Error, Scope,
        sqlite::{Database, account, account_change, location},
    },
};

impl Database {
    pub(in crate::store) async fn account_summaries(
        &self,
        scope: &Scope,
        query: ListQuery<AccountFilter>,
    ) -> Result<Listed<AccountSummary>, Error> {
        self.view(scope, move |view| account::summaries(view, &query)).await
    }

    pub(in crate::store) async fn account_summary(
        &self,
        scope: &Scope,
        id: i32,
    ) -> Result<Option<AccountSummary>, Error> {
        self.view(scope, move |view| account::summary(view, id)).await
    }

    pub(in crate::store) async fn account_lookup(
        &self,
        scope: &Scope,
        query: ListQuery<AccountLookupFilter>,
    ) -> Result<Listed<AccountLookup>, Error> {
        self.view(scope, move |view| account::lookup(view, &query)).await
    }

    pub(in crate::store) async fn account_locations(
        &self,
        scope: &Scope,
        account: i32,
    ) -> Result<Option<Vec<AccountLocationLookup>>, Error> {
        self.view(scope, move |view| location::lookup(view, account)).await
    }

    pub(in crate::store) async fn account_location(
        &self,
        scope: &Scope,
        account: i32,
        location: i32,
    ) -> Result<Option<AccountLocation>, Error> {
        self.view(scope, move |view| location::one(view, account, location)).await
    }

    pub(in crate::store) async fn account_alert(
        &self,
        scope: &Scope,
        account: i32,
        kind: AlertKind,
    ) -> Result<Option<AccountAlert>, Error> {
        self.view(scope, move |view| account::alert(view, account, kind)).await
    }

    pub(in crate::store) async fn create_account(
        &self,
        scope: &Scope,
        new: NewAccount,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<AccountSummary>, Error> {
        self.change_once(scope, key, move |change| account_change::create(change, &new)).await
    }

    pub(in crate::store) async fn update_account(
        &self,
        scope: &Scope,
        id: i32,
        condition: Condition<AccountSummary>,
        work: AccountChange,
    ) -> Result<Option<AccountSummary>, Error> {
        self.change(scope, move |change| account_change::update(change, id, &condition, &*work)).await
    }
}
