//! Loading records by the thousand, and reading them all.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    sync::{
        Arc,
        mpsc::{Receiver, Sender, SyncSender, channel, sync_channel},
    },
    thread,
};

use crate::{
    domain::{caller::Visibility, job::LogLine},
    store::{
        Error, Scope,
        import::{Outcome, Parcel, Snapshot},
        postgres::{BEGIN_READ, Bounds, Change, Database, Session, View, export, import, only},
        record::{Record, Resource, Value},
    },
};

/// So many parcels may wait for the writer, or batches for the reader.
const WAITING: usize = 4;

/// What `each` asks of the thread that reads: a resource, and where its records go.
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
        thread::scope(|threads| {
            let writing = threads.spawn(move || {
                self.apart(&self.url, move |database| async move {
                    let session = database.session(database.begin(scope.tenant, None)).await?;
                    let view = database.reading(session, &scope);
                    import::run(&database, Change::new(view, &scope), &claims, receiver, tell).await
                })
            });
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
        self.apart(&self.url, |database| async move {
            let find = |view: View| async move { export::find(&view.session, scope.tenant.0, resource, keys).await };
            database.view(scope, find).await
        })
    }

    pub(in crate::store) fn read_all<T>(
        &self,
        scope: &Scope,
        work: impl Fn(&dyn Snapshot) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (sender, requests) = channel();
        thread::scope(|threads| {
            let reading = threads
                .spawn(|| self.apart(&self.url, |database| async move { database.answer(scope, &requests).await }));
            let result = work(&Reader(RefCell::new(sender)));
            // Why there was nothing to read is in what the thread says.
            reading.join().unwrap_or_else(|_| Err(gone())).and(result)
        })
    }

    /// Reads what is asked for until nobody asks any more, all of one state.
    async fn answer(&self, scope: &Scope, requests: &Receiver<Request>) -> Result<(), Error> {
        let session = self.session(format!("{BEGIN_READ}; {}", only(scope.tenant))).await?;
        for (resource, batches) in requests {
            let send = |records| batches.send(Ok(records)).is_ok();
            if let Err(error) = export::each(&session, scope.tenant.0, resource, send).await {
                // Who asked gets the result, unless it has gone.
                let _ = batches.send(Err(error));
            }
        }
        session.leave();
        Ok(())
    }

    async fn session(&self, begin: String) -> Result<Arc<Session>, Error> {
        Ok(Arc::new(Session::open(&self.pool, begin, Bounds::NONE).await?))
    }
}

fn gone() -> Error {
    Error::Damaged("the thread that reads is gone".into())
}
