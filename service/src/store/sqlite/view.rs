//! One state of the database, as one tenant sees it.

use std::sync::Arc;

use rusqlite::Connection;

use super::names::{Cache, Names};
use crate::{domain::tenant::TenantId, store::Error};

/// What is read from: the open transaction, and whose data it is.
#[derive(Clone, Copy)]
pub(in crate::store) struct View<'a> {
    pub(super) connection: &'a Connection,
    pub(super) tenant: TenantId,
    pub(super) cache: &'a Cache,
    /// Whether others see this state as well; names read from it may be kept then.
    pub(super) is_committed: bool,
}

impl<'a> View<'a> {
    /// Of a state that others see as well.
    pub(in crate::store) fn committed(connection: &'a Connection, tenant: TenantId, cache: &'a Cache) -> Self {
        Self { connection, tenant, cache, is_committed: true }
    }

    /// The names that ids stand for.
    pub(super) fn names(&self) -> Result<Arc<Names>, Error> {
        self.cache.get(self.connection, self.tenant, self.is_committed)
    }
}
