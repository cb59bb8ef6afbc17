//! How many reads and writes may be under way: each has a connection, or is one of those that may wait for one.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use crate::store::{Error, Options};

/// Clones count together.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    reads: Arc<Semaphore>,
    writes: Arc<Semaphore>,
}

impl Turns {
    pub(super) fn new(options: &Options) -> Self {
        let most = |connections: usize, waiting| {
            Arc::new(Semaphore::new(connections.saturating_add(waiting).min(Semaphore::MAX_PERMITS)))
        };
        let connections = options.connections.saturating_mul(1 + options.replicas.len());
        Self { reads: most(connections, options.long_reads.waiting), writes: most(options.connections, options.queue) }
    }

    /// For a read. Fails when too many are waiting.
    pub(super) fn read(&self) -> Result<SemaphorePermit<'_>, Error> {
        self.reads.try_acquire().map_err(|_| Error::Busy)
    }

    /// For a write. Fails when too many are waiting.
    pub(super) fn write(&self) -> Result<OwnedSemaphorePermit, Error> {
        Arc::clone(&self.writes).try_acquire_owned().map_err(|_| Error::Busy)
    }
}
