//! Loading records by the thousand, and reading them all.

use std::{collections::BTreeMap, sync::mpsc::SyncSender};

use super::{
    Backend, Error, TenantStore,
    record::{Problem, Record, Resource, Value},
};
use crate::domain::job::LogLine;

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

impl TenantStore {
    /// Loads what `feed` sends as one batch action, all of it or nothing, and writes into its log what `tell` says.
    /// `claims` are the highest ids among the records. The number of the action comes back beside what has come of it.
    pub fn import(
        &self,
        claims: BTreeMap<&'static str, i64>,
        tell: impl FnOnce(&Outcome) -> Vec<LogLine> + Send + 'static,
        feed: impl FnOnce(&SyncSender<Parcel>),
    ) -> Result<(i64, Outcome), Error> {
        match &self.backend {
            Backend::Sqlite(database) => database.import(&self.scope, claims, tell, feed),
            Backend::Postgres(database) => database.import(&self.scope, claims, tell, feed),
        }
    }

    /// For each of these keys of a resource whether there is such a record, and the record it stands below.
    pub fn find(&self, resource: &'static Resource, keys: &[Value]) -> Result<Vec<Option<Value>>, Error> {
        match &self.backend {
            Backend::Sqlite(database) => database.find(&self.scope, resource, keys),
            Backend::Postgres(database) => database.find(&self.scope, resource, keys),
        }
    }

    /// Gives `work` the records as they are at one moment. It may take long, on the calling thread.
    pub fn read_all<T>(&self, work: impl Fn(&dyn Snapshot) -> Result<T, Error>) -> Result<T, Error> {
        match &self.backend {
            Backend::Sqlite(database) => database.read_all(&self.scope, work),
            Backend::Postgres(database) => database.read_all(&self.scope, work),
        }
    }
}
