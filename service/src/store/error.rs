//! Errors of the store.

use std::{sync::Arc, time::Duration};

use rusqlite::ffi;

use crate::domain::refusal::Refusal;

/// An error of the store.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The input violates rules that only the store can check.
    #[error("the input is refused: {}", .0.iter().map(|refusal| format!("{} {}", refusal.pointer, refusal.detail)).collect::<Vec<_>>().join("; "))]
    Refused(Vec<Refusal>),
    /// The idempotency key was used for another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The record does not meet the [`Condition`](super::Condition) of the writer.
    #[error("the record has changed")]
    NotAsExpected,
    /// Too many writes are waiting, or another process has locked the store.
    #[error("the store is busy")]
    Busy,
    /// The connection to the database was lost during a commit.
    #[error("the connection to the database was lost while it committed: the change may have been made")]
    Unconfirmed,
    /// A read exceeded its time limit.
    #[error("the read took longer than {} s", .0.as_secs_f32())]
    TooLong(Duration),
    /// The response would exceed the maximum size.
    #[error("the response would be too large")]
    TooLarge,
    /// The disk is full, or writing to it fails.
    #[error("the store cannot be written: {0}")]
    Unwritable(String),
    /// The tenant's files would exceed the maximum size.
    #[error("the tenant has {used} bytes of files; {more} more are more than {limit}")]
    OverQuota {
        /// The bytes of the files of the tenant; files with the same content count once.
        used: u64,
        /// The bytes to add.
        more: u64,
        /// The maximum.
        limit: u64,
    },
    /// A content was removed after it was claimed: claim and write it again.
    #[error("the content is no longer claimed")]
    Unclaimed,
    /// The store was written by a newer version of the program.
    #[error(
        "the store has migration {found}, this program knows {known}: use the program that wrote it, or a newer one"
    )]
    Newer {
        /// The last migration of the store.
        found: i64,
        /// The last migration of this program.
        known: i64,
    },
    /// The store was written by an older version of the program.
    #[error("the store has migration {found}, this program needs {known}: run `service migrate`")]
    Older {
        /// The last migration of the store.
        found: i64,
        /// The last migration of this program.
        known: i64,
    },
    /// The store does not exist.
    #[error("the store does not exist: `service init` creates it")]
    NoStore,
    /// The copy that precedes a migration cannot be written.
    #[error("the store has not been migrated: its copy cannot be written to {file}")]
    NotCopied {
        /// The path of the copy.
        file: String,
        /// The error of the copy.
        source: Box<Error>,
    },
    /// A migration of the store differs from the one of this program with the same number.
    #[error("migration {0} of the store differs from this program's: another program created the store")]
    Altered(i64),
    /// The lock that protects contents from removal was lost.
    #[error(
        "contents of attachments may have been removed, because the connection to the database was lost: start again"
    )]
    NotKept,
    /// Row-level security hides the rows of other tenants from the role, but all rows are needed.
    #[error(
        "the role can read the rows of one tenant only: name the role that owns the tables in the setting `store_owner`"
    )]
    Fenced,
    /// The store is an unfinished copy of another one.
    #[error("the store is an unfinished copy: run the same `service copy` or `service restore` again to finish it")]
    Unfinished,
    /// The store is an unfinished copy of a different store.
    #[error("it is an unfinished copy of another store: empty it, or use another place")]
    OtherCopy,
    /// The target of a copy has rows.
    #[error("it is not empty, because the table `{0}` has rows: nothing has been changed")]
    NotEmpty(&'static str),
    /// The file is a database of another program.
    #[error("{0} is a database of another program")]
    Foreign(String),
    /// Stored data is invalid.
    #[error("{0}")]
    Damaged(String),
    /// The database failed.
    #[error("the database failed")]
    Database(#[source] Arc<dyn std::error::Error + Send + Sync>),
}

/// A violated constraint of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Violation {
    /// A dangling reference, or the removal of a referenced record.
    Reference,
    /// A duplicate key.
    Key,
}

impl Error {
    /// A failure of the database.
    pub(super) fn database(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Database(Arc::new(error))
    }

    /// The code of a failure of PostgreSQL.
    pub(super) fn code(&self) -> Option<&str> {
        let Self::Database(source) = self else { return None };
        Some(source.downcast_ref::<tokio_postgres::Error>()?.code()?.code())
    }

    /// The constraint that a statement violates.
    pub(super) fn violation(&self) -> Option<Violation> {
        match self.code() {
            Some("23503") => return Some(Violation::Reference),
            Some("23505") => return Some(Violation::Key),
            _ => {}
        }
        let Self::Database(source) = self else { return None };
        match source.downcast_ref::<rusqlite::Error>()?.sqlite_error()?.extended_code {
            ffi::SQLITE_CONSTRAINT_FOREIGNKEY => Some(Violation::Reference),
            ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY => Some(Violation::Key),
            _ => None,
        }
    }
}
