//! A store as a file that somebody may be serving: looked at and copied without changing it.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use jiff::Timestamp;

use super::{
    Error,
    sqlite::{connection, copy, inspect, migration},
};
use crate::domain::attachment::ContentHash;

/// So long it waits for another process that recovers the log.
const PATIENCE: Duration = Duration::from_secs(10);

/// The file of a store, open for reading. Everything it answers is of one moment.
pub struct StoreFile {
    path: PathBuf,
    connection: rusqlite::Connection,
}

/// A blob that holds a content which records refer to.
#[derive(Clone, Debug)]
pub struct UsedBlob {
    /// Its name.
    pub name: String,
    /// The hash of its bytes.
    pub hash: ContentHash,
    /// How many bytes it has.
    pub size: u64,
}

/// A number that is kept beside what it says.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The tenant it is of.
    pub tenant: i32,
    /// What it is about.
    pub name: String,
    /// The number that is kept.
    pub kept: i64,
    /// The number that was seen.
    pub seen: i64,
}

/// What a store that was brought up to date had before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migrated {
    /// The last migration it had.
    pub from: i64,
    /// The last one it has now.
    pub to: i64,
    /// A copy of the store as it was.
    pub copy: PathBuf,
}

impl StoreFile {
    /// Opens a file that is there; whether it is a store is asked by [`StoreFile::migration`].
    pub fn open(path: &Path) -> Result<Self, Error> {
        let connection = connection::reading(path)?;
        connection.busy_timeout(PATIENCE)?;
        connection.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema;")?;
        Ok(Self { path: path.to_owned(), connection })
    }

    /// The last migration that it has, and the last one that this program knows; fails when it is no store of this program,
    /// or of a newer one.
    pub fn migration(&self) -> Result<(i64, i64), Error> {
        migration::state(&self.connection, &self.path)
    }

    /// What is wrong with its pages and indexes.
    pub fn integrity(&self) -> Result<Vec<String>, Error> {
        inspect::integrity(&self.connection)
    }

    /// Records that refer to records which are not there: of which table to which, and how many.
    pub fn foreign_keys(&self) -> Result<Vec<(String, String, u64)>, Error> {
        inspect::foreign_keys(&self.connection)
    }

    /// Every blob that holds a content which a record of any tenant refers to, once.
    pub fn used_blobs(&self) -> Result<Vec<UsedBlob>, Error> {
        inspect::used_blobs(&self.connection)
    }

    /// The name of every blob that it knows, used or not.
    pub fn known_blobs(&self) -> Result<Vec<String>, Error> {
        inspect::known_blobs(&self.connection)
    }

    /// Counters that are not the size of what they count.
    pub fn counters(&self) -> Result<Vec<Mismatch>, Error> {
        inspect::counters(&self.connection)
    }

    /// Sequences whose next number is in use.
    pub fn sequences(&self) -> Result<Vec<Mismatch>, Error> {
        inspect::sequences(&self.connection)
    }

    /// The latest moment in each column that says when something was written.
    pub fn latest(&self) -> Result<Vec<(String, Timestamp)>, Error> {
        inspect::latest(&self.connection)
    }
}

/// Copies a store that may be in use into the new file `to`, as it is at one moment.
pub fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    copy::copy(from, to)
}
