//! A transaction of a database, in which the statements of an operation run.

use std::sync::Arc;

use super::{
    Error, postgres, sqlite,
    statement::{Dialect, Statement, first},
    value::{FromValue, Row},
};

/// An open transaction. Clones share it. On SQLite futures never wait: one poll returns the result.
#[derive(Clone)]
pub(super) enum Session {
    Sqlite(sqlite::session::Session),
    Postgres(Arc<postgres::Session>),
}

impl Session {
    /// The dialect of its statements.
    pub(super) fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite(_) => Dialect::Sqlite,
            Self::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Runs a statement.
    pub(super) async fn rows(&self, statement: impl Into<Statement>) -> Result<Vec<Row>, Error> {
        Ok(self.all(vec![statement.into()]).await?.pop().unwrap_or_default())
    }

    /// The first value of a statement's first row, unless there is none or it is NULL.
    pub(super) async fn first<T: FromValue>(&self, statement: impl Into<Statement>) -> Result<Option<T>, Error> {
        first(&self.rows(statement).await?)
    }

    /// Runs statements. PostgreSQL receives all of them before the first answer.
    pub(super) async fn all(&self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, Error> {
        match self {
            Self::Sqlite(session) => session.all(&statements),
            Self::Postgres(session) => session.all(&statements).await,
        }
    }

    /// The texts in the first column of a statement's rows.
    pub(super) async fn texts(&self, statement: impl Into<Statement>) -> Result<Vec<String>, Error> {
        self.rows(statement).await?.into_iter().map(|mut row| row.take(0)).collect()
    }

    /// Runs statements without values, such as those of a migration.
    pub(super) async fn batch(&self, sql: &str) -> Result<(), Error> {
        match self {
            Self::Sqlite(session) => session.batch(sql),
            Self::Postgres(session) => session.batch(sql).await,
        }
    }

    /// Commits.
    pub(super) async fn commit(&self) -> Result<(), Error> {
        match self {
            Self::Sqlite(session) => session.batch("COMMIT"),
            Self::Postgres(session) => session.finish(&[]).await,
        }
    }

    /// Rolls back. If that fails, the connection is closed, which rolls back as well.
    pub(super) async fn undo(&self) {
        match self {
            Self::Sqlite(session) => drop(session.batch("ROLLBACK")),
            Self::Postgres(session) => session.undo().await,
        }
    }

    /// Like [`Self::all`], for a fixed number of statements.
    pub(super) async fn run<const N: usize>(&self, statements: [Statement; N]) -> Result<[Vec<Row>; N], Error> {
        let answers = self.all(statements.into()).await?;
        answers.try_into().map_err(|_| Error::Damaged("a statement has no answer".into()))
    }
}
