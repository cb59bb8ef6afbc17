//! What has changed, and who has changed it.

use jiff::Timestamp;

use super::{Error, TenantStore, delegate};
use crate::domain::change::{AuditEntry, ChangeQuery, Feed};

impl TenantStore {
    /// The changes behind a number, in a bounded part.
    pub async fn changes(&self, query: ChangeQuery) -> Result<Feed, Error> {
        delegate!(self.changes(query))
    }

    /// The entries of the audit log behind a number, lowest first, at most so many.
    pub async fn audit_log(&self, after: i64, limit: u32) -> Result<Vec<AuditEntry>, Error> {
        delegate!(self.audit_log(after, limit))
    }

    /// Removes some entries of the audit log from before that moment, oldest first; answers how many. The last entry
    /// stays, so that its number is not given out again.
    pub async fn forget_changes(&self, before: Timestamp) -> Result<u32, Error> {
        delegate!(self.forget_changes(before))
    }

    /// Forgets some idempotency keys that were used before that moment; answers how many.
    pub async fn forget_idempotency_keys(&self, before: Timestamp) -> Result<u32, Error> {
        delegate!(self.forget_idempotency_keys(before))
    }
}
