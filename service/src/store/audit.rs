//! What has changed, and who has changed it.

use jiff::Timestamp;

use super::{
    Error, TenantStore,
    sqlite::{audit, idempotency},
};
use crate::domain::change::{AuditEntry, ChangeQuery, Feed};

impl TenantStore {
    /// The changes behind a number, in a bounded part.
    pub async fn changes(&self, query: ChangeQuery) -> Result<Feed, Error> {
        self.read(move |view| audit::feed(view, &query)).await
    }

    /// The entries of the audit log behind a number, lowest first, at most so many.
    pub async fn audit_log(&self, after: i64, limit: u32) -> Result<Vec<AuditEntry>, Error> {
        self.read(move |view| audit::entries(view, after, limit)).await
    }

    /// Removes some entries of the audit log from before that moment, oldest first; answers how many. The last entry
    /// stays, so that its number is not given out again.
    pub async fn forget_changes(&self, before: Timestamp) -> Result<u32, Error> {
        self.write(move |change| audit::forget(change, before)).await
    }

    /// Forgets some idempotency keys that were used before that moment; answers how many.
    pub async fn forget_idempotency_keys(&self, before: Timestamp) -> Result<u32, Error> {
        self.write(move |change| idempotency::forget(change, before)).await
    }
}
