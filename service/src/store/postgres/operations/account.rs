//! Accounts, their locations and alerts.

use std::sync::Arc;

use generated_server::models::{AccountAlert, AccountLocation, AccountLocationLookup, AccountLookup, AccountSummary};

use crate::{
    domain::{
        account::{AccountFilter, AccountLookupFilter, AlertKind, NewAccount},
        idempotency::{Done, IdempotencyKey},
        list::{ListQuery, Listed},
    },
    store::{
        AccountChange, Condition, Error, Scope,
        postgres::{Database, account, account_change, idempotency},
    },
};

impl Database {
    pub(in crate::store) async fn account_summaries(
        &self,
        scope: &Scope,
        query: ListQuery<AccountFilter>,
    ) -> Result<Listed<AccountSummary>, Error> {
        self.view(scope, |view| account::summaries(view, query.clone())).await
    }

    pub(in crate::store) async fn account_summary(
        &self,
        scope: &Scope,
        id: i32,
    ) -> Result<Option<AccountSummary>, Error> {
        self.view(scope, |view| account::summary(view, id)).await
    }

    pub(in crate::store) async fn account_lookup(
        &self,
        scope: &Scope,
        query: ListQuery<AccountLookupFilter>,
    ) -> Result<Listed<AccountLookup>, Error> {
        self.view(scope, |view| account::lookup(view, query.clone())).await
    }

    pub(in crate::store) async fn account_locations(
        &self,
        scope: &Scope,
        account: i32,
    ) -> Result<Option<Vec<AccountLocationLookup>>, Error> {
        self.view(scope, |view| account::locations(view, account)).await
    }

    pub(in crate::store) async fn account_location(
        &self,
        scope: &Scope,
        account: i32,
        location: i32,
    ) -> Result<Option<AccountLocation>, Error> {
        self.view(scope, |view| account::location(view, account, location)).await
    }

    pub(in crate::store) async fn account_alert(
        &self,
        scope: &Scope,
        account: i32,
        kind: AlertKind,
    ) -> Result<Option<AccountAlert>, Error> {
        self.view(scope, |view| account::alert(view, account, kind)).await
    }

    pub(in crate::store) async fn create_account(
        &self,
        scope: &Scope,
        new: NewAccount,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<AccountSummary>, Error> {
        let (wanted, new) = (account_change::wanted(&new), Arc::new(new));
        self.change_numbered(scope, &wanted, move |change, numbers| {
            let new = Arc::clone(&new);
            idempotency::once(change, key.clone(), move |change| account_change::create(change, numbers, new))
        })
        .await
    }

    pub(in crate::store) async fn update_account(
        &self,
        scope: &Scope,
        id: i32,
        condition: Condition<AccountSummary>,
        work: AccountChange,
    ) -> Result<Option<AccountSummary>, Error> {
        let condition = Arc::new(condition);
        self.change(scope, move |change| {
            let (condition, work) = (Arc::clone(&condition), Arc::clone(&work));
            async move { account_change::update(change, id, &condition, work).await }
        })
        .await
    }
}
