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
}

impl<'a> View<'a> {
    pub(in crate::store) fn new(connection: &'a Connection, tenant: TenantId, cache: &'a Cache) -> Self {
        Self { connection, tenant, cache }
    }

    /// The names that ids stand for.
    pub(super) fn names(&self) -> Result<Arc<Names>, Error> {
        self.cache.get(self.connection, self.tenant)
    }
}
