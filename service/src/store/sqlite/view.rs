//! One state of the database, as one tenant sees it.

use std::sync::Arc;

use rusqlite::Connection;

use super::{names::Cache, reader::Reader, watch::Watch};
use crate::{
    domain::{caller::Visibility, tenant::TenantId},
    store::{
        Error,
        sql::{Dialect, Viewer, names::Names},
    },
};

/// What is read from: the open transaction, whose data it is, and what of it may be seen.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) connection: &'a Connection,
    pub(super) tenant: TenantId,
    /// The accounts that there are for whom it is read.
    pub(super) visible: &'a Visibility,
    pub(super) cache: &'a Cache,
    watch: Option<&'a Watch>,
}

impl<'a> View<'a> {
    /// Of a connection that writes, which is not watched.
    pub(super) fn new(connection: &'a Connection, tenant: TenantId, visible: &'a Visibility, cache: &'a Cache) -> Self {
        Self { connection, tenant, visible, cache, watch: None }
    }

    /// For whom SQL is composed.
    pub(super) fn viewer(&self) -> Viewer<'a> {
        Viewer { dialect: Dialect::Sqlite, tenant: self.tenant, visible: self.visible }
    }

    /// The id to look an account up by; see [`Viewer::account`].
    pub(super) fn account(&self, id: i32) -> i32 {
        self.viewer().account(id)
    }

    pub(super) fn of(reader: &'a Reader, tenant: TenantId, visible: &'a Visibility, cache: &'a Cache) -> Self {
        Self { watch: Some(reader.watch()), ..Self::new(reader.connection(), tenant, visible, cache) }
    }

    /// Says that so many entries of an index are going to be looked at, or so many members of records read. Fails when that is
    /// too much for a thread that serves, before it has lost any time with it.
    pub(super) fn expect(&self, entries: u64) -> Result<(), Error> {
        self.watch.map_or(Ok(()), |watch| watch.expect(entries))
    }

    /// Says that so many bytes are going to be answered. Fails when an answer may not have as many.
    pub(super) fn spend(&self, bytes: usize) -> Result<(), Error> {
        self.watch.map_or(Ok(()), |watch| watch.spend(bytes))
    }

    /// The names that ids stand for.
    pub(super) fn names(&self) -> Result<Arc<Names>, Error> {
        self.cache.get(self.connection, self.tenant)
    }
}
