//! A database that is opened for one inspection, migration or copy, by the role that owns its tables.

use std::{path::PathBuf, sync::Arc};

use deadpool_postgres::Pool;
use parking_lot::Mutex;

use super::{
    Error, Location, Options, postgres,
    session::Session,
    sqlite::{connection, session},
};

/// A database and its connections.
#[derive(Clone)]
pub(super) enum Direct {
    Sqlite {
        file: PathBuf,
        writing: Option<session::SharedConnection>,
    },
    Postgres {
        pool: Pool,
        /// The role of the service, if another one owns the tables.
        role: Option<String>,
    },
}

impl Direct {
    /// Opens a database for reading.
    pub(super) fn reading(location: &Location, options: &Options) -> Result<Self, Error> {
        match location {
            Location::Sqlite(file) if matches!(file.try_exists(), Ok(false)) => Err(Error::NoStore),
            Location::Sqlite(file) => Ok(Self::Sqlite { file: file.clone(), writing: None }),
            Location::Postgres(url) => postgres::direct(url, options),
        }
    }

    /// Opens a database for reading and writing; creates the file.
    pub(super) fn writing(location: &Location, options: &Options) -> Result<Self, Error> {
        match location {
            Location::Sqlite(file) => {
                let writing = Arc::new(Mutex::new(connection::writing(file, options.bounds.write)?));
                Ok(Self::Sqlite { file: file.clone(), writing: Some(writing) })
            }
            Location::Postgres(url) => postgres::direct(url, options),
        }
    }

    /// The error if the database is not a store.
    pub(super) fn foreign(&self) -> Error {
        Error::Foreign(match self {
            Self::Sqlite { file, .. } => file.display().to_string(),
            Self::Postgres { .. } => "the schema".into(),
        })
    }

    /// Closes a file, so that it is a single file again.
    pub(super) fn close(&self) -> Result<(), Error> {
        if let Self::Sqlite { writing: Some(writing), .. } = self {
            writing.lock().pragma_update(None, "journal_mode", "DELETE")?;
        }
        Ok(())
    }

    /// Opens a snapshot of the rows of all tenants.
    pub(super) async fn look(&self) -> Result<Session, Error> {
        match self {
            Self::Sqlite { file, .. } => {
                let connection = connection::reading(file)?;
                // The first statement that reads starts the snapshot.
                connection.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema;")?;
                Ok(Session::Sqlite(session::Session::new(&Arc::new(Mutex::new(connection)), usize::MAX)))
            }
            Self::Postgres { pool, .. } => postgres::begin(pool, postgres::BEGIN_READ).await,
        }
    }

    /// Runs work in one transaction.
    pub(super) async fn write<T>(&self, work: impl AsyncFnOnce(&Session) -> Result<T, Error>) -> Result<T, Error> {
        let session = match self {
            Self::Sqlite { writing, .. } => {
                let session = Session::Sqlite(session::Session::new(writing.as_ref().ok_or(Error::Busy)?, usize::MAX));
                session.batch("BEGIN IMMEDIATE").await?;
                session
            }
            Self::Postgres { pool, .. } => postgres::begin(pool, "BEGIN").await?,
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

/// Waits for work on a separate thread: the calling one may belong to a runtime, which must not block.
pub(super) fn wait<T: Send>(work: impl AsyncFnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    std::thread::scope(|threads| {
        let waiting = threads.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.map_err(Error::database)?.block_on(work())
        });
        waiting.join().unwrap_or_else(|_| Err(Error::Damaged("work on the store panicked".into())))
    })
}
