//! The store: the records of every tenant, in a database. All access names a tenant.

mod account;
mod agent;
mod attachment;
mod audit;
mod backend;
mod change;
mod contact;
mod content;
mod direct;
mod error;
mod export;
mod health;
mod ids;
pub mod import;
mod job;
mod loader;
mod location;
mod migration;
mod names;
mod odata;
mod operation;
mod postgres;
pub mod record;
mod reference;
pub mod resource;
mod retention;
mod scan;
mod session;
mod setting;
mod snapshot;
mod sqlite;
mod statement;
mod table;
mod text;
mod token;
pub mod transfer;
mod upload;
mod value;
mod view;
mod work;

pub use account::AccountChange;
pub use error::Error;
pub use location::Location;
pub use migration::Migrated;
pub use postgres::keep::KeptContents;
pub use snapshot::{Finding, KnownBlob, Mismatch, Snapshot};
pub use sqlite::copy::copy;

use std::{fmt, sync::Arc};

use backend::{Backend, Scope};
use direct::{Direct, wait};

use crate::{
    config::Bounds,
    domain::{
        caller::{Actor, Visibility},
        tenant::TenantId,
    },
};

/// The store. Clones share it.
#[derive(Clone)]
pub struct Store {
    backend: Backend,
    opened: Arc<migration::Outcome>,
    tokens: Arc<token::Recent>,
    caches: Arc<view::Caches>,
}

/// The records of one tenant, as one caller sees them. Clones share the store.
#[derive(Clone)]
pub struct TenantStore {
    backend: Backend,
    scope: Scope,
}

/// A test that a record must pass before it is written; it runs while the record is locked.
pub type Condition<T> = Option<Arc<dyn Fn(&T) -> bool + Send + Sync>>;

/// The default name of the first tenant.
pub const TENANT_NAME: &str = "Example MSP";

/// The default maximum number of open connections to PostgreSQL.
pub const CONNECTIONS: usize = 16;

/// Options for opening a store.
#[derive(Clone, Debug)]
pub struct Options {
    /// The name of the first tenant, used when the store is created.
    pub tenant_name: String,
    /// The PostgreSQL URL of the role that owns the tables, if the service uses another role.
    pub owner: Option<String>,
    /// The PostgreSQL URLs of standbys that answer reads.
    pub replicas: Vec<String>,
    /// Maximum number of open connections to PostgreSQL.
    pub connections: usize,
    /// Maximum number of waiting writes, a quarter of them for one token. Further ones fail with [`Error::Busy`].
    pub queue: usize,
    /// Whether to create a missing store; otherwise opening fails with [`Error::NoStore`].
    pub creates: bool,
    /// Whether to migrate an older store, after copying it; otherwise opening fails with [`Error::Older`].
    pub migrates: bool,
    /// The limits of reads and writes. Beyond them, operations fail with [`Error::Busy`], [`Error::TooLarge`] or [`Error::TooLong`].
    pub bounds: Bounds,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tenant_name: TENANT_NAME.into(),
            owner: None,
            replicas: Vec::new(),
            connections: CONNECTIONS,
            queue: 4096,
            creates: true,
            migrates: true,
            bounds: Bounds::default(),
        }
    }
}

impl Store {
    /// Opens a store, and creates or migrates it if necessary.
    pub fn open(location: impl Into<Location>, options: &Options) -> Result<Self, Error> {
        let location = location.into();
        if matches!(&location, Location::Sqlite(file) if !options.creates && matches!(file.try_exists(), Ok(false))) {
            return Err(Error::NoStore);
        }
        let opened = wait(async || migration::migrate(&Direct::writing(&location, options)?, options).await)?;
        let backend = match &location {
            Location::Sqlite(file) => Backend::Sqlite(Arc::new(sqlite::Database::open(file, options)?)),
            Location::Postgres(url) => Backend::Postgres(postgres::Database::open(url, options)?),
        };
        Ok(Self { opened: Arc::new(opened), ..Self::on(backend) })
    }

