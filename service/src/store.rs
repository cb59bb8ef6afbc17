//! What is stored, in the terms of the domain; the only way to it names a tenant.

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
mod resource;
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
pub use location::Location;
pub use migration::Migrated;
pub use postgres::keep::KeptContents;
pub use resource::shape;
pub use snapshot::{Finding, KnownBlob, Mismatch, Snapshot};
pub use sqlite::copy::copy;

use std::{future::Future, sync::Arc, time::Duration};

use backend::{Backend, Scope};
use direct::{Direct, wait};

use crate::{
    config::Bounds,
    domain::{
        caller::{Actor, Visibility},
        refusal::Refusal,
        tenant::TenantId,
    },
};

/// All that is stored. Clones share it.
#[derive(Clone, Debug)]
pub struct Store {
    backend: Backend,
    opened: Arc<migration::Outcome>,
    tokens: Arc<token::Recent>,
    shared: Arc<view::Shared>,
}

/// What is stored for one tenant. Clones share it.
#[derive(Clone, Debug)]
pub struct TenantStore {
    backend: Backend,
    scope: Scope,
}

/// The state of a record that a writer expects; tested while the record is locked.
pub type Condition<T> = Option<Arc<dyn Fn(&T) -> bool + Send + Sync>>;

/// How a store is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// The name of the first tenant, taken over when the store is made.
    pub tenant_name: String,
    /// The URL of the role that owns the tables of PostgreSQL, when it is not the role that works with them.
    pub owner: Option<String>,
    /// The URLs of standbys of PostgreSQL, which answer reads.
    pub replicas: Vec<String>,
    /// Maximum number of open connections to PostgreSQL.
    pub connections: usize,
    /// Maximum number of writes that wait, a quarter of them of one token; further ones are refused as [`Error::Busy`].
    pub queue: usize,
    /// Create a missing store; otherwise fail with [`Error::NoStore`].
    pub makes: bool,
    /// Bring a store of an older program up to date, after a copy; otherwise fail with [`Error::Older`].
    pub migrates: bool,
    /// The limits of reads and writes. What exceeds them is refused as [`Error::Busy`], [`Error::TooLarge`] or [`Error::TooLong`].
    pub bounds: Bounds,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tenant_name: "Example MSP".into(),
            owner: None,
            replicas: Vec::new(),
            connections: 16,
            queue: 4096,
            makes: true,
            migrates: true,
            bounds: Bounds::default(),
        }
    }
}

