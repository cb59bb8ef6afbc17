//! The store on PostgreSQL: each operation in one transaction, whose statements are sent together where they can be.

mod abandoned;
mod attachment;
mod audit;
mod change;
mod connection;
mod content;
mod error;
mod idempotency;
pub(super) mod inspect;
pub(super) mod keep;
mod list;
pub(super) mod migration;
mod names;
mod numbers;
mod operations;
mod replica;
mod retention;
mod session;
mod setting;
mod token;
pub(super) mod transfer;
mod turns;
mod value;
mod view;

use std::{fmt, future::Future, sync::Arc, time::Duration};

use deadpool_postgres::Pool;

use super::{
    Error, Location, Options, Scope, change::Change as NewChange, session::Session as OpenSession, shared::Shared,
    statement::Statement, value::Row, view::View as NewView,
};
use crate::domain::tenant::TenantId;
use change::Change;
use names::Cache;
use numbers::{Numbers, Queues};
use replica::Replicas;
pub(super) use session::Session;
use session::{Bounds, Query};
use turns::{Turn, Turns};
use view::View;

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
    /// The URL of the role that owns the tables, when it is another one.
    owner: Option<Arc<str>>,
    names: Arc<Cache>,
    numbering: Arc<Queues>,
    replicas: Arc<Replicas>,
    turns: Turns,
    is_new: bool,
    /// A read that takes longer is broken off.
    read_time: Duration,
    /// A write waits so long for others, and for a connection.
    patience: Duration,
    list_bytes: usize,
}

impl Database {
    /// Opens the database that a URL names, and brings its tables up to date when `options` say so.
    pub(super) fn open(url: &str, options: &Options) -> Result<Self, Error> {
        Self::start(url, options, true)
    }

    /// The same, without changing anything.
    pub(super) fn open_read_only(url: &str, options: &Options) -> Result<Self, Error> {
        Self::start(url, options, false)
    }

    fn start(url: &str, options: &Options, makes: bool) -> Result<Self, Error> {
        let pool = connection::pool(url, options.connections, options.patience)?;
        let mut database = Self {
            pool,
            id_pool: connection::pool(url, 2, options.patience)?,
            url: url.into(),
            owner: options.owner.as_deref().map(Into::into),
            names: Arc::default(),
            numbering: Arc::default(),
            replicas: Arc::new(Replicas::new(&options.replicas, options.connections)?),
            turns: Turns::new(options),
            is_new: false,
            read_time: options.long_reads.time,
            patience: options.patience,
            list_bytes: options.list_bytes,
        };
        let role = connection::role(url)?.filter(|_| options.owner.is_some());
        let place = if makes { database.owner.as_deref().unwrap_or(url) } else { url };
        database.is_new = database.apart(place, |database| async move {
            if makes {
                migration::migrate(&database.pool, options, role.as_deref()).await
            } else {
                migration::fit(&database.pool).await
            }
        })?;
        Ok(database)
    }

    pub(super) fn is_new(&self) -> bool {
        self.is_new
    }

    pub(super) fn close(&self) {
        self.pool.close();
        self.id_pool.close();
        self.replicas.close();
    }

