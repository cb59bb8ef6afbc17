//! In-memory state shared by the operations of a store.

use super::{ids::Ids, names::Cache};

/// The state kept between operations.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) names: Cache,
    pub(super) ids: Ids,
}
