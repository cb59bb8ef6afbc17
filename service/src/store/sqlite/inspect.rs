//! What a database says of its own health.

use rusqlite::{Connection, Row};

use crate::store::Error;

/// The indexes, triggers and views that there are.
pub(in crate::store) const OBJECTS: &str = "SELECT name FROM sqlite_schema WHERE type IN ('index', 'trigger', 'view')";

/// Problems of a kind that are reported.
const MOST: u32 = 20;

/// What is wrong with pages and indexes; nothing when all is well.
pub(in crate::store) fn integrity(connection: &Connection) -> Result<Vec<String>, Error> {
    let lines: Vec<String> = collect(connection, &format!("PRAGMA integrity_check({MOST})"), |row| row.get(0))?;
    Ok(if lines == ["ok"] { Vec::new() } else { lines })
}

/// Records that refer to records which are not there: of which table to which, and how many.
pub(in crate::store) fn foreign_keys(connection: &Connection) -> Result<Vec<(String, String, u64)>, Error> {
    let sql = "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2 ORDER BY 1, 2";
    collect(connection, sql, |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, i64>(2)?.cast_unsigned())))
}

fn collect<T>(
    connection: &Connection,
    sql: &str,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, Error> {
    let mut statement = connection.prepare(sql)?;
    Ok(statement.query_map((), read)?.collect::<Result<_, _>>()?)
}
