//! Moves the log into the file beside the thread that writes, so that writes do not wait for it.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
        mpsc::{self, Receiver, SyncSender, TrySendError},
    },
    thread::{self, JoinHandle},
};

use rusqlite::Connection;

use super::connection;
use crate::store::Error;

/// From so many pages in the log on they are moved: 16 MiB.
const MANY: u32 = 4000;

/// So few pages take the writer no longer than a commit or two.
const FEW: u32 = 128;

/// The thread that moves the log.
#[derive(Debug)]
pub(super) struct Checkpoints {
    sender: SyncSender<Task>,
    log: Arc<Log>,
    thread: JoinHandle<()>,
}

#[derive(Debug)]
enum Task {
    Move,
    End,
}

/// What is known of the log.
#[derive(Debug)]
struct Log {
    pages: AtomicU32,
    /// With so many pages it is moved.
    limit: AtomicU32,
    /// The writer can move what is left.
    is_nearly_moved: AtomicBool,
}

impl Checkpoints {
    /// Starts the thread for the file that a connection writes to.
    pub(super) fn start(file: &Path, writing: &mut Connection) -> Result<Self, Error> {
        let connection = connection::moving(file)?;
        let log =
            Log { pages: AtomicU32::new(0), limit: AtomicU32::new(MANY), is_nearly_moved: AtomicBool::new(false) };
        let log = Arc::new(log);
        let (sender, receiver) = mpsc::sync_channel(1);
        let moving = Arc::clone(&log);
        let live = move || serve(&connection, &receiver, &moving);
        let thread = thread::Builder::new().name("store-checkpoint".into()).spawn(live).map_err(Error::database)?;
        let (written, tasks) = (Arc::clone(&log), sender.clone());
        writing.wal_hook(Some(move |_: &mut rusqlite::hooks::Wal, pages| {
            if written.has_grown(u32::try_from(pages).unwrap_or_default()) {
                // With one that waits there is no need of another; without the thread, it is the writer's turn.
                let is_gone = matches!(tasks.try_send(Task::Move), Err(TrySendError::Disconnected(_)));
                written.is_nearly_moved.fetch_or(is_gone, Relaxed);
            }
            Ok(())
        }))?;
        Ok(Self { sender, log, thread })
    }

    /// Has the log moved while nobody writes.
    pub(super) fn begin(&self) {
        let _ = self.sender.try_send(Task::Move);
    }

    /// Whether so little is left of the log that the writer shall move it, whereupon it begins anew: others cannot be done
    /// with it as long as there is more.
    pub(super) fn are_nearly_done(&self) -> bool {
        self.log.is_nearly_moved.swap(false, Relaxed)
    }

    /// Ends the thread.
    pub(super) fn end(self) {
        let _ = self.sender.send(Task::End);
        let _ = self.thread.join();
    }
}

impl Log {
    /// Notes how many pages there are; whether it is time to move them.
    fn has_grown(&self, pages: u32) -> bool {
        if pages < self.pages.swap(pages, Relaxed) {
            self.limit.store(MANY, Relaxed);
        }
        pages >= self.limit.load(Relaxed)
    }
}

fn serve(connection: &Connection, tasks: &Receiver<Task>, log: &Log) {
    while let Ok(Task::Move) = tasks.recv() {
        log.limit.store(u32::MAX, Relaxed);
        let mut pages = log.pages.load(Relaxed);
        let mut left = pages;
        while let Some(moved) = move_log(connection) {
            pages = log.pages.load(Relaxed);
            let before = left;
            left = pages.saturating_sub(moved);
            // Each pass moves what was written during the one before. Where that is not less and less, it is the writer's turn.
            if left <= FEW || left > before / 2 {
                break;
            }
        }
        log.limit.store(pages.saturating_add(MANY), Relaxed);
        log.is_nearly_moved.store(left > 0 && pages >= MANY, Relaxed);
    }
}

/// Moves what no reader is in the midst of; the pages of the log that are in the file then. None when somebody else moves it,
/// or when it fails: then the log stays, and the next one moves it.
pub(super) fn move_log(connection: &Connection) -> Option<u32> {
    let moved = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", (), |row| row.get::<_, i64>(2));
    match moved {
        Ok(moved) => u32::try_from(moved).ok(),
        Err(error) => {
            tracing::warn!(%error, "the log of the store could not be moved into its file");
            None
        }
    }
}
