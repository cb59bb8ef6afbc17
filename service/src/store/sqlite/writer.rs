//! The one connection that writes, on a thread of its own: what is waiting is committed together.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use rusqlite::Connection;
use tokio::sync::{oneshot, watch};

use crate::store::Error;

/// At most so many jobs share a commit, so that the first does not wait for long.
const BATCH: usize = 512;

/// After so long without work the log is moved into the file.
const IDLE: Duration = Duration::from_millis(250);

/// Work on the open transaction, and whoever waits for it.
trait Job: Send {
    /// Whether nobody waits for it any more who did. It need not be done.
    fn is_abandoned(&self) -> bool;

    /// Does the work; false when its changes are not to stand.
    fn run(&mut self, connection: &Connection) -> bool;

    /// Tells how it went, once it is known how the commit went.
    fn reply(self: Box<Self>, commit: Result<(), Error>);
}

struct Work<T, F> {
    todo: Option<F>,
    result: Option<Result<T, Error>>,
    sender: oneshot::Sender<Result<T, Error>>,
    is_awaited: bool,
}

impl<T, F> Job for Work<T, F>
where
    T: Send,
    F: FnOnce(&Connection) -> Result<T, Error> + Send,
{
    fn is_abandoned(&self) -> bool {
        self.is_awaited && self.sender.is_closed()
    }

    fn run(&mut self, connection: &Connection) -> bool {
        let Some(work) = self.todo.take() else { return false };
        // A job that panics must not take the writer with it.
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
        // Whoever waited may have gone; the work is done all the same.
        drop(self.sender.send(result));
    }
}

/// The thread that writes.
#[derive(Debug)]
pub(super) struct Writer {
    running: Mutex<Option<Running>>,
    death: watch::Receiver<Option<Arc<str>>>,
}

type Running = (SyncSender<Box<dyn Job>>, JoinHandle<()>);

impl Writer {
    /// Starts the thread; `queue` jobs may wait for it.
    pub(super) fn start(connection: Connection, queue: usize) -> Result<Self, Error> {
        let (sender, receiver) = sync_channel(queue);
        let (dying, death) = watch::channel(None);
        let live = move || {
            let ended = catch_unwind(AssertUnwindSafe(|| serve(&connection, &receiver)));
            let reason = match ended {
                Ok(Ok(())) => return,
                Ok(Err(error)) => chain(&error),
                Err(_) => "it panicked".to_owned(),
            };
            tracing::error!(reason, "the thread that writes has died");
            dying.send_replace(Some(reason.into()));
        };
        let thread = thread::Builder::new().name("store-writer".into()).spawn(live).map_err(Error::database)?;
        Ok(Self { running: Mutex::new(Some((sender, thread))), death })
    }

    /// No thread: what is submitted is refused.
    pub(super) fn none() -> Self {
        Self { running: Mutex::new(None), death: watch::channel(None).1 }
    }

    /// Queues `work`. What it receives is sent when the changes are on the disk, or are not going to be. Work that has not
    /// begun when the receiver is dropped is not done.
    pub(super) fn submit<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Error> + Send + 'static,
    ) -> Result<oneshot::Receiver<Result<T, Error>>, Error> {
        self.queue(work, true)
    }

    /// Queues `work` that nobody waits for; it is not done when the queue is full.
    pub(super) fn submit_unawaited(&self, work: impl FnOnce(&Connection) -> Result<(), Error> + Send + 'static) {
        drop(self.queue(work, false));
    }

    /// Why the thread has died, once it has without being told to stop.
    pub(super) fn death(&self) -> watch::Receiver<Option<Arc<str>>> {
        self.death.clone()
    }

    fn queue<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Error> + Send + 'static,
        is_awaited: bool,
    ) -> Result<oneshot::Receiver<Result<T, Error>>, Error> {
        let (sender, receiver) = oneshot::channel();
        let job: Box<dyn Job> = Box::new(Work { todo: Some(work), result: None, sender, is_awaited });
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((queue, _)) = running.as_ref() else { return Err(Error::Busy) };
        match queue.try_send(job) {
            Ok(()) => Ok(receiver),
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => Err(Error::Busy),
        }
    }

    /// Lets the thread finish what is waiting, and ends it.
    pub(super) fn stop(&self) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((queue, thread)) = running {
            drop(queue);
            // It catches its panics, and tells of them.
            drop(thread.join());
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Works until nobody can queue any more. Fails when the connection cannot be used any more.
fn serve(connection: &Connection, queue: &Receiver<Box<dyn Job>>) -> Result<(), Error> {
    let mut is_dirty = false;
    loop {
        let first =
            if is_dirty { queue.recv_timeout(IDLE) } else { queue.recv().map_err(|_| RecvTimeoutError::Disconnected) };
        match first {
            Ok(first) => {
                write(connection, first, queue)?;
                is_dirty = true;
            }
            Err(RecvTimeoutError::Timeout) => {
                checkpoint(connection, "PRAGMA wal_checkpoint(PASSIVE)");
                is_dirty = false;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    checkpoint(connection, "PRAGMA wal_checkpoint(TRUNCATE)");
    Ok(())
}

/// Runs `first` and what has come meanwhile in one transaction, commits it, and tells everybody.
///
/// When another process holds the store for too long, those who wait by then are refused as well: they would wait as long.
fn write(connection: &Connection, first: Box<dyn Job>, queue: &Receiver<Box<dyn Job>>) -> Result<(), Error> {
    let mut jobs = vec![first];
    let commit = batch(connection, &mut jobs, queue);
    // It takes nothing but memory, so that it works on a full disk, too.
    let ended = if connection.is_autocommit() { Ok(()) } else { execute(connection, "ROLLBACK") };
    if matches!(commit, Err(Error::Busy)) {
        jobs.extend(queue.try_iter());
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

fn batch(connection: &Connection, jobs: &mut Vec<Box<dyn Job>>, queue: &Receiver<Box<dyn Job>>) -> Result<(), Error> {
    execute(connection, "BEGIN IMMEDIATE")?;
    let mut next = 0;
    while let Some(job) = jobs.get_mut(next) {
        if !job.is_abandoned() {
            execute(connection, "SAVEPOINT job")?;
            if !job.run(connection) {
                if connection.is_autocommit() {
                    return Err(Error::Unwritable("SQLite has taken back the whole transaction".into()));
                }
                execute(connection, "ROLLBACK TO job")?;
            }
            execute(connection, "RELEASE job")?;
        }
        next += 1;
        if next < BATCH {
            jobs.extend(queue.try_recv().ok());
        }
    }
    execute(connection, "COMMIT")
}

fn execute(connection: &Connection, sql: &str) -> Result<(), Error> {
    connection.prepare_cached(sql)?.execute(())?;
    Ok(())
}

/// Moves the log into the file. When it fails, the log stays, and the next one moves it.
fn checkpoint(connection: &Connection, sql: &str) {
    if let Err(error) = connection.query_row(sql, (), |_| Ok(())) {
        tracing::warn!(%error, "the log of the store could not be moved into its file");
    }
}

/// An error and its causes, in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
