//! Folding as a function of SQL, for columns that have no folded twin.

use rusqlite::{Connection, functions::FunctionFlags};

use crate::store::{Error, sql::fold};

/// Makes it one.
pub(super) fn register(connection: &Connection) -> Result<(), Error> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("fold", 1, flags, |context| {
        let text =
            context.get_raw(0).as_str_or_null().map_err(|error| rusqlite::Error::UserFunctionError(error.into()))?;
        Ok(text.map(fold))
    })?;
    Ok(())
}
