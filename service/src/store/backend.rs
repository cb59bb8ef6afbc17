//! The kinds of databases that keep a store. Each one does whole operations, under the names they have in [`TenantStore`].
//!
//! [`TenantStore`]: super::TenantStore

use std::sync::Arc;

use super::{postgres, sqlite};
use crate::{
    domain::{
        caller::{Actor, Visibility},
        tenant::TenantId,
    },
    shares::Caller,
};

/// The database of a store. Clones share it.
#[derive(Clone, Debug)]
pub(super) enum Backend {
    /// A file, open in this process.
    Sqlite(Arc<sqlite::Database>),
    /// PostgreSQL, which other processes use as well.
    Postgres(postgres::Database),
}

/// Whose data an operation is about, and for whom it is done.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    /// The tenant whose data they are.
    pub(super) tenant: TenantId,
    /// The accounts that there are.
    pub(super) visible: Visibility,
    /// Who reads and writes.
    pub(super) actor: Actor,
    /// Whether a replica may answer what is read.
    pub(super) reads_replicas: bool,
}

impl Scope {
    /// Whose share of the queues the operation takes.
    pub(super) fn caller(&self) -> Caller {
        self.actor.token.as_ref().map(|(token, _)| (self.tenant, *token))
    }
}