    /// Opens a store for reading, without changing it. Writes to a file fail with [`Error::Busy`], and opening an older store
    /// with [`Error::Older`].
    pub fn open_read_only(location: impl Into<Location>, options: &Options) -> Result<Self, Error> {
        let location = location.into();
        // Reading does not need the owner of the tables.
        let look = Options { owner: None, ..options.clone() };
        wait(async || {
            let direct = Direct::reading(&location, &look)?;
            migration::ensure_current(&direct, &direct.look().await?).await
        })?;
        Ok(Self::on(match &location {
            Location::Sqlite(file) => Backend::Sqlite(Arc::new(sqlite::Database::open_read_only(file, options))),
            Location::Postgres(url) => Backend::Postgres(postgres::Database::open(url, options)?),
        }))
    }

    fn on(backend: Backend) -> Self {
        Self { backend, opened: Arc::default(), tokens: Arc::default(), caches: Arc::default() }
    }

    /// The names, descriptions and values of the metrics of queues and connections.
    pub fn gauges(&self) -> Vec<(&'static str, &'static str, usize)> {
        match &self.backend {
            Backend::Sqlite(database) => database.gauges(),
            Backend::Postgres(database) => database.gauges(),
        }
    }

    /// The migration that opening the store has run. For PostgreSQL it is `None`: no copy is made, because the server has backups.
    pub fn migrated(&self) -> Option<&Migrated> {
        self.opened.migrated.as_ref()
    }

    /// Whether opening the store has created it.
    pub fn is_new(&self) -> bool {
        self.opened.is_new
    }

    /// The records of a tenant.
    pub fn tenant(&self, tenant: TenantId) -> TenantStore {
        let caches = Arc::clone(&self.caches);
        let scope = Scope { tenant, visible: Visibility::All, actor: Actor::default(), reads_replicas: false, caches };
        TenantStore { backend: self.backend.clone(), scope }
    }

    /// A description of each replica, with its lag.
    pub async fn about_replicas(&self) -> Vec<String> {
        match &self.backend {
            Backend::Sqlite(_) => Vec::new(),
            Backend::Postgres(database) => database.about_replicas().await,
        }
    }

    /// Waits until the writer thread of SQLite has panicked, and returns the reason: all further writes fail. Never ready for
    /// PostgreSQL, which may become available again.
    pub async fn death(&self) -> Arc<str> {
        match &self.backend {
            Backend::Sqlite(database) => database.death().await,
            Backend::Postgres(_) => std::future::pending().await,
        }
    }

    /// Waits for running writes and closes the store. All further operations fail, also those of clones.
    pub fn close(&self) {
        match &self.backend {
            Backend::Sqlite(database) => database.close(),
            Backend::Postgres(database) => database.close(),
        }
    }
}

impl TenantStore {
    /// The tenant.
    pub fn tenant(&self) -> TenantId {
        self.scope.tenant
    }

    /// The same for a caller: the audit log names its token, `CreatedBy` and `ModifiedBy` name its assignee, and the shares of
    /// queues are counted for its token.
    #[must_use]
    pub fn acting_for(&self, actor: Actor) -> Self {
        Self { scope: Scope { actor, ..self.scope.clone() }, ..self.clone() }
    }

    /// The same without the accounts that are hidden from the caller, and without their records.
    #[must_use]
    pub fn seeing(&self, visible: Visibility) -> Self {
        Self { scope: Scope { visible, ..self.scope.clone() }, ..self.clone() }
    }

    /// The same, where reads may be answered by a replica that has all earlier writes.
    #[must_use]
    pub fn reading_replicas(&self) -> Self {
        Self { scope: Scope { reads_replicas: true, ..self.scope.clone() }, ..self.clone() }
    }
}

/// Required by `Collector`; shows nothing.
impl fmt::Debug for Store {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Store").finish_non_exhaustive()
    }
}

#[cfg(test)]
impl Store {
    /// Makes the writer thread panic.
    pub(crate) fn kill_writer(&self) {
        let Backend::Sqlite(database) = &self.backend else { unreachable!("there is no writer thread") };
        database.writer.kill();
    }
}
