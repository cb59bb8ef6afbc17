//! Errors of a database as writers see them.

use rusqlite::ffi;

use super::Error;

/// A violated constraint of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Violation {
    /// A dangling reference, or the removal of a referenced record.
    Reference,
    /// A duplicate key.
    Key,
}

impl Error {
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
