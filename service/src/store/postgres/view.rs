//! One state of the database, as one tenant sees it.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use super::{names::Cache, session::Session};
use crate::{
    domain::{caller::Visibility, tenant::TenantId},
    store::{
        Error, Scope,
        sql::{Dialect, Viewer, names::Names},
    },
};

/// What is read from: the open transaction, whose data it is, and what of it may be seen. Clones share it.
#[derive(Clone)]
pub(super) struct View {
    pub(super) session: Arc<Session>,
    pub(super) tenant: TenantId,
    /// The accounts that there are for whom it is read.
    pub(super) visible: Visibility,
    pub(super) cache: Arc<Cache>,
    /// So many bytes an answer may have, about, and so many it has.
    most: usize,
    spent: Arc<AtomicUsize>,
}

impl View {
    pub(super) fn new(session: Arc<Session>, scope: &Scope, cache: Arc<Cache>, most: usize) -> Self {
        Self { session, tenant: scope.tenant, visible: scope.visible.clone(), cache, most, spent: Arc::default() }
    }

    /// Says that so many bytes are going to be answered. Fails when an answer may not have as many.
    pub(super) fn spend(&self, bytes: usize) -> Result<(), Error> {
        let spent = self.spent.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if spent > self.most { Err(Error::TooLarge) } else { Ok(()) }
    }

    /// For whom SQL is composed.
    pub(super) fn viewer(&self) -> Viewer<'_> {
        Viewer { dialect: Dialect::Postgres, tenant: self.tenant, visible: &self.visible }
    }

    /// The id to look an account up by; see [`Viewer::account`].
    pub(super) fn account(&self, id: i32) -> i32 {
        self.viewer().account(id)
    }

    /// The names that ids stand for, as they were a moment ago, or as they are when nobody has asked for them yet.
    pub(super) async fn names(&self) -> Result<Arc<Names>, Error> {
        match self.cache.recent(self.tenant) {
            Some(names) => Ok(names),
            None => self.cache.read(&self.session, self.tenant).await,
        }
    }
}
