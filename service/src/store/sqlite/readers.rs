//! Reading connections: each reads one snapshot at a time.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use rusqlite::Connection;
use tokio_util::sync::CancellationToken;

use super::connection;
use crate::store::{
    Error,
    sqlite::session::{Session, SharedConnection},
};

/// SQLite steps between checks of the limit: a fraction of a millisecond.
const STEPS: i32 = 10_000;

/// Maximum number of idle connections.
const IDLE: usize = 16;

/// Ends a read.
#[derive(Clone, Debug, Default)]
pub(super) struct Limit {
    until: Option<Instant>,
    /// Cancelled when the caller is gone.
    given_up: CancellationToken,
}

/// The connections to a file.
pub(super) struct Readers {
    file: PathBuf,
    /// Maximum size of the rows of one statement.
    bytes: usize,
    idle: Mutex<Vec<SharedConnection>>,
}

impl Limit {
    /// Ends the read after a time, or when it is given up.
    pub(super) fn after(time: Duration, given_up: CancellationToken) -> Self {
        Self { until: Some(Instant::now() + time), given_up }
    }

    fn is_over(&self) -> bool {
        self.given_up.is_cancelled() || self.until.is_some_and(|until| Instant::now() > until)
    }
}

impl Readers {
    pub(super) fn new(file: &Path, bytes: usize) -> Self {
        Self { file: file.to_owned(), bytes, idle: Mutex::default() }
    }

    /// Runs `work` on a snapshot.
    pub(super) fn run<T>(&self, limit: Limit, work: impl FnOnce(Session) -> Result<T, Error>) -> Result<T, Error> {
        let idle = self.idle.lock().pop();
        let reader = match idle {
            Some(reader) => reader,
            None => Arc::new(Mutex::new(connection::reading(&self.file)?)),
        };
        begin(&mut reader.lock(), limit)?;
        // A connection dropped by a panic is closed, not reused.
        let result = work(Session::new(&reader, self.bytes));
        let is_clean = end(&mut reader.lock()).is_ok();
        let mut idle = self.idle.lock();
        if is_clean && idle.len() < IDLE {
            idle.push(reader);
        }
        result
    }

    /// Closes idle connections.
    pub(super) fn close(&self) {
        self.idle.lock().clear();
    }
}

fn begin(connection: &mut Connection, limit: Limit) -> Result<(), Error> {
    connection.progress_handler(STEPS, Some(move || limit.is_over()))?;
    connection.prepare_cached("BEGIN")?.execute(())?;
    Ok(())
}

/// Ends the snapshot.
fn end(connection: &mut Connection) -> Result<(), Error> {
    connection.progress_handler(0, None::<fn() -> bool>)?;
    if !connection.is_autocommit() {
        connection.prepare_cached("ROLLBACK")?.execute(())?;
    }
    Ok(())
}
