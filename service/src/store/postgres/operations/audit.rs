//! What has changed, and who has changed it.

use jiff::Timestamp;

use crate::{
    domain::change::{AuditEntry, ChangeQuery, Feed},
    store::{
        Error, Scope,
        postgres::{Change, Database, audit, idempotency},
    },
};

impl Database {
    pub(in crate::store) async fn changes(&self, scope: &Scope, query: ChangeQuery) -> Result<Feed, Error> {
        self.number_changes(scope).await?;
        self.view(scope, |view| audit::feed(view, query.clone())).await
    }

    pub(in crate::store) async fn audit_log(
        &self,
        scope: &Scope,
        after: i64,
        limit: u32,
    ) -> Result<Vec<AuditEntry>, Error> {
        self.number_changes(scope).await?;
        self.view(scope, |view| audit::entries(view, after, limit)).await
    }

    pub(in crate::store) async fn forget_changes(&self, scope: &Scope, before: Timestamp) -> Result<u32, Error> {
        self.number_changes(scope).await?;
        self.change(scope, move |change| audit::forget(change, before)).await
    }

    pub(in crate::store) async fn forget_idempotency_keys(
        &self,
        scope: &Scope,
        before: Timestamp,
    ) -> Result<u32, Error> {
        self.change(scope, move |change| idempotency::forget(change, before)).await
    }

    /// Gives the changes that have been committed since the last time their numbers.
    async fn number_changes(&self, scope: &Scope) -> Result<(), Error> {
        if self.view(scope, |view| async move { audit::is_behind(&view).await }).await? {
            let tenant = scope.tenant;
            let number = move |change: Change| async move { audit::number(change.session(), tenant).await };
            while self.change(scope, number).await? {}
        }
        Ok(())
    }
}