    /// Waits for work with connections of its own, on a thread of its own: the calling one may belong to a runtime, where
    /// waiting is not allowed.
    fn apart<T, F, W>(&self, url: &str, work: W) -> Result<T, Error>
    where
        T: Send,
        W: FnOnce(Self) -> F + Send,
        F: Future<Output = Result<T, Error>>,
    {
        let pool = connection::pool(url, 2, self.patience)?;
        let id_pool = connection::pool(url, 1, self.patience)?;
        let database = Self { pool, id_pool, numbering: Arc::default(), ..self.clone() };
        std::thread::scope(|threads| {
            let waiting = threads.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime.map_err(Error::database)?.block_on(work(database))
            });
            waiting.join().unwrap_or_else(|_| Err(Error::Damaged("work on the store panicked".into())))
        })
    }

    /// Reads one state of the database as somebody: on a replica, when one has all that was written before.
    async fn view<T, F>(&self, scope: &Scope, work: impl Fn(View) -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        if scope.reads_replicas && !self.replicas.is_empty() {
            let turn = Arc::new(self.turns.spread_read(scope).await?);
            if let Some(replica) = self.replicas.caught_up(&self.pool).await {
                match tokio::time::timeout(self.read_time, self.read(&replica.pool, &turn, scope, &work)).await {
                    Ok(Err(error @ (Error::Busy | Error::Database(_)))) => replica.fail(&error),
                    Ok(result) => return result,
                    Err(_) => replica.fail(&Error::TooLong(self.read_time)),
                }
            }
        }
        let turn = Arc::new(self.turns.read(scope).await?);
        self.read(&self.pool, &turn, scope, &work).await
    }

    async fn read<T, F>(
        &self,
        pool: &Pool,
        turn: &Arc<Turn>,
        scope: &Scope,
        work: &impl Fn(View) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let mut attempt = 0;
        loop {
            let timeout = self.read_time.as_millis();
            let begin = format!("{BEGIN_READ}; SET LOCAL statement_timeout = {timeout}; {}", only(scope.tenant));
            let result = async {
                let session = Session::open(pool, begin, self.bounds(self.read_time)).await?.within(turn);
                let session = Arc::new(session);
                let view = View::new(Arc::clone(&session), scope, Arc::clone(&self.names), self.list_bytes);
                let result = work(view).await;
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

    /// Writes as somebody, and returns once it is durable. It is done to its end even when nobody waits for it any more, and
    /// anew, as a whole, when others are in its way.
    async fn change<T, F>(&self, scope: &Scope, work: impl Fn(Change) -> F + Send + 'static) -> Result<T, Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send,
    {
        self.change_in(self.turns.write(scope).await?, scope, work).await
    }

    async fn change_in<T, F>(
        &self,
        turn: Turn,
        scope: &Scope,
        work: impl Fn(Change) -> F + Send + 'static,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send,
    {
        let (database, scope) = (self.clone(), scope.clone());
        let written = tokio::spawn(async move { database.write(&Arc::new(turn), &scope, work).await });
        written.await.map_err(Error::database)?
    }

    /// The same, with numbers for so many new records of these kinds.
    async fn change_numbered<T, F>(
        &self,
        scope: &Scope,
        wanted: &[(&'static str, usize)],
        work: impl Fn(Change, Numbers) -> F + Send + 'static,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send,
    {
        let turn = self.turns.write(scope).await?;
        let numbers = self.numbers(scope.tenant, wanted).await?;
        self.change_in(turn, scope, move |change| work(change, numbers.clone())).await
    }

    /// What somebody reads in a session, of which an answer may have any number of bytes.
    fn reading(&self, session: Arc<Session>, scope: &Scope) -> View {
        View::new(session, scope, Arc::clone(&self.names), usize::MAX)
    }

    /// Numbers for so many new records of these kinds.
    async fn numbers(&self, tenant: TenantId, wanted: &[(&'static str, usize)]) -> Result<Numbers, Error> {
        let take = async |wanted| {
            // Whoever relies on the numbers is durable only together with them.
            let begin = format!("{}; SET LOCAL synchronous_commit = off", self.begin(tenant, Some(self.write_time())));
            let mut attempt = 0;
            loop {
                let session = Session::open(&self.pool, begin.clone(), self.bounds(self.write_time())).await?;
                let taken = Numbers::take(&session, tenant.0, &wanted).await;
                session.undo().await;
                if let Some(taken) = settle(&mut attempt, taken).await? {
                    return Ok(taken);
                }
            }
        };
        self.numbering.numbers(tenant, wanted, take).await
    }

    /// Reads one state of the database as somebody.
    pub(super) async fn read_as<T, F>(
        &self,
        scope: &Scope,
        shared: &Arc<Shared>,
        work: impl Fn(NewView) -> F + Send + Sync,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>> + Send,
    {
        self.view(scope, |view| {
            work(NewView::new(OpenSession::Postgres(view.session), scope, Arc::clone(shared), self.list_bytes))
        })
        .await
    }

    /// Writes as somebody.
    pub(super) async fn write_as<T, F>(
        &self,
        scope: &Scope,
        shared: &Arc<Shared>,
        work: impl Fn(NewChange) -> F + Send + Sync + 'static,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send,
    {
        let (database, of_work, shared, work) = (self.clone(), scope.clone(), Arc::clone(shared), Arc::new(work));
        self.change(scope, move |change| {
            let session = OpenSession::Postgres(Arc::clone(&change.view.session));
            let view = NewView::new(session, &of_work, Arc::clone(&shared), usize::MAX);
            let change = NewChange::new(view, &of_work, Some(database.clone()));
            let work = Arc::clone(&work);
            async move {
                let value = work(change.clone()).await?;
                change.finish().await?;
                Ok(value)
            }
        })
        .await
    }

    /// Reads one state on the calling thread, with a connection of its own, however long it takes.
    pub(super) fn read_alone<T, F>(
        &self,
        scope: &Scope,
        shared: &Arc<Shared>,
        work: impl FnOnce(NewView) -> F + Send,
    ) -> Result<T, Error>
    where
        T: Send,
        F: Future<Output = Result<T, Error>>,
    {
        self.apart(&self.url, |database| async move {
            let begin = format!("{BEGIN_READ}; {}", only(scope.tenant));
            let session = Arc::new(Session::open(&database.pool, begin, Bounds::NONE).await?);
            let open = OpenSession::Postgres(Arc::clone(&session));
            let result = work(NewView::new(open, scope, Arc::clone(shared), usize::MAX)).await;
            session.leave();
            result
        })
    }

    /// Writes on the calling thread, with a connection of its own, once and however long it takes.
    pub(super) fn write_alone<T, F>(
        &self,
        scope: &Scope,
        shared: &Arc<Shared>,
        work: impl FnOnce(NewChange) -> F + Send,
    ) -> Result<T, Error>
    where
        T: Send,
        F: Future<Output = Result<T, Error>>,
    {
        self.apart(&self.url, |database| async move {
            let session = Session::open(&database.pool, database.begin(scope.tenant, None), Bounds::NONE).await?;
            let session = Arc::new(session);
            let view = NewView::new(OpenSession::Postgres(Arc::clone(&session)), scope, Arc::clone(shared), usize::MAX);
            let change = NewChange::new(view, scope, Some(database));
            let result = match work(change.clone()).await {
                Ok(value) => change.finish().await.map(|()| value),
                Err(error) => Err(error),
            };
            match result {
                Ok(value) => session.end().await.map(|()| value),
                Err(error) => {
                    session.undo().await;
                    Err(error)
                }
            }
        })
    }

    /// Runs a statement in a transaction of its own, which does not wait for the disk: whoever relies on what it does is durable
    /// only together with it.
    pub(super) async fn apart_from_writes(&self, tenant: TenantId, statement: Statement) -> Result<Vec<Row>, Error> {
        let begin = format!("{}; SET LOCAL synchronous_commit = off", self.begin(tenant, Some(self.write_time())));
        let mut attempt = 0;
        loop {
            let session = Session::open(&self.id_pool, begin.clone(), self.bounds(self.write_time())).await?;
            let mut done = session.answer_of(statement.clone()).await;
            if done.is_ok()
                && let Err(error) = session.end().await
            {
                done = Err(error);
            }
            session.undo().await;
            if let Some(rows) = settle(&mut attempt, done).await? {
                return Ok(rows);
            }
        }
    }

    /// Runs statements in a transaction of their own.
    async fn beside(&self, tenant: TenantId, queries: &[Query]) -> Result<(), Error> {
        let begin = self.begin(tenant, Some(self.write_time()));
        let mut attempt = 0;
        loop {
            let session = Session::open(&self.pool, begin.clone(), self.bounds(self.write_time())).await?;
            let done = session.finish(queries).await;
            session.undo().await;
            if settle(&mut attempt, done).await?.is_some() {
                return Ok(());
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

    async fn write<T, F>(&self, turn: &Arc<Turn>, scope: &Scope, work: impl Fn(Change) -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let time = if scope.actor.token.is_some() { self.write_time() } else { self.patience + OWN_WORK };
        let begin = self.begin(scope.tenant, Some(time));
        let mut attempt = 0;
        loop {
            let session = Session::open(&self.pool, begin.clone(), self.bounds(time)).await?.within(turn);
            let session = Arc::new(session);
            let view = self.reading(Arc::clone(&session), scope);
            let result = match work(Change::new(view, scope)).await {
                Ok(value) => session.end().await.map(|()| value),
                Err(error) => Err(error),
            };
            if result.is_err() {
                session.undo().await;
            }
            if let Some(value) = settle(&mut attempt, result).await? {
                return Ok(value);
            }
        }
    }

    /// So many bytes the rows of statements that are sent together may have: those of a list, as they are sent.
    fn most_bytes(&self) -> usize {
        self.list_bytes.saturating_mul(4).max(64 << 20)
    }
}

/// Which one it is: it stands in what is logged of a panic.
impl fmt::Debug for Database {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Location::Postgres(self.url.to_string()), formatter)
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
        return Err(if error::is_violation(&error).is_some() { error } else { Error::Busy });
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
        self.apart(self.owner.as_deref().unwrap_or(&self.url), |database| async move {
            let connection = database.pool.get().await?;
            Ok(connection.batch_execute(&sql).await?)
        })
        .unwrap();
    }
}
