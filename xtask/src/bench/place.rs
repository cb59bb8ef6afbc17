//! Where the records of a measured service are: a file, or a database of a server of the measurement's own.

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
    /// The one that comes with the program.
    Sqlite,
    /// PostgreSQL, which writes through to the disk.
    Postgres,
}

/// Where stores are made.
pub(super) struct Place {
    folder: PathBuf,
    stores: Cell<u32>,
    server: Option<Server>,
}

/// One store, and how the service and its peer get to it.
pub(super) struct Settings {
    pub(super) data: PathBuf,
    /// As the owner of the tables; none of a file.
    database: Option<String>,
}

impl Store {
    /// The kinds to be measured: the one that is said, or those that the machine has.
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

    /// Processor time that the database server has spent; none of a file, which is in the process that uses it.
    pub(super) fn spent(&self) -> Result<Duration> {
        self.server.as_ref().map_or(Ok(Duration::ZERO), |server| process::cpu_of_all(server.process()))
    }

    pub(super) fn has_server(&self) -> bool {
        self.server.is_some()
    }
}

impl Settings {
    /// Has the server do now what it would do some time later: look at its tables, and write its pages.
    pub(super) fn settle(&self) {
        if let Some(database) = &self.database {
            tests_postgres::execute(database, "VACUUM ANALYZE");
            tests_postgres::execute(database, "CHECKPOINT");
        }
    }

    /// The service's program, on this store.
    pub(super) fn service(&self) -> Result<Command> {
        let mut command = Command::new(program("service")?);
        command.arg("--data").arg(&self.data);
        if let Some(database) = &self.database {
            command.env("SERVICE_STORE", tests_postgres::for_service(database)).env("SERVICE_STORE_OWNER", database);
        }
        Ok(command)
    }

    /// What the handwritten service opens: a file, or the database as its owner.
    pub(super) fn address(&self) -> String {
        self.database.clone().unwrap_or_else(|| self.data.join("store.sqlite").display().to_string())
    }
}
