//! Copies of a store that is a file.

use std::path::{Path, PathBuf};

use super::{Error, sqlite::copy};

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

/// Copies a store that may be in use into the new file `to`, as it is at one moment.
pub fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    copy::copy(from, to)
}
