//! How connections are opened.

use std::{path::Path, time::Duration};

use rusqlite::{Connection, OpenFlags, config::DbConfig};

use crate::store::Error;

/// How long a connection that reads waits for another process that recovers the log.
const RECOVERY: Duration = Duration::from_secs(5);

/// Statements that a connection keeps prepared.
const STATEMENTS: usize = 256;

/// Opens the connection that writes; creates the file.
pub(in crate::store) fn writing(file: &Path, patience: Duration) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(patience)?;
    prepare(&connection)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL;
         PRAGMA synchronous = FULL;
         PRAGMA foreign_keys = ON;
         PRAGMA wal_autocheckpoint = 4000;
         PRAGMA journal_size_limit = 67108864;
         PRAGMA temp_store = MEMORY;
         PRAGMA cache_size = -32768;",
    )?;
    Ok(connection)
}

/// Opens a connection that reads.
pub(in crate::store) fn reading(file: &Path) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(RECOVERY)?;
    prepare(&connection)?;
    // A mapped file would be unmapped by every connection after each commit, and all threads would wait.
    connection.execute_batch(
        "PRAGMA mmap_size = 0;
         PRAGMA temp_store = MEMORY;
         PRAGMA cache_size = -16384;",
    )?;
    Ok(connection)
}

/// The settings of both kinds.
fn prepare(connection: &Connection) -> Result<(), Error> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // Plans depend on the statement only; otherwise SQLite plans again for every new limit or range.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}
