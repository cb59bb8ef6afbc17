//! The writing connection on its own thread: waiting jobs share a commit.

use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use rusqlite::Connection;
use tokio::sync::{oneshot, watch};

use crate::{
    shares::{Caller, Share, Shares},
    store::{
        Error,
        session::sqlite::{Shared as SharedConnection, lock},
    },
};

/// Maximum number of jobs in a commit, which bounds the wait of the first.
const BATCH: usize = 512;

/// Jobs that arrive after this time wait for the next commit: until then all results are kept in memory.
const SLICE: Duration = Duration::from_millis(20);

/// Idle time after which the log is checkpointed.
const IDLE: Duration = Duration::from_millis(250);

/// How often the tables are analyzed for the query planner, while idle.
const OPTIMIZED: Duration = Duration::from_hours(1);

/// Work on the open transaction, and its waiting caller.
trait Job: Send {
    /// Whether its caller is gone, so that it can be skipped.
    fn is_abandoned(&self) -> bool;

    /// Runs the job; `false` if its changes must be rolled back.
    fn run(&mut self, connection: &SharedConnection) -> bool;

    /// Sends the result, after the commit.
    fn reply(self: Box<Self>, commit: Result<(), Error>);
}

impl std::fmt::Debug for dyn Job {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Job")
    }
}

struct Work<T, F> {
    todo: Option<F>,
    result: Option<Result<T, Error>>,
    sender: oneshot::Sender<Result<T, Error>>,
}

impl<T, F> Job for Work<T, F>
where
    T: Send,
    F: FnOnce(&SharedConnection) -> Result<T, Error> + Send,
{
    fn is_abandoned(&self) -> bool {
        self.sender.is_closed()
    }

    fn run(&mut self, connection: &SharedConnection) -> bool {
        let Some(work) = self.todo.take() else { return false };
        // A panic of a job must not end the writer.
        let result = catch_unwind(AssertUnwindSafe(|| work(connection)))
            .unwrap_or_else(|_| Err(Error::Damaged("a write panicked".into())));
        self.result.insert(result).is_ok()
    }

    fn reply(self: Box<Self>, commit: Result<(), Error>) {
        let result = match (self.result, commit) {
            (Some(Err(error)), _) | (_, Err(error)) => Err(error),
            (Some(Ok(value)), Ok(())) => Ok(value),
            (None, Ok(())) => Err(Error::Busy),
        };
        // The caller may be gone; the work is done anyway.
        drop(self.sender.send(result));
    }
}

/// The writer thread.
#[derive(Debug)]
pub(super) struct Writer {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
    death: watch::Receiver<Option<Arc<str>>>,
}

/// The state shared by the thread and callers.
#[derive(Debug)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    /// The queue of waiting jobs.
    queue: Shares,
}

#[derive(Debug)]
struct Waiting {
    jobs: VecDeque<(Share, Box<dyn Job>)>,
    is_closed: bool,
}

/// The next step of the thread.
enum Next {
    Job(Box<dyn Job>),
    /// No work for a while.
    Idle,
    /// Closed.
    Closed,
}

impl Writer {
    /// Starts the thread; `queue` jobs may wait, a quarter of them for one caller.
    pub(super) fn start(connection: Connection, queue: usize) -> Result<Self, Error> {
        let shared = Arc::new(Shared::new(queue, false));
        let ending = Ending(Arc::clone(&shared));
        let (dying, death) = watch::channel(None);
        let connection: SharedConnection = Arc::new(Mutex::new(connection));
        let live = move || {
            let ended = catch_unwind(AssertUnwindSafe(|| serve(&connection, &ending.0)));
            let end = || {
                let connection = lock(&connection);
                optimize(&connection);
                move_log(&connection, "TRUNCATE");
            };
            let reason = match ended.map(|ended| ended.map(|()| end())) {
                Ok(Ok(())) => return,
                Ok(Err(error)) => chain(&error),
                Err(_) => "it panicked".to_owned(),
            };
            tracing::error!(reason, "the thread that writes has died");
            dying.send_replace(Some(reason.into()));
        };
        let thread = thread::Builder::new().name("store-writer".into()).spawn(live).map_err(Error::database)?;
        Ok(Self { shared, thread: Mutex::new(Some(thread)), death })
    }

    /// No thread: all jobs are refused.
    pub(super) fn none() -> Self {
        let shared = Arc::new(Shared::new(0, true));
        Self { shared, thread: Mutex::new(None), death: watch::channel(None).1 }
    }

