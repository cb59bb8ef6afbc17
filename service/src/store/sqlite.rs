//! The store on SQLite: one writer, and a reader for every thread that reads.

mod account;
mod account_change;
mod agent;
mod assignee;
mod attachment;
mod audit;
mod change;
mod checkpoint;
pub(super) mod connection;
mod contact;
mod contact_change;
mod content;
pub(super) mod copy;
mod export;
mod fold;
mod idempotency;
mod import;
pub(super) mod inspect;
mod job;
mod list;
mod location;
mod long_reads;
pub(super) mod migration;
mod names;
mod object;
mod operations;
mod owned;
mod reader;
mod reference;
mod retention;
mod scan;
mod setting;
mod tenant;
mod token;
pub(super) mod transfer;
mod view;
mod watch;
mod writer;

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use rusqlite::{ErrorCode, ffi};

use super::{
    Error, Location, Migrated, Options,
    queue::{Asker, NOBODY},
};
use crate::domain::tenant::TenantId;
use change::Change;
use checkpoint::Checkpoints;
use long_reads::LongReads;
use migration::Before;
use reader::Reader;
use tokio::sync::watch as watch_channel;
use view::View;
use watch::Patience;
use writer::Writer;

/// A database file that is open.
pub(super) struct Database {
    file: PathBuf,
    writer: Writer,
    names: Arc<names::Cache>,
    is_new: bool,
    migrated: Option<Migrated>,
    long_reads: LongReads,
    list_bytes: usize,
    /// Its address tells readers of this database from those of others; they end with it.
    identity: Arc<()>,
}

impl Database {
    pub(super) fn open(file: &Path, options: &Options) -> Result<Self, Error> {
        let mut connection = connection::writing(file, options.patience)?;
        let before = migration::migrate(&mut connection, file, options.migrates)?;
        let is_new = before == Before::Nothing;
        if is_new {
            tenant::create(&connection, TenantId::FIRST, &options.tenant_name)?;
        }
        let migrated = if let Before::Older(migrated) = before { Some(migrated) } else { None };
        let checkpoints = Checkpoints::start(file, &mut connection)?;
        let writer = Writer::start(connection, checkpoints, options.queue)?;
        Ok(Self { is_new, migrated, ..Self::start(file, options, writer)? })
    }

    /// For reading alone; what is written is refused.
    pub(super) fn open_read_only(file: &Path, options: &Options) -> Result<Self, Error> {
        let (found, known) = transfer::Side::look(file)?.migration()?;
        if found < known {
            return Err(Error::Older { found, known });
        }
        Self::start(file, options, Writer::none())
    }

    fn start(file: &Path, options: &Options, writer: Writer) -> Result<Self, Error> {
        Ok(Self {
            file: file.to_owned(),
            writer,
            names: Arc::default(),
            is_new: false,
            migrated: None,
            long_reads: LongReads::start(file, options.list_bytes, &options.long_reads)?,
            list_bytes: options.list_bytes,
            identity: Arc::new(()),
        })
    }

    pub(super) fn migrated(&self) -> Option<&Migrated> {
        self.migrated.as_ref()
    }

    pub(super) fn is_new(&self) -> bool {
        self.is_new
    }

    /// Reads on the calling thread. What takes long is broken off and begun anew, in the turn of `asker`, on a thread that
    /// serves nobody else. Who stops waiting ends it.
    async fn read<T: Send + 'static>(
        &self,
        asker: Asker,
        work: impl Fn(&Reader) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        if let Some(result) = self.with_reader(&Patience::Short, &work)? {
            return Ok(result);
        }
        self.long_reads.run(asker, work).await
    }

    /// Reads on the calling thread, however long it takes.
    fn read_blocking<T>(&self, work: impl Fn(&Reader) -> Result<T, Error>) -> Result<T, Error> {
        self.with_reader(&Patience::Endless, &work)?.ok_or(Error::Busy)
    }

    fn with_reader<T>(
        &self,
        patience: &Patience,
        work: &impl Fn(&Reader) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        reader::with(&self.identity, || Reader::open(&self.file, self.list_bytes), |reader| reader.run(patience, work))
    }

    /// Writes in the turn of `asker`, together with others that write at the same time; returns when it is on the disk.
    async fn write<T: Send + 'static>(
        &self,
        asker: Asker,
        work: impl FnOnce(&rusqlite::Connection) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.writer.submit(asker, work)?.await.map_err(Error::database)?
    }

    /// The same, for nobody who waits; it is not done when the queue is full.
    fn write_later(&self, work: impl FnOnce(&rusqlite::Connection) -> Result<(), Error> + Send + 'static) {
        self.writer.submit_unawaited(NOBODY, work);
    }

    /// The same, on the calling thread, which is none that serves.
    fn write_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&rusqlite::Connection) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.writer.submit(NOBODY, work)?.blocking_recv().map_err(Error::database)?
    }

    /// Why the thread that writes has died, once it has.
    pub(super) fn death(&self) -> watch_channel::Receiver<Option<Arc<str>>> {
        self.writer.death()
    }

    pub(super) fn close(&self) {
        self.long_reads.stop();
        self.writer.stop();
    }
}

/// Which one it is: it stands in what is logged of a panic.
impl fmt::Debug for Database {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Location::Sqlite(self.file.clone()), formatter)
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error() {
            Some(cause) if is_unwritable(*cause) => Self::Unwritable(error.to_string()),
            Some(cause) if matches!(cause.code, ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            _ => Self::database(error),
        }
    }
}

/// Whether the disk is full or fails to take what is written.
fn is_unwritable(error: ffi::Error) -> bool {
    matches!(
        error.extended_code,
        ffi::SQLITE_FULL
            | ffi::SQLITE_IOERR_WRITE
            | ffi::SQLITE_IOERR_FSYNC
            | ffi::SQLITE_IOERR_DIR_FSYNC
            | ffi::SQLITE_IOERR_TRUNCATE
            | ffi::SQLITE_IOERR_SHMSIZE
    )
}

#[cfg(test)]
impl Database {
    /// Runs SQL that no operation has.
    pub(super) fn execute(&self, sql: &str) {
        let sql = sql.to_owned();
        self.write_blocking(move |connection| Ok(connection.execute_batch(&sql)?)).unwrap();
    }

    /// Keeps the writer busy until the sender is dropped.
    pub(super) fn hold_writer(&self) -> std::sync::mpsc::Sender<()> {
        let (sender, receiver) = std::sync::mpsc::channel::<()>();
        let (started, running) = std::sync::mpsc::channel();
        self.writer.submit_unawaited(NOBODY, move |_| {
            started.send(()).unwrap();
            receiver.recv().unwrap_err();
            Ok(())
        });
        running.recv().unwrap();
        sender
    }

    /// Makes the thread that writes panic where it catches no panic of a job.
    pub(super) fn kill_writer(&self) {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("on purpose");
            }
        }
        let (sender, receiver) = std::sync::mpsc::channel();
        let result = self.writer.submit(NOBODY, move |_| {
            // What nobody receives is dropped by the thread.
            drop(receiver.recv());
            Ok(Bomb)
        });
        sender.send(result.unwrap()).unwrap();
    }
}

#[cfg(test)]
mod tests;
mod work;
