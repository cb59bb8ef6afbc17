//! The writing connection on its own thread: waiting jobs share a commit.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use futures_util::{
    FutureExt as _,
    future::{BoxFuture, Shared, pending},
};
use parking_lot::Mutex;
use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::{
    causes::with_causes,
    shares::{Caller, Share, Shares},
    store::{Error, sqlite::session::SharedConnection},
};

/// Maximum number of jobs in a commit, which bounds the wait of the first.
const BATCH: usize = 512;

/// Jobs that arrive after this time wait for the next commit: until then all results are kept in memory.
const SLICE: Duration = Duration::from_millis(20);

/// Idle time after which the log is checkpointed.
const IDLE: Duration = Duration::from_millis(250);

/// How often the tables are analyzed for the query planner, while idle.
const OPTIMIZED: Duration = Duration::from_hours(1);

/// Work on the open transaction, unless there is none or the caller is gone.
type Job = Box<dyn FnOnce(Result<&SharedConnection, Error>) -> Done + Send>;

/// A job that has run.
struct Done {
    /// Whether its changes are kept.
    is_kept: bool,
    /// Sends the result, after the commit.
    reply: Box<dyn FnOnce(Result<(), Error>)>,
}

/// Why the writer thread has died, once it has.
pub(super) type Death = Shared<BoxFuture<'static, Arc<str>>>;

/// The writer thread.
#[derive(Debug)]
pub(in crate::store) struct Writer {
    /// The waiting jobs; `None` once it is closed.
    jobs: Mutex<Option<Sender<(Share, Job)>>>,
    /// Their number.
    queue: Shares,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// Why the thread has died; never ready if it was stopped.
    pub(super) death: Death,
}

impl Writer {
    /// Starts the thread; `queue` jobs may wait, a quarter of them for one caller.
    pub(super) fn start(connection: Connection, queue: usize) -> Result<Self, Error> {
        let (jobs, waiting) = channel();
        let (dying, death) = oneshot::channel();
        let connection: SharedConnection = Arc::new(Mutex::new(connection));
        let live = move || {
            let ended = catch_unwind(AssertUnwindSafe(|| serve(&connection, &waiting)));
            let end = || {
                let connection = connection.lock();
                optimize(&connection);
                move_log(&connection, "TRUNCATE");
            };
            let reason = match ended.map(|ended| ended.map(|()| end())) {
                Ok(Ok(())) => return,
                Ok(Err(error)) => with_causes(&error),
                Err(_) => "it panicked".to_owned(),
            };
            tracing::error!(reason, "the thread that writes has died");
            // The receiver is gone if the store is closed.
            drop(dying.send(reason.into()));
        };
        let thread = thread::Builder::new().name("store-writer".into()).spawn(live).map_err(Error::database)?;
        let death = death.then(async |reason| if let Ok(reason) = reason { reason } else { pending().await });
        let (jobs, thread) = (Mutex::new(Some(jobs)), Mutex::new(Some(thread)));
        Ok(Self { jobs, queue: Shares::new(queue as u64), thread, death: death.boxed().shared() })
    }

    /// No thread: all jobs are refused.
    pub(super) fn none() -> Self {
        let death = pending().boxed().shared();
        Self { jobs: Mutex::default(), queue: Shares::new(0), thread: Mutex::default(), death }
    }

