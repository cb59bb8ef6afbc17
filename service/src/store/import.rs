//! Loading records by the thousand, and reading them all.

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

/// What is brought to the writer.
#[derive(Debug)]
pub enum Parcel {
    /// Records to load.
    Records(&'static Resource, Vec<Record>),
    /// Reasons to load nothing.
    Problems(Vec<Problem>),
    /// That is all. Without it nothing is loaded.
    End,
}

/// What has become of the records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// How many there were of each kind; none when there are problems.
    pub counts: Vec<Count>,
    /// Why nothing has been loaded.
    pub problems: Vec<Problem>,
}

/// How many records of a kind have been loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The kind.
    pub resource: &'static str,
    /// All of them.
    pub loaded: u64,
    /// Those that were not there before.
    pub new: u64,
}

/// The records of a tenant as they are at one moment.
pub trait Snapshot {
    /// Gives `visit` each record of a resource with all that stands inside of it, until it says false.
    fn each(&self, resource: &'static Resource, visit: &mut dyn FnMut(Record) -> bool) -> Result<(), Error>;
}

/// Parcels that may wait for the writer, or batches for the reader.
const WAITING: usize = 4;

/// What [`Snapshot::each`] asks of the thread that reads: a resource, and where its records go.
type Request = (&'static Resource, SyncSender<Result<Vec<Record>, Error>>);

/// Records that another thread reads.
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
    /// Loads what `feed` sends as one batch action, all of it or nothing, and writes into its log what `tell` says.
    /// `claims` are the highest ids among the records. The number of the action comes back with what has come of it.
    pub fn import(
        &self,
        claims: BTreeMap<&'static str, i64>,
        tell: impl FnOnce(&Outcome) -> Vec<LogLine> + Send + 'static,
        feed: impl FnOnce(&SyncSender<Parcel>),
    ) -> Result<(i64, Outcome), Error> {
        let (sender, receiver) = sync_channel(WAITING);
        thread::scope(|threads| {
            // It waits on a thread of its own: this one feeds, and may belong to a runtime, where waiting is not allowed.
            let writing = threads.spawn(|| self.write_alone(|change| loader::run(change, claims, receiver, tell)));
            feed(&sender);
            drop(sender);
            writing.join().unwrap_or_else(|_| Err(gone()))
        })
    }

    /// For each of these keys of a resource whether there is such a record, and the record it stands below.
    pub fn find(&self, resource: &'static Resource, keys: &[Value]) -> Result<Vec<Option<Value>>, Error> {
        let keys = keys.to_vec();
        thread::scope(|threads| {
            let finding =
                threads.spawn(|| self.read_alone(|view| async move { export::find(&view, resource, keys).await }));
            finding.join().unwrap_or_else(|_| Err(gone()))
        })
    }

    /// Gives `work` the records as they are at one moment. It may take long, on the calling thread.
    pub fn read_all<T>(&self, work: impl Fn(&dyn Snapshot) -> Result<T, Error>) -> Result<T, Error> {
        let (sender, requests) = channel();
        thread::scope(|threads| {
            let reading = threads.spawn(|| self.read_alone(|view| answer(view, requests)));
            let result = work(&Reader(RefCell::new(sender)));
            // Why there was nothing to read is in what the thread says.
            reading.join().unwrap_or_else(|_| Err(gone())).and(result)
        })
    }

    /// Reads one state of the database on the calling thread, however long it takes and whatever may be seen.
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

    /// Writes on the calling thread, once and however long it takes.
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

/// Reads what is asked for until nothing is asked for any more, all of one state.
async fn answer(view: View, requests: Receiver<Request>) -> Result<(), Error> {
    for (resource, batches) in requests {
        let send = |records| batches.send(Ok(records)).is_ok();
        if let Err(error) = export::each(&view, resource, send).await {
            // The caller has the result, unless it is gone.
            let _ = batches.send(Err(error));
        }
    }
    Ok(())
}
