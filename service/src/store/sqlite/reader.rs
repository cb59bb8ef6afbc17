//! Connections that read, one for each thread and database.

use std::{
    cell::RefCell,
    path::Path,
    sync::{
        Arc, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode};

use super::connection;
use crate::store::Error;

/// A read that takes longer than this is no work for a thread that serves.
const SHORT: Duration = Duration::from_millis(2);

/// Steps of SQLite's machine between two looks at the clock: about a tenth of a millisecond.
const STEPS: i32 = 10_000;

/// How long a read may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    /// It is broken off after [`SHORT`].
    Short,
    /// As long as it takes.
    Endless,
}

/// A connection that reads.
pub(in crate::store) struct Reader {
    connection: Connection,
    /// What `deadline` counts from.
    epoch: Instant,
    /// When what is running is broken off, in microseconds since `epoch`.
    deadline: Arc<AtomicU64>,
}

thread_local! {
    static READERS: RefCell<Vec<(Weak<()>, Reader)>> = const { RefCell::new(Vec::new()) };
}

/// Gives `work` the reader that this thread has for the database of `identity`; `open` makes it.
pub(super) fn with<T>(
    identity: &Arc<()>,
    open: impl FnOnce() -> Result<Reader, Error>,
    work: impl FnOnce(&Reader) -> Result<T, Error>,
) -> Result<T, Error> {
    READERS.with_borrow_mut(|readers| {
        let is_ours = |(owner, _): &(Weak<()>, Reader)| std::ptr::eq(owner.as_ptr(), Arc::as_ptr(identity));
        let position = if let Some(position) = readers.iter().position(is_ours) {
            position
        } else {
            readers.retain(|(owner, _)| owner.strong_count() > 0);
            readers.push((Arc::downgrade(identity), open()?));
            readers.len() - 1
        };
        work(&readers[position].1)
    })
}

impl Reader {
    pub(super) fn open(file: &Path) -> Result<Self, Error> {
        let mut connection = connection::reading(file)?;
        let epoch = Instant::now();
        let deadline = Arc::new(AtomicU64::new(u64::MAX));
        let limit = Arc::clone(&deadline);
        connection
            .progress_handler(STEPS, Some(move || microseconds(epoch.elapsed()) > limit.load(Ordering::Relaxed)))?;
        Ok(Self { connection, epoch, deadline })
    }

    /// Runs `work` on one state of the database. `None` when it has been broken off for taking long.
    pub(super) fn run<T>(
        &self,
        patience: Patience,
        work: impl FnOnce(&Self) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let deadline = match patience {
            Patience::Short => microseconds(self.epoch.elapsed() + SHORT),
            Patience::Endless => u64::MAX,
        };
        self.deadline.store(deadline, Ordering::Relaxed);
        self.connection.prepare_cached("BEGIN")?.execute(())?;
        let result = work(self);
        self.connection.prepare_cached("ROLLBACK")?.execute(())?;
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Error::Database(error)) if was_interrupted(&*error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(in crate::store) fn connection(&self) -> &Connection {
        &self.connection
    }
}

fn microseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

fn was_interrupted(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref::<rusqlite::Error>().and_then(rusqlite::Error::sqlite_error_code)
        == Some(ErrorCode::OperationInterrupted)
}
