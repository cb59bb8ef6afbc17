//! A connection that an operation uses: statements are sent and answered together.

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use deadpool_postgres::{Object, Pool};
use futures_util::{FutureExt as _, StreamExt as _, TryStreamExt as _, future::join, stream::FuturesOrdered};
use tokio::{runtime::Handle, time::timeout};
use tokio_postgres::{Statement as Prepared, types::ToSql};

use super::{abandoned::Abandoned, error, value::value};
use crate::{
    shares::Permit,
    store::{Error, statement::Statement, value::Row},
};

/// The number of prepared statements per connection; beyond it, the cache is cleared.
const STATEMENTS: usize = 500;

/// If the server does not end a statement within this time after its limit, it is considered gone.
const GRACE: Duration = Duration::from_secs(2);

/// The limits of statements that are sent together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The maximum size of their rows.
    pub(super) bytes: usize,
    /// The maximum time of each, if any.
    pub(super) time: Option<Duration>,
}

impl Limits {
    /// No limits.
    pub(super) const NONE: Self = Self { bytes: usize::MAX, time: None };
}

/// A connection in one transaction, which begins with the first statements. If it is dropped early, it is
/// rolled back before the connection is reused.
pub(in crate::store) struct Session {
    connection: Option<Object>,
    permit: Option<Arc<Permit>>,
    begin: String,
    limits: Limits,
    has_begun: AtomicBool,
    has_ended: AtomicBool,
    /// Whether the server does not answer.
    is_silent: AtomicBool,
}

impl Session {
    /// Waits for a connection; `begin` is the beginning of its transaction. The permit is held until the connection
    /// is returned, which may be after all callers have left.
    pub(super) async fn open(
        pool: &Pool,
        begin: String,
        limits: Limits,
        permit: Option<Arc<Permit>>,
    ) -> Result<Self, Error> {
        let connection = pool.get().await?;
        if connection.statement_cache.size() > STATEMENTS {
            connection.statement_cache.clear();
        }
        let [has_begun, has_ended, is_silent] = [const { AtomicBool::new(false) }; 3];
        Ok(Self { connection: Some(connection), permit, begin, limits, has_begun, has_ended, is_silent })
    }

    /// Runs statements; all are sent before the first answer.
    pub(in crate::store) async fn all(&self, statements: &[Statement]) -> Result<Vec<Vec<Row>>, Error> {
        self.send(statements, false).await
    }

    /// Runs statements without values.
    pub(in crate::store) async fn batch(&self, sql: &str) -> Result<(), Error> {
        let Some(connection) = &self.connection else { return Err(Error::Busy) };
        if !self.has_begun.swap(true, Ordering::Relaxed) {
            connection.batch_execute(&self.begin).await?;
        }
        Ok(connection.batch_execute(sql).await?)
    }

    /// Runs the last statements together with the commit.
    pub(in crate::store) async fn finish(&self, last: &[Statement]) -> Result<(), Error> {
        if !last.is_empty() || self.is_open() {
            self.send(last, true).await?;
        }
        Ok(())
    }

    /// Ends a read-only transaction without waiting; the next user of the connection comes after it.
    pub(super) fn leave(&self) {
        if let Some(connection) = &self.connection
            && self.is_open()
            && !self.is_silent.load(Ordering::Relaxed)
        {
            self.has_ended.store(true, Ordering::Relaxed);
            // One poll sends the statement; the answer is not needed.
            let _ = connection.batch_execute("ROLLBACK").now_or_never();
        }
    }

    /// Whether the transaction has begun and not ended.
    fn is_open(&self) -> bool {
        self.has_begun.load(Ordering::Relaxed) && !self.has_ended.load(Ordering::Relaxed)
    }

    async fn send(&self, queries: &[Statement], is_last: bool) -> Result<Vec<Vec<Row>>, Error> {
        let sent = self.answers(queries, is_last);
        let Some(time) = self.limits.time else { return sent.await };
        timeout(time + GRACE, sent).await.unwrap_or_else(|_| {
            self.is_silent.store(true, Ordering::Relaxed);
            Err(if is_last { Error::Unconfirmed } else { Error::TooLong(time) })
        })
    }

    async fn answers(&self, queries: &[Statement], is_last: bool) -> Result<Vec<Vec<Row>>, Error> {
        let Some(connection) = &self.connection else { return Err(Error::Busy) };
        // Statements are sent in the order of their first poll, before any answer. The beginning is sent before statements
        // are prepared, because it limits the wait for locked tables.
        let is_first = !self.has_begun.swap(true, Ordering::Relaxed);
        let begin = async { if is_first { connection.batch_execute(&self.begin).await } else { Ok(()) } };
        let mut begin = pin!(begin.fuse());
        let at_once = (&mut begin).now_or_never();
        let mut statements = Vec::with_capacity(queries.len());
        for query in queries {
            statements.push(connection.prepare_cached(&query.sql).await?);
        }
        let begin = async { if let Some(result) = at_once { result } else { begin.await } };
        let answers: FuturesOrdered<_> =
            queries.iter().zip(&statements).map(|(query, prepared)| self.answer(connection, query, prepared)).collect();
        let end = async { if is_last { connection.batch_execute("COMMIT").await } else { Ok(()) } };
        let ((started, answers), ended) = join(join(begin, answers.collect::<Vec<_>>()), end).await;
        if is_last && ended.is_ok() {
            // A failed transaction is rolled back at its end.
            self.has_ended.store(true, Ordering::Relaxed);
        }
        if ended.as_ref().is_err_and(error::is_lost) {
            return Err(Error::Unconfirmed);
        }
        started?;
        // The first failure is the cause of the others.
        let answers = answers.into_iter().collect::<Result<_, _>>()?;
        ended?;
        Ok(answers)
    }

    /// Rolls back, so that others can use the connection.
    pub(in crate::store) async fn undo(&self) {
        if let Some(connection) = &self.connection
            && self.is_open()
            && !self.is_silent.load(Ordering::Relaxed)
            && let Ok(Ok(())) = timeout(GRACE, connection.batch_execute("ROLLBACK")).await
        {
            self.has_ended.store(true, Ordering::Relaxed);
        }
    }

    async fn answer(&self, connection: &Object, query: &Statement, prepared: &Prepared) -> Result<Vec<Row>, Error> {
        let parameters = query.values.iter().map(|parameter| parameter as &(dyn ToSql + Sync));
        let stream = connection.query_raw(prepared, parameters).await?;
        let mut stream = pin!(stream);
        let (mut rows, mut bytes) = (Vec::new(), 0);
        while let Some(row) = stream.try_next().await? {
            bytes += row.raw_size_bytes();
            if bytes > self.limits.bytes {
                return Err(Error::TooLarge);
            }
            let values = (0..row.len()).map(|position| value(&row, position));
            rows.push(Row(values.collect::<Result<_, _>>()?));
        }
        Ok(rows)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.is_open()
            && let Some(connection) = self.connection.take()
        {
            let abandoned = Abandoned::new(connection, self.permit.take());
            // Without a runtime the rollback cannot be awaited: the connection is closed.
            if let Ok(runtime) = Handle::try_current() {
                runtime.spawn(abandoned.end(GRACE));
            }
        }
    }
}
