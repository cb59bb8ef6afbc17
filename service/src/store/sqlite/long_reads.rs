//! Reads that take long: a few threads do them, each caller in turn.

use std::{
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak},
    thread,
    time::Duration,
};

use tokio::sync::oneshot;

use super::{reader::Reader, watch::Patience};
use crate::store::{
    Error, LongReadLimits,
    queue::{Asker, Queue},
};

/// At most so many threads, however many processors there are.
const THREADS: usize = 4;

/// The threads that do long reads. Dropped, they end with what they are doing.
#[derive(Debug)]
pub(super) struct LongReads {
    shared: Arc<Shared>,
    time: Duration,
}

#[derive(Debug)]
struct Shared {
    file: PathBuf,
    bytes: usize,
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Debug)]
struct Waiting {
    queue: Queue<Asker, Job>,
    has_stopped: bool,
}

/// A read that waits, and how to tell whether anybody waits for it.
struct Job {
    asker: Weak<()>,
    work: Work,
}

/// What is done with a reader, or with the reason why there is none.
type Work = Box<dyn FnOnce(Result<&Reader, Error>) + Send>;

impl LongReads {
    /// Starts the threads: one fewer than there are processors, so that a thread that serves always has one. `bytes` bounds an
    /// answer.
    pub(super) fn start(file: &Path, bytes: usize, limits: &LongReadLimits) -> Result<Self, Error> {
        let queue = Queue::new(limits.waiting, limits.waiting_of_one);
        let shared = Arc::new(Shared {
            file: file.to_owned(),
            bytes,
            waiting: Mutex::new(Waiting { queue, has_stopped: false }),
            changed: Condvar::new(),
        });
        let processors = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..(processors - 1).clamp(1, THREADS) {
            let shared = Arc::clone(&shared);
            let serve = move || serve(&shared);
            thread::Builder::new().name("store-reader".into()).spawn(serve).map_err(Error::database)?;
        }
        Ok(Self { shared, time: limits.time })
    }

    /// Reads when it is the turn of `asker`. Dropping the future ends the read. [`Error::Busy`] when too many wait, [`Error::TooLong`] when the read is broken off.
    pub(super) fn run<T: Send + 'static>(
        &self,
        asker: Asker,
        work: impl FnOnce(&Reader) -> Result<T, Error> + Send + 'static,
    ) -> impl Future<Output = Result<T, Error>> + Send + 'static {
        let (shared, time) = (Arc::clone(&self.shared), self.time);
        async move {
            let asking = Asking { shared, identity: Arc::new(()) };
            let (sender, receiver) = oneshot::channel();
            let asker_of = Arc::downgrade(&asking.identity);
            let work = move |reader: Result<&Reader, Error>| {
                let patience = Patience::Long(time, asker_of);
                let result = reader.and_then(|reader| reader.run(&patience, work)?.ok_or(Error::TooLong(time)));
                // The caller may have gone.
                drop(sender.send(result));
            };
            asking.shared.push(asker, Job { asker: Arc::downgrade(&asking.identity), work: Box::new(work) })?;
            receiver.await.map_err(Error::database)?
        }
    }

    /// Refuses what is waiting and what comes.
    pub(super) fn stop(&self) {
        let mut waiting = self.shared.waiting();
        waiting.has_stopped = true;
        let refused: Vec<Job> = std::iter::from_fn(|| waiting.queue.pop()).collect();
        drop(waiting);
        for job in refused {
            (job.work)(Err(Error::Busy));
        }
        self.shared.changed.notify_all();
    }
}

impl Drop for LongReads {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Somebody who waits for a read; dropped, nobody does.
struct Asking {
    shared: Arc<Shared>,
    identity: Arc<()>,
}

impl Drop for Asking {
    fn drop(&mut self) {
        let ours = Arc::as_ptr(&self.identity);
        let mut waiting = self.shared.waiting();
        waiting.queue.retain(|job| !std::ptr::eq(job.asker.as_ptr(), ours));
    }
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, asker: Asker, job: Job) -> Result<(), Error> {
        let mut waiting = self.waiting();
        if waiting.has_stopped || !waiting.queue.push(asker, job) {
            return Err(Error::Busy);
        }
        drop(waiting);
        self.changed.notify_all();
        Ok(())
    }

    /// The next read, once there is one; `None` when it is time to stop.
    fn next(&self) -> Option<Job> {
        let mut waiting = self.waiting();
        while !waiting.has_stopped {
            if let Some(job) = waiting.queue.pop() {
                return Some(job);
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }
}

impl std::fmt::Debug for Job {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Job")
    }
}

fn serve(shared: &Shared) {
    let mut kept: Option<Reader> = None;
    while let Some(job) = shared.next() {
        match kept.take().map_or_else(|| Reader::open(&shared.file, shared.bytes), Ok) {
            Ok(reader) => {
                // Who waits for a read that panics finds its sender gone.
                let ended = catch_unwind(AssertUnwindSafe(|| (job.work)(Ok(&reader))));
                kept = Some(reader).filter(|reader| ended.is_ok() && reader.is_clean());
            }
            Err(error) => (job.work)(Err(error)),
        }
    }
}

#[cfg(test)]
mod tests;
