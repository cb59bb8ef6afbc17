//! The store on PostgreSQL: each operation in one transaction, whose statements are sent together where they can be.

mod abandoned;
mod connection;
mod error;
pub(super) mod inspect;
pub(super) mod keep;
mod replica;
mod session;
mod value;

use std::{fmt, future::Future, sync::Arc, time::Duration};

use deadpool_postgres::Pool;

use super::{
    Error, Location, Options, Scope, change::Change, direct::wait, session::Session as OpenSession, shared::Shared,
    statement::Statement, value::Row, view::View,
};
use crate::{
    domain::tenant::TenantId,
    shares::{Turn, Turns},
};
use replica::Replicas;
use session::Bounds;
pub(super) use session::Session;

/// A role to which the server does not show every row is refused, in place of an answer that lacks some.
const WHOLE: &str = "SET LOCAL row_security = off";

/// What a transaction that reads one state of the database begins with.
const BEGIN_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// So often an operation is done anew when others are in its way.
const ATTEMPTS: u32 = 6;

/// The first pause before an operation is done anew is at most so long; each further one twice as long.
const PAUSE: Duration = Duration::from_millis(4);

/// A statement of a write may take so much longer than it waits for others.
const WORK: Duration = Duration::from_secs(2);

/// The same, of a write that no caller waits for.
const OWN_WORK: Duration = Duration::from_mins(5);

/// A database, and the connections to it. Clones share them.
#[derive(Clone)]
pub(super) struct Database {
    pool: Pool,
    /// Connections for ids alone: who waits for one may hold one of the others.
    id_pool: Pool,
    url: Arc<str>,
    replicas: Arc<Replicas>,
    /// Turns of callers that read.
    reads: Turns,
    /// Turns of callers that write, at the same connections.
    writes: Turns,
    /// Turns of callers that read replicas.
    spread: Turns,
    /// A read that takes longer is broken off.
    read_time: Duration,
    /// A write waits so long for others, and for a connection.
    patience: Duration,
    list_bytes: usize,
}

impl Database {
    /// Opens the database that a URL names, whose tables are up to date.
    pub(super) fn open(url: &str, options: &Options) -> Result<Self, Error> {
        // One connection gives out ids, in transactions that no write waits for.
        let connections = options.connections.saturating_sub(1).max(1);
        let pool = connection::pool(url, connections, options.patience)?;
        let reads = |connections| Turns::new(connections, options.long_reads.waiting.saturating_add(connections));
        let of_primary = reads(connections);
        Ok(Self {
            pool,
            id_pool: connection::pool(url, 1, options.patience)?,
            url: url.into(),
            replicas: Arc::new(Replicas::new(&options.replicas, options.connections)?),
            writes: of_primary.with_queue(options.queue),
            reads: of_primary,
            spread: reads(options.connections.saturating_mul(options.replicas.len()).max(1)),
            read_time: options.long_reads.time,
            patience: options.patience,
            list_bytes: options.list_bytes,
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
                self.reads.len() + self.writes.len(),
            ),
        ]
    }

    pub(super) fn close(&self) {
        self.pool.close();
        self.id_pool.close();
        self.replicas.close();
    }

    /// What each replica is, and how far behind.
    pub(super) async fn about_replicas(&self) -> Vec<String> {
        self.replicas.about(&self.pool).await.into_iter().map(|(about, _)| about).collect()
    }

    /// Waits for work with connections of its own.
    fn apart<T: Send>(&self, url: &str, work: impl AsyncFnOnce(Self) -> Result<T, Error> + Send) -> Result<T, Error> {
        let pool = connection::pool(url, 2, self.patience)?;
        let id_pool = connection::pool(url, 1, self.patience)?;
        let database = Self { pool, id_pool, ..self.clone() };
        wait(async || work(database).await)
    }

