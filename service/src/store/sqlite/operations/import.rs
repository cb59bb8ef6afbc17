//! Loading records by the thousand, and reading them all.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        mpsc::{SyncSender, sync_channel},
    },
    thread,
};

use crate::{
    domain::{caller::Visibility, job::LogLine},
    store::{
        Error, Scope,
        import::{Outcome, Parcel, Snapshot},
        record::{Record, Resource, Value},
        sqlite::{Change, Database, View, export, import},
    },
};

/// So many parcels may wait for the writer.
const WAITING: usize = 4;

impl Snapshot for View<'_> {
    fn each(&self, resource: &'static Resource, visit: &mut dyn FnMut(Record) -> bool) -> Result<(), Error> {
        export::each(self, resource, visit)
    }
}

impl Database {
    pub(in crate::store) fn import(
        &self,
        scope: &Scope,
        claims: BTreeMap<&'static str, i64>,
        tell: impl FnOnce(&Outcome) -> Vec<LogLine> + Send + 'static,
        feed: impl FnOnce(&SyncSender<Parcel>),
    ) -> Result<(i64, Outcome), Error> {
        let (sender, receiver) = sync_channel(WAITING);
        let scope = Scope { visible: Visibility::All, ..scope.clone() };
        let cache = Arc::clone(&self.names);
        let write =
            move |connection: &_| import::run(&Change::begin(connection, &scope, &cache), &claims, &receiver, tell);
        thread::scope(|threads| {
            // It waits on a thread of its own, since this one feeds, and may belong to a runtime, where waiting is not allowed.
            let writing = threads.spawn(move || self.write_blocking(write));
            feed(&sender);
            drop(sender);
            writing.join().unwrap_or_else(|_| Err(Error::Damaged("the import panicked".into())))
        })
    }

    pub(in crate::store) fn find(
        &self,
        scope: &Scope,
        resource: &'static Resource,
        keys: &[Value],
    ) -> Result<Vec<Option<Value>>, Error> {
        self.view_all(scope, |view| export::find(view, resource, keys))
    }

    pub(in crate::store) fn read_all<T>(
        &self,
        scope: &Scope,
        work: impl Fn(&dyn Snapshot) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.view_all(scope, |view| work(view))
    }

    fn view_all<T>(&self, scope: &Scope, work: impl Fn(&View<'_>) -> Result<T, Error>) -> Result<T, Error> {
        self.read_blocking(|reader| work(&View::of(reader, scope.tenant, &Visibility::All, &self.names)))
    }
}