    /// Queues `work` for `caller`. The receiver gets the result when the changes are durable or have failed.
    /// Work that has not started when the receiver is dropped is skipped.
    pub(super) fn submit<T: Send + 'static>(
        &self,
        caller: Caller,
        work: impl FnOnce(&SharedConnection) -> Result<T, Error> + Send + 'static,
    ) -> Result<oneshot::Receiver<Result<T, Error>>, Error> {
        let (sender, receiver) = oneshot::channel();
        self.shared.push(caller, Box::new(Work { todo: Some(work), result: None, sender }))?;
        Ok(receiver)
    }

    /// Number of waiting writes.
    pub(super) fn waiting(&self) -> usize {
        self.shared.waiting().jobs.len()
    }

    /// Why the thread has died, unless it was stopped.
    pub(super) fn death(&self) -> watch::Receiver<Option<Arc<str>>> {
        self.death.clone()
    }

    /// Lets the thread finish waiting jobs, and joins it.
    pub(super) fn stop(&self) {
        self.shared.close();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // The thread catches and reports its panics.
            drop(thread.join());
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Shared {
    fn new(queue: usize, is_closed: bool) -> Self {
        let waiting = Mutex::new(Waiting { jobs: VecDeque::new(), is_closed });
        Self { waiting, changed: Condvar::new(), queue: Shares::new(queue as u64) }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, caller: Caller, job: Box<dyn Job>) -> Result<(), Error> {
        let mut place = self.queue.share();
        let mut waiting = self.waiting();
        if waiting.is_closed || !place.take(caller, 1) {
            return Err(Error::Busy);
        }
        waiting.jobs.push_back((place, job));
        drop(waiting);
        self.changed.notify_one();
        Ok(())
    }

    fn pop(&self) -> Option<Box<dyn Job>> {
        self.waiting().jobs.pop_front().map(|(_, job)| job)
    }

    /// Waits for a job, at most `patience`.
    fn next(&self, patience: Option<Duration>) -> Next {
        let is_empty = |waiting: &mut Waiting| waiting.jobs.is_empty() && !waiting.is_closed;
        let waiting = self.waiting();
        let mut waiting = match patience {
            None => self.changed.wait_while(waiting, is_empty).unwrap_or_else(PoisonError::into_inner),
            Some(patience) => {
                self.changed.wait_timeout_while(waiting, patience, is_empty).unwrap_or_else(PoisonError::into_inner).0
            }
        };
        match waiting.jobs.pop_front() {
            Some((_, job)) => Next::Job(job),
            None if waiting.is_closed => Next::Closed,
            None => Next::Idle,
        }
    }

    /// Refuses further jobs.
    fn close(&self) {
        self.waiting().is_closed = true;
        self.changed.notify_all();
    }
}

/// The end of the thread: fails waiting jobs.
struct Ending(Arc<Shared>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.close();
        drop(std::iter::from_fn(|| self.0.pop()).collect::<Vec<_>>());
    }
}

/// Runs until the queue is closed. Fails if the connection becomes unusable.
fn serve(connection: &SharedConnection, queue: &Shared) -> Result<(), Error> {
    let mut is_dirty = false;
    let mut optimized = Instant::now();
    loop {
        match queue.next(is_dirty.then_some(IDLE)) {
            Next::Job(first) => {
                write(connection, first, queue)?;
                is_dirty = true;
            }
            Next::Idle => {
                if optimized.elapsed() >= OPTIMIZED {
                    optimize(&lock(connection));
                    optimized = Instant::now();
                }
                move_log(&lock(connection), "PASSIVE");
                is_dirty = false;
            }
            Next::Closed => return Ok(()),
        }
    }
}

/// Runs `first` and further waiting jobs in one transaction, commits it, and replies to all.
///
/// If another process holds the lock for too long, all jobs waiting by then are refused: they would wait as
/// long.
fn write(connection: &SharedConnection, first: Box<dyn Job>, queue: &Shared) -> Result<(), Error> {
    let mut jobs = vec![first];
    let commit = batch(connection, &mut jobs, queue);
    // A rollback only needs memory, so it works on a full disk.
    let ended = if lock(connection).is_autocommit() { Ok(()) } else { execute(connection, "ROLLBACK") };
    if matches!(commit, Err(Error::Busy)) {
        jobs.extend(std::iter::from_fn(|| queue.pop()));
    }
    for job in jobs {
        job.reply(match &commit {
            Ok(()) => Ok(()),
            Err(Error::Busy) => Err(Error::Busy),
            Err(Error::Unwritable(cause)) => Err(Error::Unwritable(cause.clone())),
            Err(error) => Err(Error::Damaged(format!("the commit failed: {}", chain(error)))),
        });
    }
    ended
}

fn batch(connection: &SharedConnection, jobs: &mut Vec<Box<dyn Job>>, queue: &Shared) -> Result<(), Error> {
    execute(connection, "BEGIN IMMEDIATE")?;
    let begun = Instant::now();
    let mut next = 0;
    while let Some(job) = jobs.get_mut(next) {
        if !job.is_abandoned() {
            execute(connection, "SAVEPOINT job")?;
            if !job.run(connection) {
                if lock(connection).is_autocommit() {
                    return Err(Error::Unwritable("SQLite has taken back the whole transaction".into()));
                }
                execute(connection, "ROLLBACK TO job")?;
            }
            execute(connection, "RELEASE job")?;
        }
        next += 1;
        if next < BATCH && begun.elapsed() < SLICE {
            jobs.extend(queue.pop());
        }
    }
    execute(connection, "COMMIT")
}

fn execute(connection: &SharedConnection, sql: &str) -> Result<(), Error> {
    lock(connection).prepare_cached(sql)?.execute(())?;
    Ok(())
}

/// Analyzes tables that have changed much. On failure, the plans of statements stay as they are.
fn optimize(connection: &Connection) {
    if let Err(error) = connection.execute_batch("PRAGMA optimize") {
        tracing::warn!(%error, "the tables of the store could not be analyzed");
    }
}

/// Checkpoints the log. On failure, the log stays until the next attempt.
fn move_log(connection: &Connection, mode: &str) {
    if let Err(error) = connection.query_row(&format!("PRAGMA wal_checkpoint({mode})"), (), |_| Ok(())) {
        tracing::warn!(%error, "the log of the store could not be moved into its file");
    }
}

/// An error and its causes on one line.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
