//! One state of the database, as one tenant sees it.

use std::sync::Arc;

use rusqlite::Connection;

use super::names::{Cache, Names};
use crate::{
    domain::{caller::Visibility, tenant::TenantId},
    store::Error,
};

/// What is read from: the open transaction, whose data it is, and what of it may be seen.
#[derive(Clone, Copy)]
pub(in crate::store) struct View<'a> {
    pub(super) connection: &'a Connection,
    pub(super) tenant: TenantId,
    /// The accounts that there are for whom it is read.
    pub(super) visible: &'a Visibility,
    pub(super) cache: &'a Cache,
}

impl<'a> View<'a> {
    pub(in crate::store) fn new(
        connection: &'a Connection,
        tenant: TenantId,
        visible: &'a Visibility,
        cache: &'a Cache,
    ) -> Self {
        Self { connection, tenant, visible, cache }
    }

    /// The id to look an account up by: 0, which no account has, for one that may not be seen. So it takes the same way,
    /// and the same time, as one that is not there.
    pub(super) fn account(&self, id: i32) -> i32 {
        if self.visible.includes(id) { id } else { 0 }
    }

    /// The names that ids stand for.
    pub(super) fn names(&self) -> Result<Arc<Names>, Error> {
        self.cache.get(self.connection, self.tenant)
    }
}
