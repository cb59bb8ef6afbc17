//! Bulk imports and exports.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel},
    thread,
};

use super::{
    Error, TenantStore,
    backend::Backend,
    change::Change,
    export, loader,
    record::{Problem, Record, Resource, Value},
    view::View,
};
use crate::domain::{caller::Visibility, job::LogLine};

/// A message to the writer.
#[derive(Debug)]
pub enum Parcel {
    /// Records to load.
    Records(&'static Resource, Vec<Record>),
    /// Reasons to load nothing.
    Problems(Vec<Problem>),
    /// The end; without it, nothing is loaded.
    End,
}

/// The result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The number of records of each kind; empty if there are problems.
    pub counts: Vec<Count>,
    /// The problems; if there are any, nothing is loaded.
    pub problems: Vec<Problem>,
}

/// The number of loaded records of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The kind.
    pub resource: &'static str,
    /// All records.
    pub loaded: u64,
    /// New records.
    pub new: u64,
}

/// A snapshot of a tenant's records.
pub trait Snapshot {
    /// Calls `visit` with each record of a resource and its nested records, until it returns `false`.
    fn each(&self, resource: &'static Resource, visit: &mut dyn FnMut(Record) -> bool) -> Result<(), Error>;
}

/// Number of parcels buffered for the writer, or batches for the reader.
const WAITING: usize = 4;

/// A request of [`Snapshot::each`] to the reading thread: a resource, and the receiver of its records.
type Request = (&'static Resource, SyncSender<Result<Vec<Record>, Error>>);

/// Records read by another thread.
struct Reader(RefCell<Sender<Request>>);

impl Snapshot for Reader {
    fn each(&self, resource: &'static Resource, visit: &mut dyn FnMut(Record) -> bool) -> Result<(), Error> {
        let (sender, batches) = sync_channel(WAITING);
        self.0.borrow().send((resource, sender)).map_err(|_| gone())?;
        for batch in batches {
            for record in batch? {
                if !visit(record) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

fn gone() -> Error {
    Error::Damaged("the thread that works on the store is gone".into())
}

impl TenantStore {
    /// Loads the parcels sent by `feed` as one batch action, all or nothing, and logs what `tell` returns.
    /// `claims` are the highest ids among the records. Returns the id of the action and its result.
    pub fn import(
        &self,
        claims: BTreeMap<&'static str, i64>,
        tell: impl FnOnce(&Outcome) -> Vec<LogLine> + Send + 'static,
        feed: impl FnOnce(&SyncSender<Parcel>),
    ) -> Result<(i64, Outcome), Error> {
        let (sender, receiver) = sync_channel(WAITING);
        thread::scope(|threads| {
            // Block on a separate thread: this one feeds, and may belong to a runtime, which must not block.
            let writing = threads.spawn(|| self.write_alone(|change| loader::run(change, claims, receiver, tell)));
            feed(&sender);
            drop(sender);
            writing.join().unwrap_or_else(|_| Err(gone()))
        })
    }

    /// For each key of a resource: whether the record exists, and its parent.
    pub fn find(&self, resource: &'static Resource, keys: &[Value]) -> Result<Vec<Option<Value>>, Error> {
        let keys = keys.to_vec();
        thread::scope(|threads| {
            let finding =
                threads.spawn(|| self.read_alone(|view| async move { export::find(&view, resource, keys).await }));
            finding.join().unwrap_or_else(|_| Err(gone()))
        })
    }

    /// Calls `work` with a snapshot of the records, on the calling thread; may take long.
    pub fn read_all<T>(&self, work: impl Fn(&dyn Snapshot) -> Result<T, Error>) -> Result<T, Error> {
        let (sender, requests) = channel();
        thread::scope(|threads| {
            let reading = threads.spawn(|| self.read_alone(|view| answer(view, requests)));
            let result = work(&Reader(RefCell::new(sender)));
            // The error of the thread explains why nothing was read.
            reading.join().unwrap_or_else(|_| Err(gone())).and(result)
        })
    }

    /// Reads a snapshot on the calling thread, without limits of time and visibility.
    fn read_alone<T, F>(&self, work: impl FnOnce(View) -> F + Send) -> Result<T, Error>
    where
        T: Send,
        F: Future<Output = Result<T, Error>>,
    {
        let all = self.seeing(Visibility::All);
        match &all.backend {
            Backend::Sqlite(database) => database.read_alone(&all.scope, &all.shared, work),
            Backend::Postgres(database) => database.read_alone(&all.scope, &all.shared, work),
        }
    }

    /// Writes on the calling thread, once and without a time limit.
    fn write_alone<T, F>(&self, work: impl FnOnce(Change) -> F + Send + 'static) -> Result<T, Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>>,
    {
        let all = self.seeing(Visibility::All);
        match &all.backend {
            Backend::Sqlite(database) => database.write_alone(&all.scope, &all.shared, work),
            Backend::Postgres(database) => database.write_alone(&all.scope, &all.shared, work),
        }
    }
}

/// Serves requests from one snapshot until the channel closes.
async fn answer(view: View, requests: Receiver<Request>) -> Result<(), Error> {
    for (resource, batches) in requests {
        let send = |records| batches.send(Ok(records)).is_ok();
        if let Err(error) = export::each(&view, resource, send).await {
            // The caller may be gone.
            let _ = batches.send(Err(error));
        }
    }
    Ok(())
}
