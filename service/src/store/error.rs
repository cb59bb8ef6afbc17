//! What the failures of a database mean for those who write.

use rusqlite::ffi;

use super::Error;

/// A rule of the tables that a statement breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Violation {
    /// A reference leads nowhere, or a record is removed that others refer to.
    Reference,
    /// There is such a record already.
    Key,
}

impl Error {
    /// The rule of the tables that a statement breaks.
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
