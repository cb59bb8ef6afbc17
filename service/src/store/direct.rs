//! A database that is opened for one look, one migration or one copy, by the role that owns its tables.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use deadpool_postgres::Pool;

use super::{
    Error, Location, Options, postgres,
    session::{Session, sqlite},
    sqlite::connection,
};

/// How long a look waits for another process that recovers the log of SQLite.
const PATIENCE: Duration = Duration::from_secs(10);

/// A database, and the connections to it.
#[derive(Clone)]
pub(super) enum Direct {
    Sqlite { file: PathBuf, writing: Option<sqlite::Shared> },
    Postgres(Pool),
}

impl Direct {
    /// To look at what there is.
    pub(super) fn reading(location: &Location, options: &Options) -> Result<Self, Error> {
        match location {
            Location::Sqlite(file) if !file.exists() => Err(Error::NoStore),
            Location::Sqlite(file) => Ok(Self::Sqlite { file: file.clone(), writing: None }),
            Location::Postgres(url) => Ok(Self::Postgres(postgres::direct(url, options)?)),
        }
    }

    /// To look and to write; makes the file.
    pub(super) fn writing(location: &Location, options: &Options) -> Result<Self, Error> {
        match location {
            Location::Sqlite(file) => {
                let writing = Arc::new(Mutex::new(connection::writing(file, options.patience)?));
                Ok(Self::Sqlite { file: file.clone(), writing: Some(writing) })
            }
            Location::Postgres(url) => Ok(Self::Postgres(postgres::direct(url, options)?)),
        }
    }

    /// Why it cannot be used: it is something else than a store.
    pub(super) fn foreign(&self) -> Error {
        Error::Foreign(match self {
            Self::Sqlite { file, .. } => file.display().to_string(),
            Self::Postgres(_) => "the schema".into(),
        })
    }

    /// Ends the use of a file, which is one file then, also after it has been looked at.
    pub(super) fn close(&self) -> Result<(), Error> {
        if let Self::Sqlite { writing: Some(writing), .. } = self {
            sqlite::lock(writing).pragma_update(None, "journal_mode", "DELETE")?;
        }
        Ok(())
    }

    /// What is read with it is of this moment, and of all tenants.
    pub(super) async fn look(&self) -> Result<Session, Error> {
        match self {
            Self::Sqlite { file, .. } => {
                let connection = connection::reading(file)?;
                connection.busy_timeout(PATIENCE)?;
                // The state is that of the first statement that reads.
                connection.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema;")?;
                Ok(Session::Sqlite(sqlite::Session::new(&Arc::new(Mutex::new(connection)), usize::MAX)))
            }
            Self::Postgres(pool) => postgres::look(pool).await,
        }
    }

    /// Does work in one transaction, all or nothing.
    pub(super) async fn write<T>(&self, work: impl AsyncFnOnce(&Session) -> Result<T, Error>) -> Result<T, Error> {
        let session = match self {
            Self::Sqlite { writing, .. } => {
                let session = Session::Sqlite(sqlite::Session::new(writing.as_ref().ok_or(Error::Busy)?, usize::MAX));
                session.batch("BEGIN IMMEDIATE").await?;
                session
            }
            Self::Postgres(pool) => postgres::write(pool).await?,
        };
        let result = match work(&session).await {
            Ok(value) => session.commit().await.map(|()| value),
            Err(error) => Err(error),
        };
        if result.is_err() {
            session.undo().await;
        }
        result
    }
}

/// Waits for work on a thread of its own: the calling one may belong to a runtime, where waiting is not allowed.
pub(super) fn wait<T: Send>(work: impl AsyncFnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    std::thread::scope(|threads| {
        let waiting = threads.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.map_err(Error::database)?.block_on(work())
        });
        waiting.join().unwrap_or_else(|_| Err(Error::Damaged("work on the store panicked".into())))
    })
}
