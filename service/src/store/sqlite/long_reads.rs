//! Reads that take long: a few threads do them when nothing else wants a processor, each caller in turn.

use std::{
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak},
    thread,
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

use super::{reader::Reader, watch::Patience};
use crate::{
    priority::{BUSY, When, go_on_as_long_work},
    store::{
        Error, LongReadLimits,
        queue::{Asker, Queue},
    },
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
    /// Reads that were broken off since their thread had to wait for a processor.
    again: Vec<Job>,
    /// Other programs want all processors.
    busy_until: Option<Instant>,
    has_stopped: bool,
}

/// A read that waits, and how to tell whether anybody waits for it.
struct Job {
    asker: Weak<()>,
    work: Work,
}

/// What is done with a reader, or with the reason why there is none; whether it is to be done again.
type Work = Box<dyn FnMut(Result<&Reader, Error>, When) -> bool + Send>;

impl LongReads {
    /// Starts the threads of either kind, of which one is at work at a time: one fewer than there are processors, so that
    /// threads that serve always have one. Answers may have so many bytes.
    pub(super) fn start(file: &Path, bytes: usize, limits: &LongReadLimits) -> Result<Self, Error> {
        let queue = Queue::new(limits.waiting, limits.waiting_of_one);
        let shared = Arc::new(Shared {
            file: file.to_owned(),
            bytes,
            waiting: Mutex::new(Waiting { queue, again: Vec::new(), busy_until: None, has_stopped: false }),
            changed: Condvar::new(),
        });
        let processors = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..(processors - 1).clamp(1, THREADS) {
            for (name, when) in [("idle-reader", When::Idle), ("store-reader", When::Sometimes)] {
                let shared = Arc::clone(&shared);
                let serve = move || {
                    when.apply();
                    serve(&shared, when);
                };
                thread::Builder::new().name(name.into()).spawn(serve).map_err(Error::database)?;
            }
        }
        Ok(Self { shared, time: limits.time })
    }

    /// Reads when it is the turn of `asker`. Who stops waiting ends the read, and who is given much has long work to do with
    /// it. [`Error::Busy`] when too many wait, [`Error::TooLong`] when the read is broken off.
    pub(super) fn run<T: Send + 'static>(
        &self,
        asker: Asker,
        work: impl Fn(&Reader) -> Result<T, Error> + Send + 'static,
    ) -> impl Future<Output = Result<T, Error>> + Send + 'static {
        let (shared, time) = (Arc::clone(&self.shared), self.time);
        async move {
            let asking = Asking { shared, identity: Arc::new(()) };
            let (sender, receiver) = oneshot::channel();
            let asker_of = Arc::downgrade(&asking.identity);
            let mut sender = Some(sender);
            let work = move |reader: Result<&Reader, Error>, when| {
                let asker = Weak::clone(&asker_of);
                let begin = Instant::now();
                let patience = match when {
                    When::Idle => Patience::Idle(time, asker),
                    When::Sometimes => Patience::Long(time, asker),
                };
                let work = |reader: &Reader| Ok((work(reader)?, reader.watch().has_read_much()));
                let result = match reader.and_then(|reader| reader.run(&patience, work)) {
                    Ok(None) if when == When::Idle && begin.elapsed() < time => return true,
                    Ok(None) => Err(Error::TooLong(time)),
                    Ok(Some(value)) => Ok(value),
                    Err(error) => Err(error),
                };
                // Whoever waited may have gone.
                sender.take().map(|sender| sender.send(result));
                false
            };
            asking.shared.push(asker, Job { asker: Arc::downgrade(&asking.identity), work: Box::new(work) })?;
            let (value, is_much) = receiver.await.map_err(Error::database)??;
            if is_much {
                go_on_as_long_work().await;
            }
            Ok(value)
        }
    }

    /// Refuses what is waiting and what comes.
    pub(super) fn stop(&self) {
        let mut waiting = self.shared.waiting();
        waiting.has_stopped = true;
        let mut refused = std::mem::take(&mut waiting.again);
        refused.extend(std::iter::from_fn(|| waiting.queue.pop()));
        drop(waiting);
        for mut job in refused {
            (job.work)(Err(Error::Busy), When::Sometimes);
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
        waiting.again.retain(|job| !std::ptr::eq(job.asker.as_ptr(), ours));
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

    /// What has to be done again, by a thread that does not wait for an idle processor.
    fn push_again(&self, mut job: Job) {
        let mut waiting = self.waiting();
        if waiting.has_stopped {
            drop(waiting);
            (job.work)(Err(Error::Busy), When::Sometimes);
            return;
        }
        waiting.again.push(job);
        waiting.busy_until = Instant::now().checked_add(BUSY);
        drop(waiting);
        self.changed.notify_all();
    }

    /// The next read, once there is one for such a thread; `None` when it is time to stop.
    fn next(&self, when: When) -> Option<Job> {
        let mut waiting = self.waiting();
        loop {
            if waiting.has_stopped {
                return None;
            }
            let now = Instant::now();
            let busy = waiting.busy_until.and_then(|until| until.checked_duration_since(now));
            let job = match (when, busy) {
                (When::Idle, None) => waiting.queue.pop(),
                (When::Idle, Some(_)) => None,
                (When::Sometimes, None) => waiting.again.pop(),
                (When::Sometimes, Some(_)) => waiting.again.pop().or_else(|| waiting.queue.pop()),
            };
            if job.is_some() {
                return job;
            }
            let rest = busy.unwrap_or(Duration::MAX);
            waiting = self.changed.wait_timeout(waiting, rest).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl std::fmt::Debug for Job {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Job")
    }
}

fn serve(shared: &Shared, when: When) {
    let mut kept: Option<Reader> = None;
    while let Some(mut job) = shared.next(when) {
        match kept.take().map_or_else(|| Reader::open(&shared.file, shared.bytes), Ok) {
            Ok(reader) => {
                // Who waits for a read that panics finds its sender gone.
                let ended = catch_unwind(AssertUnwindSafe(|| (job.work)(Ok(&reader), when)));
                kept = Some(reader).filter(|reader| ended.is_ok() && reader.is_clean());
                if let Ok(true) = ended {
                    shared.push_again(job);
                }
            }
            Err(error) => {
                (job.work)(Err(error), when);
            }
        }
    }
}

#[cfg(test)]
mod tests;
