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
    /// The constraint that a statement violates.
    pub(super) fn violation(&self) -> Option<Violation> {
        let Self::Database(source) = self else { return None };
        if let Some(error) = source.downcast_ref::<tokio_postgres::Error>() {
            return match error.code()?.code() {
                "23503" => Some(Violation::Reference),
                "23505" => Some(Violation::Key),
                _ => None,
            };
        }
        match source.downcast_ref::<rusqlite::Error>()?.sqlite_error()?.extended_code {
            ffi::SQLITE_CONSTRAINT_FOREIGNKEY => Some(Violation::Reference),
            ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY => Some(Violation::Key),
            _ => None,
        }
    }
}
