//! A connection while an operation uses it: statements are sent together, and answered together.

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

use super::{abandoned::Abandoned, value::value};
use crate::{
    shares::Turn,
    store::{Error, statement::Statement, value::Row},
};

/// Prepared statements that a connection keeps; then it begins anew.
const STATEMENTS: usize = 500;

/// The server ends what takes too long by itself; one that has not so much later is not there any more.
const GRACE: Duration = Duration::from_secs(2);

/// What statements that are sent together may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Bytes that their rows may have.
    pub(super) bytes: usize,
    /// How long the server may work on them, if that is bounded.
    pub(super) time: Option<Duration>,
}

impl Bounds {
    /// Whatever they take.
    pub(super) const NONE: Self = Self { bytes: usize::MAX, time: None };
}

/// A connection in one transaction, which begins with the first statements. Dropped before its end, what was begun is undone
/// before others have the connection.
pub(in crate::store) struct Session {
    connection: Option<Object>,
    turn: Option<Arc<Turn>>,
    begin: String,
    bounds: Bounds,
    has_begun: AtomicBool,
    has_ended: AtomicBool,
    /// The server does not answer.
    is_silent: AtomicBool,
}

impl Session {
    /// Waits for a connection; `begin` is what its transaction begins with.
    pub(super) async fn open(pool: &Pool, begin: String, bounds: Bounds) -> Result<Self, Error> {
        let connection = pool.get().await?;
        if connection.statement_cache.size() > STATEMENTS {
            connection.statement_cache.clear();
        }
        let [has_begun, has_ended, is_silent] = [const { AtomicBool::new(false) }; 3];
        Ok(Self { connection: Some(connection), turn: None, begin, bounds, has_begun, has_ended, is_silent })
    }

    /// The turn ends when the connection is given back, which may be after everybody has stopped waiting.
    pub(super) fn within(mut self, turn: Option<Arc<Turn>>) -> Self {
        self.turn = turn;
        self
    }

    /// Runs statements, all of which are sent before the first answer is waited for.
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

    /// Runs the last statements, and commits with them.
    pub(in crate::store) async fn finish(&self, last: &[Statement]) -> Result<(), Error> {
        if !last.is_empty() || self.is_open() {
            self.send(last, true).await?;
        }
        Ok(())
    }

    /// Ends a transaction that has only read, without waiting for it: who has the connection next comes after it.
    pub(super) fn leave(&self) {
        if let Some(connection) = &self.connection
            && self.is_open()
            && !self.is_silent.load(Ordering::Relaxed)
        {
            self.has_ended.store(true, Ordering::Relaxed);
            // Asked once, it is sent; nothing depends on the answer.
            let _ = connection.batch_execute("ROLLBACK").now_or_never();
        }
    }

    /// Whether it has begun and not ended.
    fn is_open(&self) -> bool {
        self.has_begun.load(Ordering::Relaxed) && !self.has_ended.load(Ordering::Relaxed)
    }

    async fn send(&self, queries: &[Statement], is_last: bool) -> Result<Vec<Vec<Row>>, Error> {
        let sent = self.answers(queries, is_last);
        let Some(time) = self.bounds.time else { return sent.await };
        timeout(time + GRACE, sent).await.unwrap_or_else(|_| {
            self.is_silent.store(true, Ordering::Relaxed);
            Err(Error::TooLong(time))
        })
    }

    async fn answers(&self, queries: &[Statement], is_last: bool) -> Result<Vec<Vec<Row>>, Error> {
        let Some(connection) = &self.connection else { return Err(Error::Busy) };
        // What is sent is in the order in which it is first asked, and all of it is before any answer is waited for. The
        // beginning is before statements are prepared, which waits for tables that others hold: it says for how long.
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
            // Of what has failed it has ended by undoing it.
            self.has_ended.store(true, Ordering::Relaxed);
        }
        started?;
        // The first failure is the cause of the others.
        let answers = answers.into_iter().collect::<Result<_, _>>()?;
        ended?;
        Ok(answers)
    }

    /// Undoes what was done, so that others can use the connection.
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
            if bytes > self.bounds.bytes {
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
            let abandoned = Abandoned::new(connection, self.turn.take());
            // Without a runtime nobody can wait for the server: the connection is closed.
            if let Ok(runtime) = Handle::try_current() {
                runtime.spawn(abandoned.end(GRACE));
            }
        }
    }
}
