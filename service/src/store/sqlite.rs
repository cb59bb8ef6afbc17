//! The store on SQLite: one writer, and a reading connection for each reading thread.

pub(super) mod connection;
pub(super) mod copy;
mod readers;
pub(super) mod session;
mod writer;

use std::{path::Path, sync::Arc};

use futures_util::{FutureExt as _, future::BoxFuture};
use rusqlite::{ErrorCode, ffi};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{
    Error, Options, Scope,
    change::Change,
    operation::{AnyValue, AnyWork, Cost},
    session::Session as OpenSession,
    view::View,
};
use crate::{config::Bounds, shares::FairSemaphore};
use readers::{Limit, Readers};
use session::Session;
use writer::{Death, Writer};

/// An open database file.
pub(super) struct Database {
    pub(super) writer: Writer,
    readers: Arc<Readers>,
    /// The queue of long reads.
    long: FairSemaphore,
    bounds: Bounds,
}

impl Database {
    /// Opens a file whose tables are up to date.
    pub(super) fn open(file: &Path, options: &Options) -> Result<Self, Error> {
        let writer = Writer::start(connection::writing(file, options.bounds.write)?, options.queue)?;
        Ok(Self::start(file, options, writer))
    }

    /// Opens a file for reading only.
    pub(super) fn open_read_only(file: &Path, options: &Options) -> Self {
        Self::start(file, options, Writer::none())
    }

    fn start(file: &Path, options: &Options, writer: Writer) -> Self {
        let threads = std::thread::available_parallelism().map_or(2, |cores| (cores.get() / 2).max(2));
        Self {
            writer,
            readers: Arc::new(Readers::new(file, options.bounds.row_bytes())),
            long: FairSemaphore::new(threads, options.bounds.waiting_reads.saturating_add(threads)),
            bounds: options.bounds.clone(),
        }
    }

    pub(super) fn gauges(&self) -> Vec<(&'static str, &'static str, usize)> {
        vec![
            ("store_writes_waiting", "Writes that wait for the thread that writes", self.writer.waiting()),
            ("store_long_reads", "Long reads that run or wait", self.long.callers()),
        ]
    }

    /// Reads for a caller: short reads on the calling thread, long ones in the queue.
    pub(super) async fn read_as(&self, scope: &Scope, cost: Cost, work: AnyWork<View>) -> Result<AnyValue, Error> {
        let (readers, time, most) = (Arc::clone(&self.readers), self.bounds.read, self.bounds.list_bytes);
        let scope = scope.clone();
        let caller = scope.caller();
        let read = move |limit| {
            let read = readers.run(limit, |session| now(work(View::new(OpenSession::Sqlite(session), &scope, most))));
            read.map_err(|error| if let Error::TooLong(_) = error { Error::TooLong(time) } else { error })
        };
        if cost == Cost::Short {
            return read(Limit::after(time, CancellationToken::new()));
        }
        let Ok(Some(permit)) = timeout(time, self.long.acquire(caller)).await else { return Err(Error::Busy) };
        // Ends the read if the caller stops waiting for it.
        let given_up = CancellationToken::new();
        let _caller = given_up.clone().drop_guard();
        let read = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            read(Limit::after(time, given_up))
        });
        read.await.map_err(Error::database)?
    }

    /// Reads a snapshot on the calling thread, without a time limit.
    pub(super) fn read_alone<T>(
        &self,
        scope: &Scope,
        work: impl AsyncFnOnce(View) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.readers
            .run(Limit::default(), |session| now(work(View::new(OpenSession::Sqlite(session), scope, usize::MAX))))
    }

    /// Passes work to the writer, which also writes its audit log.
    pub(super) fn submit<T, F>(
        &self,
        scope: &Scope,
        work: impl FnOnce(Change) -> F + Send + 'static,
    ) -> Result<BoxFuture<'static, Result<T, Error>>, Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>>,
    {
        let (caller, scope) = (scope.caller(), scope.clone());
        self.writer.submit(caller, move |connection| {
            let session = OpenSession::Sqlite(Session::new(connection, usize::MAX));
            let change = Change::new(View::new(session, &scope, usize::MAX), &scope, None);
            now(async {
                let value = work(change.clone()).await?;
                change.finish().await?;
                Ok(value)
            })
        })
    }

    /// Why the writer thread has died, once it has.
    pub(super) fn death(&self) -> Death {
        self.writer.death.clone()
    }

    pub(super) fn close(&self) {
        self.readers.close();
        self.writer.stop();
    }
}

/// Polls work that never waits.
fn now<T>(work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    work.now_or_never().unwrap_or_else(|| Err(Error::Damaged("work on the file waits for something else".into())))
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error() {
            Some(cause) if is_unwritable(*cause) => Self::Unwritable(error.to_string()),
            Some(cause) if matches!(cause.code, ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(cause) if cause.code == ErrorCode::OperationInterrupted => Self::TooLong(std::time::Duration::ZERO),
            _ => Self::database(error),
        }
    }
}

/// Whether the disk is full or failing.
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
mod tests;
