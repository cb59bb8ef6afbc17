//! The kinds of databases. Each one runs the operations of [`TenantStore`].
//!
//! [`TenantStore`]: super::TenantStore

use std::sync::Arc;

use super::{postgres, sqlite, view::Caches};
use crate::{
    domain::{
        caller::{Actor, Visibility},
        tenant::TenantId,
    },
    shares::Caller,
};

/// The database of a store. Clones share it.
#[derive(Clone)]
pub(super) enum Backend {
    /// A file, open in this process.
    Sqlite(Arc<sqlite::Database>),
    /// PostgreSQL, which other processes use too.
    Postgres(postgres::Database),
}

/// The tenant and the caller of an operation.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    /// The tenant.
    pub(super) tenant: TenantId,
    /// The visible accounts.
    pub(super) visible: Visibility,
    /// The author of writes.
    pub(super) actor: Actor,
    /// Whether a replica may answer reads.
    pub(super) reads_replicas: bool,
    /// What is cached between operations.
    pub(super) caches: Arc<Caches>,
}

impl Scope {
    /// The caller whose share of the queues is used.
    pub(super) fn caller(&self) -> Caller {
        self.actor.token.as_ref().map(|(token, _)| (self.tenant, *token))
    }
}
