//! The store of a measured service: a file, or a database of a temporary server.

use std::{
    cell::Cell,
    fmt,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::Result;
use clap::ValueEnum;
use tests_postgres::{Durability, Server};

use super::{process, program};

/// A kind of store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Store {
    /// The embedded one.
    Sqlite,
    /// PostgreSQL, with durable commits.
    Postgres,
}

/// Where stores are made.
pub(super) struct Place {
    folder: PathBuf,
    stores: Cell<u32>,
    server: Option<Server>,
}

/// A store, and how the service and its peer connect to it.
pub(super) struct Settings {
    pub(super) data: PathBuf,
    /// The connection string of the tables' owner; `None` for a file.
    database: Option<String>,
}

impl Store {
    /// The kinds to measure: the given one, or those that the machine has.
    pub(super) fn wanted(said: Option<Self>) -> Vec<Self> {
        let has = |store: &Self| *store == Self::Sqlite || tests_postgres::is_installed();
        said.map_or_else(|| [Self::Sqlite, Self::Postgres].into_iter().filter(has).collect(), |store| vec![store])
    }
}

impl fmt::Display for Store {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL, on the same machine",
        })
    }
}

impl Place {
    pub(super) fn new(store: Store, folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        let server = (store == Store::Postgres).then(|| Server::start(Durability::Full));
        Ok(Self { folder: folder.to_owned(), stores: Cell::new(0), server })
    }

    /// An empty store.
    pub(super) fn fresh(&self) -> Result<Settings> {
        let number = self.stores.get();
        self.stores.set(number + 1);
        let kind = if self.server.is_some() { "postgres" } else { "sqlite" };
        let data = self.folder.join(format!("{kind}-{number}"));
        std::fs::create_dir_all(&data)?;
        Ok(Settings { data, database: self.server.as_ref().map(Server::database) })
    }

    /// Processor time used by the database server; `None` for a file, whose cost is the service's own.
    pub(super) fn spent(&self) -> Result<Duration> {
        self.server.as_ref().map_or(Ok(Duration::ZERO), |server| process::cpu_of_all(server.process()))
    }

    pub(super) fn has_server(&self) -> bool {
        self.server.is_some()
    }
}

impl Settings {
    /// Makes the server do pending maintenance now: analyze tables, and write pages.
    pub(super) fn settle(&self) {
        if let Some(database) = &self.database {
            tests_postgres::execute(database, "VACUUM ANALYZE");
            tests_postgres::execute(database, "CHECKPOINT");
        }
    }

    /// The command of the service with this store.
    pub(super) fn service(&self) -> Result<Command> {
        let mut command = Command::new(program("service")?);
        command.arg("--data").arg(&self.data);
        if let Some(database) = &self.database {
            command.env("SERVICE_STORE", tests_postgres::for_service(database)).env("SERVICE_STORE_OWNER", database);
        }
        Ok(command)
    }

    /// The store that the handwritten service opens: a file, or the database as its owner.
    pub(super) fn address(&self) -> String {
        self.database.clone().unwrap_or_else(|| self.data.join("store.sqlite").display().to_string())
    }
}
