//! What is stored, in the terms of the domain; the only way to it names a tenant.

mod account;
mod agent;
mod attachment;
mod contact;
pub mod import;
pub mod record;
mod reference;
mod sqlite;
mod token;

pub use account::AccountChange;
pub use agent::FirstRun;

use std::{path::Path, sync::Arc, time::Duration};

use crate::domain::{
    refusal::Refusal,
    tenant::{Tenant, TenantId},
};

/// All that is stored. Clones share it.
#[derive(Clone, Debug)]
pub struct Store {
    database: Arc<sqlite::Database>,
    tokens: Arc<token::Recent>,
}

/// What is stored for one tenant. Clones share it.
#[derive(Clone, Debug)]
pub struct TenantStore {
    database: Arc<sqlite::Database>,
    tenant: TenantId,
    assignee: Option<i32>,
}

/// How a store is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// The name of the first tenant, taken over when the store is made.
    pub tenant_name: String,
    /// So many writes may wait for the writer; further ones are refused as [`Error::Busy`].
    pub queue: usize,
    /// So long a write waits for another process that is writing.
    pub patience: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { tenant_name: "Example MSP".into(), queue: 4096, patience: Duration::from_secs(10) }
    }
}

/// Why the store does not do what it is asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input violates rules that only the store can check.
    #[error("the input is refused: {}", .0.iter().map(|refusal| format!("{} {}", refusal.pointer, refusal.detail)).collect::<Vec<_>>().join("; "))]
    Refused(Vec<Refusal>),
    /// Too many writes are waiting, or another process holds the store.
    #[error("the store is busy")]
    Busy,
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
    /// A migration of the store is not the one this program has under its number.
    #[error("migration {0} of the store differs from this program's: the store was made by another program")]
    Altered(i64),
    /// The file is something else.
    #[error("{0} is a database, but not of this service")]
    Foreign(String),
    /// What was read does not have the form in which it is written.
    #[error("{0}")]
    Damaged(String),
    /// The database fails.
    #[error("the database failed")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Store {
    /// Opens the store in `file`, makes it when it is not there, and brings it up to date.
    pub fn open(file: &Path, options: &Options) -> Result<Self, Error> {
        Ok(Self { database: Arc::new(sqlite::Database::open(file, options)?), tokens: Arc::default() })
    }

    /// Whether opening it has made it.
    pub fn is_new(&self) -> bool {
        self.database.is_new()
    }

    /// What is stored for a tenant.
    pub fn tenant(&self, tenant: TenantId) -> TenantStore {
        TenantStore { database: Arc::clone(&self.database), tenant, assignee: None }
    }

    /// Every tenant.
    pub async fn tenants(&self) -> Result<Vec<Tenant>, Error> {
        self.database.read(|reader| sqlite::tenant::all(reader.connection())).await
    }

    /// Whether it can be read and written.
    pub async fn ready(&self) -> Result<(), Error> {
        self.database.read(|reader| sqlite::tenant::all(reader.connection()).map(|_| ())).await?;
        self.database.write(|_| Ok(())).await
    }

    /// Waits for the writes that are under way and closes it; other clones are refused from then on.
    pub fn close(&self) {
        self.database.close();
    }
}

impl TenantStore {
    /// The tenant.
    pub fn tenant(&self) -> TenantId {
        self.tenant
    }

    /// The same, for what an assignee writes: `CreatedBy` and `ModifiedBy` name them.
    #[must_use]
    pub fn acting_for(&self, assignee: Option<i32>) -> Self {
        Self { assignee, ..self.clone() }
    }

    async fn read<T: Send + 'static>(
        &self,
        work: impl Fn(&sqlite::View<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (tenant, cache) = (self.tenant, Arc::clone(self.database.names()));
        let view = move |reader: &sqlite::Reader| work(&sqlite::View::new(reader.connection(), tenant, &cache));
        self.database.read(view).await
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&sqlite::Change<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (tenant, assignee, cache) = (self.tenant, self.assignee, Arc::clone(self.database.names()));
        self.database.write(move |connection| work(&sqlite::Change::begin(connection, tenant, assignee, &cache))).await
    }
}

#[cfg(test)]
mod tests;
