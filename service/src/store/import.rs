//! Bulk imports and exports.

use std::{
    collections::BTreeMap,
    sync::mpsc::{SyncSender, sync_channel},
    thread,
};

use super::{
    Error, TenantStore,
    backend::Backend,
    direct::wait,
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

/// Maximum number of reported problems.
pub const MOST_PROBLEMS: usize = 100;

/// Number of parcels buffered for the writer.
const WAITING: usize = 4;

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
            let writing = threads.spawn(|| {
                let all = self.seeing(Visibility::All);
                let work = |change| loader::run(change, claims, receiver, tell);
                match &all.backend {
                    Backend::Sqlite(database) => wait(async || database.submit(&all.scope, work)?.await),
                    Backend::Postgres(database) => database.write_alone(&all.scope, work),
                }
            });
            feed(&sender);
            drop(sender);
            writing.join().unwrap_or_else(|_| Err(Error::Damaged("the import panicked".into())))
        })
    }

    /// For each key of a resource: whether the record exists, and its parent.
    pub fn find(&self, resource: &'static Resource, keys: &[Value]) -> Result<Vec<Option<Value>>, Error> {
        self.read_alone(async |view| export::find(&view, resource, keys).await)
    }

    /// Passes every record of a snapshot to `visit`, nested ones within their parents, until it returns `false`. May take long.
    pub fn read_all(&self, visit: impl FnMut(&'static Resource, Record) -> bool + Send) -> Result<(), Error> {
        self.read_alone(async |view| export::all(view, visit).await)
    }

    /// Reads a snapshot on the calling thread, without limits of time and visibility.
    fn read_alone<T: Send>(&self, work: impl AsyncFnOnce(View) -> Result<T, Error> + Send) -> Result<T, Error> {
        let all = self.seeing(Visibility::All);
        match &all.backend {
            Backend::Sqlite(database) => database.read_alone(&all.scope, work),
            Backend::Postgres(database) => database.read_alone(&all.scope, work),
        }
    }
}
