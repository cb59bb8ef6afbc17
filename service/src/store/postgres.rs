//! The store on PostgreSQL: each operation is one transaction, and independent statements are sent together.

mod abandoned;
mod connection;
mod error;
pub(super) mod inspect;
pub(super) mod keep;
mod replica;
mod session;
mod value;

use std::{future::Future, sync::Arc, time::Duration};

use deadpool_postgres::Pool;
use tokio_postgres::Config;

use super::{
    Error, Options, Scope,
    change::Change,
    direct::{Direct, wait},
    operation::{AnyValue, AnyWork, Cost},
    session::Session as OpenSession,
    statement::Statement,
    value::Row,
    view::View,
};
use crate::{
    config::Bounds,
    domain::tenant::TenantId,
    shares::{FairSemaphore, Permit},
};
use replica::Replicas;
use session::Limits;
pub(super) use session::Session;

/// Makes a query fail, instead of returning a part of the rows, if row-level security applies to the role.
const WHOLE: &str = "SET LOCAL row_security = off";

/// The beginning of a transaction that reads a snapshot.
pub(super) const BEGIN_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// The maximum number of attempts of an operation with conflicts.
const ATTEMPTS: u32 = 6;

/// The maximum pause before the second attempt; it doubles with each attempt.
const PAUSE: Duration = Duration::from_millis(4);

/// The time that a statement of a write may take in addition to waiting for locks.
const WORK: Duration = Duration::from_secs(2);

/// The same, for a write without a waiting caller.
const OWN_WORK: Duration = Duration::from_mins(5);

/// A database and its connections. Clones share them.
#[derive(Clone)]
pub(super) struct Database {
    pool: Pool,
    /// A connection for ids: a caller that waits for one may hold another connection.
    id_pool: Pool,
    url: Arc<str>,
    replicas: Arc<Replicas>,
    /// The queue of short reads.
    reads: FairSemaphore,
    /// The queue of writes, for the same connections.
    writes: FairSemaphore,
    /// The queue of long reads, for a quarter of the connections.
    long: FairSemaphore,
    /// The queue of callers that read replicas.
    spread: FairSemaphore,
    /// A write waits at most `bounds.write` for locks and for a connection.
    bounds: Arc<Bounds>,
}

impl Database {
    /// Opens the database at a URL. Its tables must be up to date.
    pub(super) fn open(url: &str, options: &Options) -> Result<Self, Error> {
        // One connection is reserved for assigning ids, in separate transactions.
        let connections = options.connections.saturating_sub(1).max(1);
        let pool = connection::pool(url, connections, options.bounds.write)?;
        let reads =
            |connections| FairSemaphore::new(connections, options.bounds.waiting_reads.saturating_add(connections));
        // Two tokens can read at once.
        let long = connections.div_ceil(4).max(2);
        let short = reads(connections.saturating_sub(long).max(1));
        Ok(Self {
            pool,
            id_pool: connection::pool(url, 1, options.bounds.write)?,
            url: url.into(),
            replicas: Arc::new(Replicas::new(&options.replicas, options.connections)?),
            writes: short.with_queue(options.queue),
            reads: short,
            long: reads(long),
            spread: reads(options.connections.saturating_mul(options.replicas.len()).max(1)),
            bounds: Arc::new(options.bounds.clone()),
        })
    }

    pub(super) fn gauges(&self) -> Vec<(&'static str, &'static str, usize)> {
        let pool = self.pool.status();
        vec![
            ("store_connections", "Open connections to PostgreSQL", pool.size),
            ("store_connections_idle", "Open connections to PostgreSQL that nothing uses", pool.available),
            (
                "store_operations",
                "Operations that have a connection or wait for one",
                self.reads.callers() + self.writes.callers() + self.long.callers(),
            ),
        ]
    }

    pub(super) fn close(&self) {
        self.pool.close();
        self.id_pool.close();
        self.replicas.close();
    }

    /// The state of each replica, and its lag.
    pub(super) async fn about_replicas(&self) -> Vec<String> {
        self.replicas.about(&self.pool).await.into_iter().map(|(about, _)| about).collect()
    }

    /// Runs work in a transaction of a separate connection, on the calling thread.
    fn alone<T: Send>(
        &self,
        begin: String,
        work: impl AsyncFnOnce(Self, Arc<Session>) -> Result<T, Error> + Send,
    ) -> Result<T, Error> {
        let pool = connection::pool(&self.url, 1, self.bounds.write)?;
        let id_pool = connection::pool(&self.url, 1, self.bounds.write)?;
        let database = Self { pool, id_pool, ..self.clone() };
        wait(async || {
            let session = Session::open(&database.pool, begin, Limits::NONE, None).await?;
            work(database, Arc::new(session)).await
        })
    }

