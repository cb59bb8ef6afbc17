//! A connection while an operation uses it: statements are sent together, and answered together.

use std::{
    borrow::Cow,
    sync::atomic::{AtomicBool, Ordering},
};

use deadpool_postgres::{Object, Pool};
use futures_util::{FutureExt as _, StreamExt as _, TryStreamExt as _, future::join, pin_mut, stream::FuturesOrdered};
use tokio_postgres::{Row, Statement, types::ToSql};

use super::value::Parameter;
use crate::store::Error;

/// So many prepared statements a connection keeps; then it begins anew.
const STATEMENTS: usize = 500;

/// A statement and its values.
#[derive(Clone, Debug)]
pub(super) struct Query {
    sql: Cow<'static, str>,
    parameters: Vec<Parameter>,
}

impl Query {
    pub(super) fn new(sql: impl Into<Cow<'static, str>>, parameters: impl Into<Vec<Parameter>>) -> Self {
        Self { sql: sql.into(), parameters: parameters.into() }
    }

    pub(super) fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }
}

/// The values of a statement.
macro_rules! parameters {
    ($($value:expr),* $(,)?) => {
        vec![$($crate::store::postgres::value::Parameter::from($value)),*]
    };
}
pub(super) use parameters;

/// A connection in one transaction, which begins with the first statements. Dropped before its end, it is closed.
pub(super) struct Session {
    connection: Option<Object>,
    begin: String,
    /// So many bytes the rows of statements that are sent together may have.
    bytes: usize,
    has_begun: AtomicBool,
    has_ended: AtomicBool,
}

impl Session {
    /// Waits for a connection; `begin` is what its transaction begins with.
    pub(super) async fn open(pool: &Pool, begin: String, bytes: usize) -> Result<Self, Error> {
        let connection = pool.get().await?;
        if connection.statement_cache.size() > STATEMENTS {
            connection.statement_cache.clear();
        }
        let (has_begun, has_ended) = (AtomicBool::new(false), AtomicBool::new(false));
        Ok(Self { connection: Some(connection), begin, bytes, has_begun, has_ended })
    }

    /// Runs statements; the rows of each come back.
    pub(super) async fn run<const N: usize>(&self, queries: [Query; N]) -> Result<[Vec<Row>; N], Error> {
        let rows = self.send(&queries, false).await?;
        rows.try_into().map_err(|_| Error::Damaged("a statement has no answer".into()))
    }

    /// Runs one statement.
    pub(super) async fn rows(&self, query: Query) -> Result<Vec<Row>, Error> {
        let [rows] = self.run([query]).await?;
        Ok(rows)
    }

    /// Runs any number of statements.
    pub(super) async fn all(&self, queries: &[Query]) -> Result<Vec<Vec<Row>>, Error> {
        self.send(queries, false).await
    }

    /// Runs statements, and commits with them.
    pub(super) async fn finish(&self, queries: &[Query]) -> Result<Vec<Vec<Row>>, Error> {
        self.send(queries, true).await
    }

    /// Ends a transaction that has only read, without waiting for it: who has the connection next comes after it.
    pub(super) fn leave(&self) {
        if let Some(connection) = &self.connection
            && self.has_begun.load(Ordering::Relaxed)
            && !self.has_ended.swap(true, Ordering::Relaxed)
        {
            // Asked once, it is sent; nothing depends on the answer.
            let _ = connection.batch_execute("ROLLBACK").now_or_never();
        }
    }

    /// Commits, unless that is done.
    pub(super) async fn end(&self) -> Result<(), Error> {
        if self.has_begun.load(Ordering::Relaxed) && !self.has_ended.load(Ordering::Relaxed) {
            self.finish(&[]).await?;
        }
        Ok(())
    }

    async fn send(&self, queries: &[Query], is_last: bool) -> Result<Vec<Vec<Row>>, Error> {
        let Some(connection) = &self.connection else { return Err(Error::Busy) };
        let mut statements = Vec::with_capacity(queries.len());
        for query in queries {
            statements.push(connection.prepare_cached(&query.sql).await?);
        }
        // What is sent is in the order in which it is first asked, and all of it is before any answer is waited for.
        let is_first = !self.has_begun.swap(true, Ordering::Relaxed);
        let begin = async { if is_first { connection.batch_execute(&self.begin).await } else { Ok(()) } };
        let answers: FuturesOrdered<_> = queries
            .iter()
            .zip(&statements)
            .map(|(query, statement)| self.answer(connection, query, statement))
            .collect();
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
    pub(super) async fn undo(&self) {
        if let Some(connection) = &self.connection
            && self.has_begun.load(Ordering::Relaxed)
            && !self.has_ended.load(Ordering::Relaxed)
            && connection.batch_execute("ROLLBACK").await.is_ok()
        {
            self.has_ended.store(true, Ordering::Relaxed);
        }
    }

    async fn answer(&self, connection: &Object, query: &Query, statement: &Statement) -> Result<Vec<Row>, Error> {
        let parameters = query.parameters.iter().map(|parameter| parameter as &(dyn ToSql + Sync));
        let stream = connection.query_raw(statement, parameters).await?;
        pin_mut!(stream);
        let (mut rows, mut bytes) = (Vec::new(), 0);
        while let Some(row) = stream.try_next().await? {
            bytes += row.raw_size_bytes();
            if bytes > self.bytes {
                return Err(Error::TooLarge);
            }
            rows.push(row);
        }
        Ok(rows)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A connection in the midst of a transaction is of no use to others; closed, the server undoes what was begun.
        if self.has_begun.load(Ordering::Relaxed)
            && !self.has_ended.load(Ordering::Relaxed)
            && let Some(connection) = self.connection.take()
        {
            drop(Object::take(connection));
        }
    }
}
