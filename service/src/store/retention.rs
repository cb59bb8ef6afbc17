//! What is removed when it is old.

use jiff::Timestamp;

use super::{Error, TenantStore, delegate};
use crate::domain::retention::Kept;

impl TenantStore {
    /// Removes up to `limit` rows from before `before`; answers how many. So it takes turns with other writes.
    pub async fn remove_older(&self, kept: Kept, before: Timestamp, limit: u32) -> Result<usize, Error> {
        delegate!(self.remove_older(kept, before, limit))
    }
}
