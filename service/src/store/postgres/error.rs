//! Maps errors of PostgreSQL to errors of the store.

use std::{error::Error as StdError, time::Duration};

use deadpool_postgres::PoolError;
use tokio_postgres::error::SqlState;

use crate::{domain::refusal::Refusal, store::Error};

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        if is_lost(&error) {
            return Self::Busy;
        }
        // Without a code, a value has another type.
        match error.code().map_or("", SqlState::code) {
            // The server is stopping, starting, out of connections, or a standby now; or a row is locked.
            "57P01" | "57P02" | "57P03" | "53300" | "25006" | "55P03" => Self::Busy,
            "53100" | "58030" => Self::Unwritable(error.to_string()),
            "57014" => Self::TooLong(Duration::ZERO),
            "22021" | "22P05" => {
                let detail = "holds a text with the character U+0000, which the store cannot keep";
                Self::Refused(vec![Refusal::new("", "pattern", detail)])
            }
            "26000" | "42P05" => {
                tracing::error!(
                    "between service and database, prepared statements get lost: PgBouncer has to be 1.21 or newer, with \
                     `max_prepared_statements` set"
                );
                Self::database(error)
            }
            "42501" => {
                tracing::error!(
                    "the role may not do this: `service migrate` with `store_owner` set gives it what it needs"
                );
                Self::database(error)
            }
            _ => Self::database(error),
        }
    }
}

impl From<PoolError> for Error {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) if error.code().is_some_and(is_setup) => Self::database(error),
            PoolError::Backend(error) => {
                tracing::warn!(error = &error as &dyn StdError, "the database cannot be reached");
                Self::Busy
            }
            _ => Self::Busy,
        }
    }
}

/// Whether the connection was lost.
pub(super) fn is_lost(error: &tokio_postgres::Error) -> bool {
    match error.code() {
        // PgBouncer or another proxy has lost the server.
        Some(code) => code.code().starts_with("08"),
        None => error.is_closed() || error.source().is_some_and(<dyn StdError>::is::<std::io::Error>),
    }
}

/// Whether an operator must fix it: a wrong password, a missing database, missing rights.
fn is_setup(code: &SqlState) -> bool {
    code.code().starts_with("28")
        || *code == SqlState::INVALID_CATALOG_NAME
        || *code == SqlState::INSUFFICIENT_PRIVILEGE
}

/// Whether a retry may succeed: another operation conflicted, or removed something.
pub(super) fn is_conflict(error: &Error) -> bool {
    matches!(error.code(), Some("40001" | "40P01" | "23503" | "23505"))
}
