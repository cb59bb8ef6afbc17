//! What the operations of a store share in memory.

use super::{ids::Ids, names::Cache};

/// What is remembered between operations.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) names: Cache,
    pub(super) ids: Ids,
}
