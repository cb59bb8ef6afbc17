//! Backups: one tar archive of the store as it is at one moment, the contents that its records refer to, and a manifest.
//!
//! Whatever keeps a store, it is a file of SQLite in an archive: so an archive can be restored into either kind of store, and
//! checked without a server.

mod contents;
mod read;
mod write;

use std::io;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    blob,
    folder::STORE,
    place,
    store::{self, Snapshot},
};

pub use read::{Restored, restore, verify};
pub use write::{Written, write};

/// The last entry of an archive, so that one that was cut off has none.
const MANIFEST: &str = "manifest.json";
/// The form of archives that this program writes and reads.
const FORMAT: u32 = 1;

/// What an archive holds.
#[derive(Debug, Deserialize, Serialize)]
pub struct Manifest {
    /// The form of the archive.
    format: u32,
    /// When it was made.
    pub made_on: Timestamp,
    /// The version of the program that made it.
    pub program: String,
    /// The last migration of the store.
    pub migration: i64,
    /// Every entry but this one, in order.
    pub files: Vec<File>,
    /// The names of blobs that records refer to and that were lost or damaged before the backup was made.
    pub lost: Vec<String>,
}

/// An entry of an archive.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct File {
    /// Its path.
    pub name: String,
    /// Its bytes.
    pub size: u64,
    /// Their SHA-256, in hexadecimal.
    pub sha256: String,
}

/// Why there is no backup, or none that can be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The store cannot be read.
    #[error("the store cannot be read")]
    Store(#[from] store::Error),
    /// The contents of attachments cannot be read or written.
    #[error(transparent)]
    Contents(#[from] blob::Error),
    /// Contents cannot be kept from being removed.
    #[error("the contents cannot be kept from being removed")]
    Keep(#[source] place::Error),
    /// Files cannot be read or written.
    #[error("{0}")]
    Io(String, #[source] io::Error),
    /// It cannot be read to its end.
    #[error("the file is no backup, or cut off")]
    Broken(#[source] io::Error),
    /// It is no archive of this service, or a part of one.
    #[error("{0}")]
    Archive(String),
    /// What is in the archive is not what was put into it, or does not fit together.
    #[error("the backup is damaged: {}", .0.join("; "))]
    Damaged(Vec<String>),
    /// There is something in the folder already.
    #[error("{0} is not empty: nothing has been changed; restore into an empty folder")]
    NotEmpty(String),
}

/// An error of files, with what was being done.
fn io_error(what: impl Into<String>) -> impl FnOnce(io::Error) -> Error {
    let what = what.into();
    move |error| Error::Io(what, error)
}

/// Everything that is wrong with a store and the contents beside it; `has` says whether one is there in full length.
async fn problems(store: &Snapshot, has: impl Fn(&store::UsedBlob) -> bool) -> Result<Vec<String>, store::Error> {
    store.migration().await?;
    let mut problems = store.integrity(true).await?;
    for (from, to, count) in store.foreign_keys().await? {
        problems.push(format!("{count} records of {from} refer to records of {to} that are not there"));
    }
    let lost: Vec<_> = store.used_blobs().await?.into_iter().filter(|blob| !has(blob)).collect();
    if let Some(first) = lost.first() {
        problems.push(format!("{} contents of attachments are not there, such as {}", lost.len(), first.name));
    }
    Ok(problems.into_iter().map(|problem| format!("{STORE}: {problem}")).collect())
}
