//! A snapshot copy of a database, made while it is in use.

use std::{
    fs::{self, File},
    path::Path,
};

use rusqlite::types::{ToSqlOutput, ValueRef};

use super::connection;
use crate::store::Error;

/// Copies the database `from` to the new file `to`, which is complete and flushed on return.
pub fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    File::create_new(to).map_err(Error::database)?;
    let copied = fill(from, to);
    if copied.is_err() {
        // Report the original error.
        let _ = fs::remove_file(to);
    }
    copied
}

fn fill(from: &Path, to: &Path) -> Result<(), Error> {
    // The path may not be UTF-8.
    let path = ToSqlOutput::Borrowed(ValueRef::Text(to.as_os_str().as_encoded_bytes()));
    connection::reading(from)?.execute("VACUUM INTO ?1", [path])?;
    File::open(to).and_then(|file| file.sync_all()).map_err(Error::database)
}