    /// Reads a snapshot for a caller: on a replica if one has all earlier writes.
    pub(super) async fn read_as(&self, scope: &Scope, cost: Cost, work: AnyWork<View>) -> Result<AnyValue, Error> {
        if scope.reads_replicas && !self.replicas.is_empty() {
            let permit = permit(&self.spread, scope, self.bounds.read).await?;
            if let Some(replica) = self.replicas.caught_up(&self.pool).await {
                let read = self.read(&replica.pool, permit.as_ref(), scope, &work);
                match tokio::time::timeout(self.bounds.read, read).await {
                    Ok(Err(error @ (Error::Busy | Error::Database(_)))) => replica.fail(&error),
                    Ok(result) => return result,
                    Err(_) => replica.fail(&Error::TooLong(self.bounds.read)),
                }
            }
        }
        let semaphore = if cost == Cost::Short { &self.reads } else { &self.long };
        let permit = permit(semaphore, scope, self.bounds.read).await?;
        // A short read of the service itself, such as the lookup of a token, waits for no read of a caller.
        let pool =
            if permit.is_none() && cost == Cost::Short && is_in_use(&self.pool) { &self.id_pool } else { &self.pool };
        self.read(pool, permit.as_ref(), scope, &work).await
    }

    async fn read(
        &self,
        pool: &Pool,
        permit: Option<&Arc<Permit>>,
        scope: &Scope,
        work: &AnyWork<View>,
    ) -> Result<AnyValue, Error> {
        let (time, most) = (self.bounds.read, self.bounds.list_bytes);
        let begin =
            &format!("{BEGIN_READ}; SET LOCAL statement_timeout = {}; {}", time.as_millis(), only(scope.tenant));
        let read = repeated(move || async move {
            let session = Session::open(pool, begin.clone(), self.limits(time), permit.cloned()).await?;
            let session = Arc::new(session);
            let result = work(View::new(OpenSession::Postgres(Arc::clone(&session)), scope, most)).await;
            session.leave();
            result
        });
        read.await.map_err(|error| match error {
            // A read stores nothing: the disk has failed, or has no space for sorting.
            Error::Unwritable(cause) => {
                tracing::error!(cause, "the disk of the database fails");
                Error::Busy
            }
            Error::TooLong(_) => Error::TooLong(time),
            error => error,
        })
    }

    /// Writes for a caller, and returns once the write is durable. Completes even if the caller is gone, and
    /// is repeated as a whole after a conflict.
    pub(super) async fn write_as(&self, scope: &Scope, work: AnyWork<Change>) -> Result<AnyValue, Error> {
        let permit = permit(&self.writes, scope, self.bounds.write).await?;
        let (database, scope) = (self.clone(), scope.clone());
        let written = tokio::spawn(async move { database.write(permit, &scope, work).await });
        written.await.map_err(Error::database)?
    }

    async fn write(
        &self,
        permit: Option<Arc<Permit>>,
        scope: &Scope,
        work: AnyWork<Change>,
    ) -> Result<AnyValue, Error> {
        let time = if scope.actor.token.is_some() { self.write_time() } else { self.bounds.write + OWN_WORK };
        let (begin, permit, work) = (&self.begin(scope.tenant, Some(time)), permit.as_ref(), &work);
        let written = repeated(move || async move {
            let session = Session::open(&self.pool, begin.clone(), self.limits(time), permit.cloned()).await?;
            let result = self.run_change(Arc::new(session), scope, work).await;
            if let Err(error) = &result
                && error.violation().is_some()
            {
                // An import may have used ids of the block.
                scope.caches.ids.forget(scope.tenant);
            }
            result
        });
        written.await.map_err(unwritten)
    }

    /// Runs a write, writes its audit log, and commits or rolls back.
    async fn run_change<T, F: Future<Output = Result<T, Error>>>(
        &self,
        session: Arc<Session>,
        scope: &Scope,
        work: impl FnOnce(Change) -> F,
    ) -> Result<T, Error> {
        let view = View::new(OpenSession::Postgres(Arc::clone(&session)), scope, usize::MAX);
        let change = Change::new(view, scope, Some(self.clone()));
        let result = match work(change.clone()).await {
            Ok(value) => session.finish(&change.notes()).await.map(|()| value),
            Err(error) => Err(error),
        };
        if result.is_err() {
            session.undo().await;
        }
        result
    }

    /// Reads a snapshot on the calling thread and a separate connection, without a time limit.
    pub(super) fn read_alone<T: Send>(
        &self,
        scope: &Scope,
        work: impl AsyncFnOnce(View) -> Result<T, Error> + Send,
    ) -> Result<T, Error> {
        self.alone(format!("{BEGIN_READ}; {}", only(scope.tenant)), async |_, session| {
            let result = work(View::new(OpenSession::Postgres(Arc::clone(&session)), scope, usize::MAX)).await;
            session.leave();
            result
        })
    }

