//! Reading connections: each reads one snapshot at a time.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use rusqlite::Connection;

use super::connection;
use crate::store::{
    Error,
    session::sqlite::{Session, Shared, lock},
};

/// SQLite steps between checks of the limit: a fraction of a millisecond.
const STEPS: i32 = 10_000;

/// Maximum number of idle connections.
const IDLE: usize = 16;

/// How long a reader waits for another process that recovers the log.
const BUSY_TIME: Duration = Duration::from_secs(5);

/// Ends a read.
#[derive(Debug, Default)]
pub(super) struct Limit {
    until: Mutex<Option<Instant>>,
    is_given_up: AtomicBool,
}

struct Reader {
    connection: Shared,
    limit: Arc<Mutex<Arc<Limit>>>,
}

/// The connections to a file.
pub(super) struct Readers {
    file: PathBuf,
    /// Maximum size of the rows of one statement.
    bytes: usize,
    idle: Mutex<Vec<Reader>>,
}

impl Limit {
    /// Ends the read after a time.
    pub(super) fn after(time: Duration) -> Arc<Self> {
        Arc::new(Self { until: Mutex::new(Some(Instant::now() + time)), is_given_up: AtomicBool::new(false) })
    }

    /// Ends the read, because its caller is gone.
    pub(super) fn give_up(&self) {
        self.is_given_up.store(true, Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        let until = *self.until.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_given_up.load(Ordering::Relaxed) || until.is_some_and(|until| Instant::now() > until)
    }
}

impl Readers {
    pub(super) fn new(file: &Path, bytes: usize) -> Self {
        Self { file: file.to_owned(), bytes, idle: Mutex::default() }
    }

    /// Runs `work` on a snapshot.
    pub(super) fn run<T>(
        &self,
        limit: &Arc<Limit>,
        work: impl FnOnce(Session) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let reader = idle.map_or_else(|| Reader::open(&self.file), Ok)?;
        reader.begin(limit)?;
        // A reader dropped by a panic is closed, not reused.
        let result = work(Session::new(&reader.connection, self.bytes));
        if reader.end() {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            if idle.len() < IDLE {
                idle.push(reader);
            }
        }
        result
    }

    /// Closes idle connections.
    pub(super) fn close(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl Reader {
    fn open(file: &Path) -> Result<Self, Error> {
        let mut connection = connection::reading(file)?;
        connection.busy_timeout(BUSY_TIME)?;
        let limit: Arc<Mutex<Arc<Limit>>> = Arc::default();
        let looked_at = Arc::clone(&limit);
        let is_over = move || looked_at.lock().unwrap_or_else(PoisonError::into_inner).is_over();
        connection.progress_handler(STEPS, Some(is_over))?;
        Ok(Self { connection: Arc::new(Mutex::new(connection)), limit })
    }

    fn begin(&self, limit: &Arc<Limit>) -> Result<(), Error> {
        *self.limit.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(limit);
        execute(&lock(&self.connection), "BEGIN")
    }

    /// Ends the snapshot; `false` on failure.
    fn end(&self) -> bool {
        *self.limit.lock().unwrap_or_else(PoisonError::into_inner) = Arc::default();
        let connection = lock(&self.connection);
        connection.is_autocommit() || execute(&connection, "ROLLBACK").is_ok() && connection.is_autocommit()
    }
}

fn execute(connection: &Connection, sql: &str) -> Result<(), Error> {
    connection.prepare_cached(sql)?.execute(())?;
    Ok(())
}