    /// Queues `work` for `caller`. The future waits until the changes are durable or have failed. If it is dropped before the work
    /// has started, the work is dropped too.
    pub(super) fn submit<T: Send + 'static>(
        &self,
        caller: Caller,
        work: impl FnOnce(&SharedConnection) -> Result<T, Error> + Send + 'static,
    ) -> Result<BoxFuture<'static, Result<T, Error>>, Error> {
        let (sender, result) = oneshot::channel();
        let work = Arc::new(Mutex::new(Some(work)));
        let waiting = Arc::downgrade(&work);
        let job: Job = Box::new(move |connection| {
            let Some(work) = waiting.upgrade().and_then(|work| work.lock().take()) else {
                return Done { is_kept: true, reply: Box::new(|_| ()) };
            };
            // A panic of a job must not end the writer.
            let result = catch_unwind(AssertUnwindSafe(|| work(connection?)))
                .unwrap_or_else(|_| Err(Error::Damaged("a write panicked".into())));
            let is_kept = result.is_ok();
            // The caller may be gone; the work is done anyway.
            let reply = move |commit: Result<(), Error>| {
                drop(sender.send(result.and_then(|value| commit.map(|()| value))));
            };
            Done { is_kept, reply: Box::new(reply) }
        });
        let mut share = self.queue.share();
        let jobs = self.jobs.lock();
        match jobs.as_ref() {
            Some(jobs) if share.take(caller, 1) => jobs.send((share, job)).map_err(|_| Error::Busy)?,
            _ => return Err(Error::Busy),
        }
        let wait = async move {
            // The sender is dropped without a result if the writer thread panics.
            let result = result.await.unwrap_or(Err(Error::Busy));
            drop(work);
            result
        };
        Ok(wait.boxed())
    }

    /// Number of waiting writes.
    pub(super) fn waiting(&self) -> usize {
        usize::try_from(self.queue.held()).unwrap_or(usize::MAX)
    }

    /// Lets the thread finish waiting jobs, and joins it.
    pub(super) fn stop(&self) {
        drop(self.jobs.lock().take());
        let thread = self.thread.lock().take();
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

/// Runs until the queue is closed. Fails if the connection becomes unusable.
fn serve(connection: &SharedConnection, jobs: &Receiver<(Share, Job)>) -> Result<(), Error> {
    let mut is_dirty = false;
    let mut optimized = Instant::now();
    loop {
        let next = if is_dirty { jobs.recv_timeout(IDLE) } else { jobs.recv().map_err(RecvTimeoutError::from) };
        match next.map(|(_, job)| job) {
            Ok(first) => {
                write(connection, first, jobs)?;
                is_dirty = true;
            }
            Err(RecvTimeoutError::Timeout) => {
                if optimized.elapsed() >= OPTIMIZED {
                    optimize(&connection.lock());
                    optimized = Instant::now();
                }
                move_log(&connection.lock(), "PASSIVE");
                is_dirty = false;
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}

/// Runs `first` and further waiting jobs in one transaction, commits it, and replies to all.
///
/// If another process holds the lock for too long, all jobs waiting by then are refused: they would wait as
/// long.
fn write(connection: &SharedConnection, first: Job, jobs: &Receiver<(Share, Job)>) -> Result<(), Error> {
    let (mut next, mut done) = (Some(first), Vec::new());
    let commit = batch(connection, &mut next, &mut done, jobs);
    // A rollback only needs memory, so it works on a full disk.
    let ended = if connection.lock().is_autocommit() { Ok(()) } else { execute(connection, "ROLLBACK") };
    while let Some(job) = next {
        done.push(job(commit.clone().map(|()| connection)));
        next = if matches!(commit, Err(Error::Busy)) { jobs.try_recv().ok().map(|(_, job)| job) } else { None };
    }
    for done in done {
        (done.reply)(commit.clone());
    }
    ended
}

/// Leaves the job in `next` that could not begin.
fn batch(
    connection: &SharedConnection,
    next: &mut Option<Job>,
    done: &mut Vec<Done>,
    jobs: &Receiver<(Share, Job)>,
) -> Result<(), Error> {
    execute(connection, "BEGIN IMMEDIATE")?;
    let begun = Instant::now();
    while next.is_some() {
        execute(connection, "SAVEPOINT job")?;
        done.extend(next.take().map(|job| job(Ok(connection))));
        if done.last().is_some_and(|done| !done.is_kept) {
            if connection.lock().is_autocommit() {
                return Err(Error::Unwritable("SQLite has taken back the whole transaction".into()));
            }
            execute(connection, "ROLLBACK TO job")?;
        }
        execute(connection, "RELEASE job")?;
        if done.len() < BATCH && begun.elapsed() < SLICE {
            *next = jobs.try_recv().ok().map(|(_, job)| job);
        }
    }
    execute(connection, "COMMIT")
}

fn execute(connection: &SharedConnection, sql: &str) -> Result<(), Error> {
    connection.lock().prepare_cached(sql)?.execute(())?;
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

#[cfg(test)]
impl Writer {
    /// Makes the thread panic.
    pub(in crate::store) fn kill(&self) {
        let job: Job = Box::new(|_| panic!("on purpose"));
        self.jobs.lock().as_ref().unwrap().send((self.queue.share(), job)).unwrap();
    }
}