    /// Writes on the calling thread and a separate connection, once and without a time limit.
    pub(super) fn write_alone<T, F>(&self, scope: &Scope, work: impl FnOnce(Change) -> F + Send) -> Result<T, Error>
    where
        T: Send,
        F: Future<Output = Result<T, Error>>,
    {
        let begin = self.begin(scope.tenant, None);
        self.alone(begin, async |database, session| database.run_change(session, scope, work).await)
    }

    /// Runs a statement in a separate transaction that is not flushed to disk. A later commit that depends on
    /// it flushes it too.
    pub(super) async fn apart_from_writes(&self, tenant: TenantId, statement: Statement) -> Result<Vec<Row>, Error> {
        let begin = &format!("{}; SET LOCAL synchronous_commit = off", self.begin(tenant, Some(self.write_time())));
        let statement = std::slice::from_ref(&statement);
        let written = repeated(move || async move {
            let session = Session::open(&self.id_pool, begin.clone(), self.limits(self.write_time()), None).await?;
            let done = async {
                let rows = session.all(statement).await?.pop().unwrap_or_default();
                session.finish(&[]).await.map(|()| rows)
            };
            let done = done.await;
            session.undo().await;
            done
        });
        written.await.map_err(|error| match unwritten(error) {
            // If it was made, some ids are never given to a record.
            Error::Unconfirmed => Error::Busy,
            error => error,
        })
    }

    /// The beginning of a transaction that writes; `time` limits each statement.
    fn begin(&self, tenant: TenantId, time: Option<Duration>) -> String {
        let time = time.map(|time| format!("SET LOCAL statement_timeout = {}; ", time.as_millis())).unwrap_or_default();
        format!("BEGIN; SET LOCAL lock_timeout = {}; {time}{}", self.bounds.write.as_millis(), only(tenant))
    }

    /// The time limit of statements of a write with a waiting caller.
    fn write_time(&self) -> Duration {
        self.bounds.write + WORK
    }

    fn limits(&self, time: Duration) -> Limits {
        Limits { bytes: self.bounds.row_bytes(), time: Some(time) }
    }
}

/// Opens the database as the role that owns the tables, for one inspection, migration or copy.
pub(super) fn direct(url: &str, options: &Options) -> Result<Direct, Error> {
    let pool = connection::pool(options.owner.as_deref().unwrap_or(url), 2, options.bounds.write)?;
    let role = url.parse::<Config>().map_err(Error::database)?.get_user().map(str::to_owned);
    let role = role.filter(|_| options.owner.is_some());
    Ok(Direct::Postgres { pool, role })
}

/// Begins a transaction on the rows of all tenants.
pub(super) async fn begin(pool: &Pool, begin: &str) -> Result<OpenSession, Error> {
    let begin = format!("{begin}; {WHOLE}");
    Ok(OpenSession::Postgres(Arc::new(Session::open(pool, begin, Limits::NONE, None).await?)))
}

/// Waits in the queue of a caller, at most `patience`. Work of the service itself does not wait.
async fn permit(semaphore: &FairSemaphore, scope: &Scope, patience: Duration) -> Result<Option<Arc<Permit>>, Error> {
    let Some(caller) = scope.caller() else { return Ok(None) };
    match tokio::time::timeout(patience, semaphore.acquire(Some(caller))).await {
        Ok(Some(permit)) => Ok(Some(Arc::new(permit))),
        Ok(None) | Err(_) => Err(Error::Busy),
    }
}

/// Whether no connection is free, and no more can be opened.
fn is_in_use(pool: &Pool) -> bool {
    let status = pool.status();
    status.available == 0 && status.size >= status.max_size
}

/// Limits a transaction to the rows of a tenant.
fn only(tenant: TenantId) -> String {
    format!("SET LOCAL service.tenant = {}", tenant.0)
}

/// Runs an operation again while it conflicts with others, after a random pause that grows with each attempt.
async fn repeated<T, F: Future<Output = Result<T, Error>>>(mut operation: impl FnMut() -> F) -> Result<T, Error> {
    let mut attempt = 1;
    loop {
        match operation().await {
            Err(error) if error::is_conflict(&error) && attempt < ATTEMPTS => {
                tracing::debug!(error = &error as &dyn std::error::Error, "an operation is repeated");
                tokio::time::sleep((PAUSE * 2u32.pow(attempt)).mul_f64(fastrand::f64())).await;
                attempt += 1;
            }
            Err(error) if error::is_conflict(&error) && error.violation().is_none() => return Err(Error::Busy),
            result => return result,
        }
    }
}

/// The error of a write that failed.
fn unwritten(error: Error) -> Error {
    if let Error::TooLong(_) = error {
        tracing::warn!("a write has taken too long, and is undone");
        return Error::Busy;
    }
    error
}