    /// Reads one state of the database as somebody: on a replica, when one has all that was written before.
    pub(super) async fn read_as<T, F>(
        &self,
        scope: &Scope,
        shared: &Arc<Shared>,
        work: impl Fn(View) -> F + Send + Sync,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>> + Send,
    {
        let view =
            |session| work(View::new(OpenSession::Postgres(session), scope, Arc::clone(shared), self.list_bytes));
        if scope.reads_replicas && !self.replicas.is_empty() {
            let turn = turn(&self.spread, scope, self.read_time).await?;
            if let Some(replica) = self.replicas.caught_up(&self.pool).await {
                match tokio::time::timeout(self.read_time, self.read(&replica.pool, turn.as_ref(), scope, &view)).await
                {
                    Ok(Err(error @ (Error::Busy | Error::Database(_)))) => replica.fail(&error),
                    Ok(result) => return result,
                    Err(_) => replica.fail(&Error::TooLong(self.read_time)),
                }
            }
        }
        let turn = turn(&self.reads, scope, self.read_time).await?;
        self.read(&self.pool, turn.as_ref(), scope, &view).await
    }

    async fn read<T, F>(
        &self,
        pool: &Pool,
        turn: Option<&Arc<Turn>>,
        scope: &Scope,
        work: &(impl Fn(Arc<Session>) -> F + Sync),
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>> + Send,
    {
        let mut attempt = 0;
        loop {
            let timeout = self.read_time.as_millis();
            let begin = format!("{BEGIN_READ}; SET LOCAL statement_timeout = {timeout}; {}", only(scope.tenant));
            let result = async {
                let session = Session::open(pool, begin, self.bounds(self.read_time)).await?.within(turn.cloned());
                let session = Arc::new(session);
                let result = work(Arc::clone(&session)).await;
                session.leave();
                result
            };
            match result.await {
                Err(error) if error::is_conflict(&error) => pause(&mut attempt, error).await?,
                // Nothing was to be stored: the disk fails when it is read, or has no room for what is sorted.
                Err(Error::Unwritable(cause)) => {
                    tracing::error!(cause, "the disk of the database fails");
                    return Err(Error::Busy);
                }
                Err(Error::TooLong(_)) => return Err(Error::TooLong(self.read_time)),
                result => return result,
            }
        }
    }

    /// Writes as somebody, and returns once it is durable. It is done to its end even when the caller is gone, and
    /// anew, as a whole, when others are in its way.
    pub(super) async fn write_as<T, F>(
        &self,
        scope: &Scope,
        shared: &Arc<Shared>,
        work: impl Fn(Change) -> F + Send + Sync + 'static,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send,
    {
        let turn = turn(&self.writes, scope, self.patience).await?;
        let (database, scope, shared) = (self.clone(), scope.clone(), Arc::clone(shared));
        let written = tokio::spawn(async move { database.write(turn, &scope, &shared, work).await });
        written.await.map_err(Error::database)?
    }

    async fn write<T, F>(
        &self,
        turn: Option<Arc<Turn>>,
        scope: &Scope,
        shared: &Arc<Shared>,
        work: impl Fn(Change) -> F + Send + Sync,
    ) -> Result<T, Error>
    where
        T: Send,
        F: Future<Output = Result<T, Error>> + Send,
    {
        let time = if scope.actor.token.is_some() { self.write_time() } else { self.patience + OWN_WORK };
        let begin = self.begin(scope.tenant, Some(time));
        let mut attempt = 0;
        loop {
            let session = Session::open(&self.pool, begin.clone(), self.bounds(time)).await?.within(turn.clone());
            let result = self.run_change(Arc::new(session), scope, shared, &work).await;
            if let Err(error) = &result
                && error::is_violation(error)
            {
                // Ids of a block may have been used by an import.
                shared.ids.forget(scope.tenant);
            }
            if let Some(value) = settle(&mut attempt, result).await? {
                return Ok(value);
            }
        }
    }

    /// Does the work of a write, writes what it has noted, and commits; or undoes it.
    async fn run_change<T, F: Future<Output = Result<T, Error>>>(
        &self,
        session: Arc<Session>,
        scope: &Scope,
        shared: &Arc<Shared>,
        work: impl FnOnce(Change) -> F,
    ) -> Result<T, Error> {
        let view = View::new(OpenSession::Postgres(Arc::clone(&session)), scope, Arc::clone(shared), usize::MAX);
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

    /// Reads one state on the calling thread, with a connection of its own, however long it takes.
    pub(super) fn read_alone<T, F>(
        &self,
        scope: &Scope,
        shared: &Arc<Shared>,
        work: impl FnOnce(View) -> F + Send,
    ) -> Result<T, Error>
    where
        T: Send,
        F: Future<Output = Result<T, Error>>,
    {
        self.apart(&self.url, async |database| {
            let begin = format!("{BEGIN_READ}; {}", only(scope.tenant));
            let session = Arc::new(Session::open(&database.pool, begin, Bounds::NONE).await?);
            let open = OpenSession::Postgres(Arc::clone(&session));
            let result = work(View::new(open, scope, Arc::clone(shared), usize::MAX)).await;
            session.leave();
            result
        })
    }

    /// Writes on the calling thread, with a connection of its own, once and however long it takes.
    pub(super) fn write_alone<T, F>(
        &self,
        scope: &Scope,
        shared: &Arc<Shared>,
        work: impl FnOnce(Change) -> F + Send,
    ) -> Result<T, Error>
    where
        T: Send,
        F: Future<Output = Result<T, Error>>,
    {
        self.apart(&self.url, async |database| {
            let session = Session::open(&database.pool, database.begin(scope.tenant, None), Bounds::NONE).await?;
            database.run_change(Arc::new(session), scope, shared, work).await
        })
    }

    /// Runs a statement in a transaction of its own, which does not wait for the disk: whoever relies on what it does is durable
    /// only together with it.
    pub(super) async fn apart_from_writes(&self, tenant: TenantId, statement: Statement) -> Result<Vec<Row>, Error> {
        let begin = format!("{}; SET LOCAL synchronous_commit = off", self.begin(tenant, Some(self.write_time())));
        let mut attempt = 0;
        loop {
            let session = Session::open(&self.id_pool, begin.clone(), self.bounds(self.write_time())).await?;
            let done = async {
                let rows = session.all(std::slice::from_ref(&statement)).await?.pop().unwrap_or_default();
                session.finish(&[]).await.map(|()| rows)
            };
            let done = done.await;
            session.undo().await;
            if let Some(rows) = settle(&mut attempt, done).await? {
                return Ok(rows);
            }
        }
    }

    /// What a transaction that writes begins with; `time` is what one of its statements may take.
    fn begin(&self, tenant: TenantId, time: Option<Duration>) -> String {
        let time = time.map(|time| format!("SET LOCAL statement_timeout = {}; ", time.as_millis())).unwrap_or_default();
        format!("BEGIN; SET LOCAL lock_timeout = {}; {time}{}", self.patience.as_millis(), only(tenant))
    }

    /// What a statement of a write may take that somebody waits for.
    fn write_time(&self) -> Duration {
        self.patience + WORK
    }

    fn bounds(&self, time: Duration) -> Bounds {
        Bounds { bytes: self.most_bytes(), time: Some(time) }
    }

    /// Bytes that the rows of statements that are sent together may have: those of a list, as they are sent.
    fn most_bytes(&self) -> usize {
        self.list_bytes.saturating_mul(4).max(64 << 20)
    }
}

/// Connections of the role that owns the tables, for one look, one migration or one copy.
pub(super) fn direct(url: &str, options: &Options) -> Result<Pool, Error> {
    connection::pool(options.owner.as_deref().unwrap_or(url), 2, options.patience)
}

/// What is read with it is of this moment, and of all tenants.
pub(super) async fn look(pool: &Pool) -> Result<OpenSession, Error> {
    let begin = format!("{BEGIN_READ}; {WHOLE}");
    Ok(OpenSession::Postgres(Arc::new(Session::open(pool, begin, Bounds::NONE).await?)))
}

/// A transaction that writes rows of all tenants.
pub(super) async fn write(pool: &Pool) -> Result<OpenSession, Error> {
    let begin = format!("BEGIN; {WHOLE}");
    Ok(OpenSession::Postgres(Arc::new(Session::open(pool, begin, Bounds::NONE).await?)))
}

/// The role that works with the tables, when another one owns them.
pub(super) fn role_of(location: &Location, options: &Options) -> Result<Option<String>, Error> {
    match location {
        Location::Postgres(url) if options.owner.is_some() => connection::role(url),
        Location::Postgres(_) | Location::Sqlite(_) => Ok(None),
    }
}

/// Which one it is: it stands in what is logged of a panic.
impl fmt::Debug for Database {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Location::Postgres(self.url.to_string()), formatter)
    }
}

/// A turn of a caller, for which it waits no longer than `patience`. What the service does by itself needs none.
async fn turn(turns: &Turns, scope: &Scope, patience: Duration) -> Result<Option<Arc<Turn>>, Error> {
    let Some(caller) = scope.caller() else { return Ok(None) };
    match tokio::time::timeout(patience, turns.enter(Some(caller))).await {
        Ok(Ok(turn)) => Ok(Some(Arc::new(turn))),
        Ok(Err(_)) | Err(_) => Err(Error::Busy),
    }
}

/// Has the server show a transaction the rows of that tenant only.
fn only(tenant: TenantId) -> String {
    format!("SET LOCAL service.tenant = {}", tenant.0)
}

/// What a write has come to; none when it is to be done anew, for others were in its way.
async fn settle<T>(attempt: &mut u32, result: Result<T, Error>) -> Result<Option<T>, Error> {
    match result {
        Err(error) if error::is_conflict(&error) => {
            tracing::debug!(error = &error as &dyn std::error::Error, "a write is done anew");
            pause(attempt, error).await?;
            Ok(None)
        }
        Err(Error::TooLong(_)) => {
            tracing::warn!("a write has taken too long, and is undone");
            Err(Error::Busy)
        }
        result => result.map(Some),
    }
}

/// Waits for a random while, a longer one at each attempt. Gives up after some; what breaks a rule of the tables even then is
/// wrong by itself.
async fn pause(attempt: &mut u32, error: Error) -> Result<(), Error> {
    *attempt += 1;
    if *attempt >= ATTEMPTS {
        return Err(if error::is_violation(&error) { error } else { Error::Busy });
    }
    tokio::time::sleep((PAUSE * 2u32.pow(*attempt)).mul_f64(fastrand::f64())).await;
    Ok(())
}

#[cfg(test)]
impl Database {
    /// Runs SQL that no operation has.
    pub(super) fn execute(&self, sql: &str) {
        // Bytes are written otherwise.
        let sql = sql.replace(" x'", " '\\x");
        self.apart(&self.url, async |database| {
            let connection = database.pool.get().await?;
            Ok(connection.batch_execute(&sql).await?)
        })
        .unwrap();
    }
}
