//! What has changed, and who has changed it.

use jiff::Timestamp;

use crate::{
    domain::change::{AuditEntry, ChangeQuery, Feed},
    store::{
        Error, Scope,
        sqlite::{Database, audit, idempotency},
    },
};

impl Database {
    pub(in crate::store) async fn changes(&self, scope: &Scope, query: ChangeQuery) -> Result<Feed, Error> {
        self.view(scope, move |view| audit::feed(view, &query)).await
    }

    pub(in crate::store) async fn audit_log(
        &self,
        scope: &Scope,
        after: i64,
        limit: u32,
    ) -> Result<Vec<AuditEntry>, Error> {
        self.view(scope, move |view| audit::entries(view, after, limit)).await
    }

    pub(in crate::store) async fn forget_changes(&self, scope: &Scope, before: Timestamp) -> Result<u32, Error> {
        self.change(scope, move |change| audit::forget(change, before)).await
    }

    pub(in crate::store) async fn forget_idempotency_keys(
        &self,
        scope: &Scope,
        before: Timestamp,
    ) -> Result<u32, Error> {
        self.change(scope, move |change| idempotency::forget(change, before)).await
    }
}