/// Why the store does not do what it is asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The input violates rules that only the store can check.
    #[error("the input is refused: {}", .0.iter().map(|refusal| format!("{} {}", refusal.pointer, refusal.detail)).collect::<Vec<_>>().join("; "))]
    Refused(Vec<Refusal>),
    /// The idempotency key was used for another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The record is not the one that the writer expects.
    #[error("the record is not the one that is expected")]
    NotAsExpected,
    /// Too many writes are waiting, or another process holds the store.
    #[error("the store is busy")]
    Busy,
    /// A read has taken longer than it may.
    #[error("the read took longer than {} s", .0.as_secs_f32())]
    TooLong(Duration),
    /// What was asked for is more than an answer may hold.
    #[error("the answer would be too large")]
    TooLarge,
    /// The disk takes no writes: it is full, or broken.
    #[error("the store cannot be written: {0}")]
    Unwritable(String),
    /// The tenant would have more bytes of files than it may.
    #[error("the tenant has {used} bytes of files; {more} more are more than {limit}")]
    OverQuota {
        /// What it has, each content counted once.
        used: u64,
        /// What is to be added.
        more: u64,
        /// What it may have.
        limit: u64,
    },
    /// A content was forgotten since it was claimed: it has to be claimed and written anew.
    #[error("the content is not claimed any more")]
    Unclaimed,
    /// The store was made by a newer program.
    #[error(
        "the store has migration {found}, this program knows {known}: use the program that wrote it, or a newer one"
    )]
    Newer {
        /// The last migration of the store.
        found: i64,
        /// The last one that this program knows.
        known: i64,
    },
    /// The store was made by an older program.
    #[error("the store has migration {found}, this program needs {known}: `service migrate` brings it up to date")]
    Older {
        /// The last migration of the store.
        found: i64,
        /// The last one that this program knows.
        known: i64,
    },
    /// There is no store.
    #[error("there is no store: `service init` makes one")]
    NoStore,
    /// The copy that is kept before a store is brought up to date cannot be made.
    #[error("the store has not been brought up to date: no copy of it can be kept in {file}")]
    NotCopied {
        /// Where the copy was to be.
        file: String,
        /// Why.
        source: Box<Error>,
    },
    /// A migration of the store is not the one this program has under its number.
    #[error("migration {0} of the store differs from this program's: the store was made by another program")]
    Altered(i64),
    /// Contents could be forgotten that somebody needed.
    #[error(
        "contents of attachments may have been removed meanwhile, for the connection to the database was lost: begin anew"
    )]
    NotKept,
    /// The server shows the role the rows of one tenant at a time, and all of them are needed.
    #[error(
        "the role sees the rows of one tenant alone: name the one that owns the tables in the setting `store_owner`"
    )]
    Fenced,
    /// The store is the copy of another one, and lacks a part of it.
    #[error("the store is a copy that is not finished: the same `service copy` or `service restore` goes on with it")]
    Unfinished,
    /// The store holds a part of a copy of another store.
    #[error("it holds an unfinished copy of another one: empty it, or use another place")]
    OtherCopy,
    /// A copy cannot be made in a store that has something.
    #[error("it is not empty, for it has rows in the table `{0}`: nothing has been changed")]
    NotEmpty(&'static str),
    /// The file is something else.
    #[error("{0} is a database, but not of this service")]
    Foreign(String),
    /// What was read does not have the form in which it is written.
    #[error("{0}")]
    Damaged(String),
    /// The database fails.
    #[error("the database failed")]
    Database(#[source] Arc<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// A failure of the database.
    fn database(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Database(Arc::new(error))
    }
}

impl Store {
    /// Opens a store, makes it when it is not there, and brings it up to date.
    pub fn open(location: impl Into<Location>, options: &Options) -> Result<Self, Error> {
        let location = location.into();
        if matches!(&location, Location::Sqlite(file) if !options.makes && matches!(file.try_exists(), Ok(false))) {
            return Err(Error::NoStore);
        }
        let role = postgres::role_of(&location, options)?;
        let opened =
            wait(async || migration::migrate(&Direct::writing(&location, options)?, options, role.as_deref()).await)?;
        let backend = match &location {
            Location::Sqlite(file) => Backend::Sqlite(Arc::new(sqlite::Database::open(file, options)?)),
            Location::Postgres(url) => Backend::Postgres(postgres::Database::open(url, options)?),
        };
        Ok(Self { opened: Arc::new(opened), ..Self::on(backend) })
    }

    /// Opens a store for reading alone: nothing is made, and nothing is changed. Writes to a file are refused as
    /// [`Error::Busy`], a store of an older program as [`Error::Older`].
    pub fn open_read_only(location: impl Into<Location>, options: &Options) -> Result<Self, Error> {
        let location = location.into();
        // The role that serves looks, and need not own the tables.
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
        Self { backend, opened: Arc::default(), tokens: Arc::default(), shared: Arc::default() }
    }

    /// What waits for the store and what it has open: names of metrics, what they are, and their values.
    pub fn gauges(&self) -> Vec<(&'static str, &'static str, usize)> {
        match &self.backend {
            Backend::Sqlite(database) => database.gauges(),
            Backend::Postgres(database) => database.gauges(),
        }
    }

    /// What opening it has brought up to date. Of a database of a server no copy is kept: the server's backups have the old state.
    pub fn migrated(&self) -> Option<&Migrated> {
        self.opened.migrated.as_ref()
    }

    /// Whether opening it has made it.
    pub fn is_new(&self) -> bool {
        self.opened.is_new
    }

    /// What is stored for a tenant.
    pub fn tenant(&self, tenant: TenantId) -> TenantStore {
        let shared = Arc::clone(&self.shared);
        let scope = Scope { tenant, visible: Visibility::All, actor: Actor::default(), reads_replicas: false, shared };
        TenantStore { backend: self.backend.clone(), scope }
    }

    /// What each replica is, and how far behind.
    pub async fn about_replicas(&self) -> Vec<String> {
        match &self.backend {
            Backend::Sqlite(_) => Vec::new(),
            Backend::Postgres(database) => database.about_replicas().await,
        }
    }

    /// Whether the thread that writes lives. PostgreSQL needs none, and may come back when it is away.
    pub fn is_alive(&self) -> bool {
        match &self.backend {
            Backend::Sqlite(database) => database.death().borrow().is_none(),
            Backend::Postgres(_) => true,
        }
    }

    /// Returns when the thread that writes has died, with the reason. Nothing can be written from then on.
    pub fn death(&self) -> impl Future<Output = Arc<str>> + Send + use<> {
        let death = match &self.backend {
            Backend::Sqlite(database) => Some(database.death()),
            Backend::Postgres(_) => None,
        };
        async move {
            if let Some(mut death) = death
                && let Ok(reason) = death.wait_for(Option::is_some).await
                && let Some(reason) = &*reason
            {
                return Arc::clone(reason);
            }
            // It has been told to stop.
            std::future::pending().await
        }
    }

    /// Waits for the writes that are under way and closes it; other clones are refused from then on.
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

    /// The same for a caller: the audit log names its token, `CreatedBy` and `ModifiedBy` its assignee, and its token has a share of
    /// what may work at once.
    #[must_use]
    pub fn acting_for(&self, actor: Actor) -> Self {
        Self { scope: Scope { actor, ..self.scope.clone() }, ..self.clone() }
    }

    /// The same, where accounts that may not be seen, and what belongs to them, are not there.
    #[must_use]
    pub fn seeing(&self, visible: Visibility) -> Self {
        Self { scope: Scope { visible, ..self.scope.clone() }, ..self.clone() }
    }

    /// The same, where a replica may answer what is read: one that has all that was written before.
    #[must_use]
    pub fn reading_replicas(&self) -> Self {
        Self { scope: Scope { reads_replicas: true, ..self.scope.clone() }, ..self.clone() }
    }
}

#[cfg(test)]
impl Store {
    /// Makes the thread that writes die.
    pub(crate) fn kill_writer(&self) {
        match &self.backend {
            Backend::Sqlite(database) => database.kill_writer(),
            Backend::Postgres(_) => unreachable!("no thread writes"),
        }
    }
}
