//! Backups: a tar archive with a snapshot of the store, the referenced contents, and a manifest.
//!
//! The store in an archive is always an SQLite file, so that an archive can be restored to either kind of
//! store, and checked without a server.

mod read;
mod write;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    folder::STORE,
    store::{self, Snapshot},
};

pub use read::{Restored, restore, verify};
pub use write::{Written, write};

/// The last entry of an archive; a truncated archive lacks it.
const MANIFEST: &str = "manifest.json";
/// The archive format of this version.
const FORMAT: u32 = 1;

/// The content of an archive.
#[derive(Debug, Deserialize, Serialize)]
pub struct Manifest {
    /// The archive format.
    format: u32,
    /// When it was created.
    pub made_on: Timestamp,
    /// The version of the program that created it.
    pub program: String,
    /// The last migration of the store.
    pub migration: i64,
    /// Every other entry, in order.
    pub files: Vec<File>,
    /// The names of referenced blobs that were already lost or damaged.
    pub lost: Vec<String>,
}

/// An entry of an archive.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct File {
    /// Its path.
    pub name: String,
    /// Its bytes.
    pub size: u64,
    /// The SHA-256 in hexadecimal.
    pub sha256: String,
}

/// All problems of a store and its contents. `has` returns whether a content is complete.
async fn problems(store: &Snapshot, has: impl Fn(&store::KnownBlob) -> bool) -> Result<Vec<String>, store::Error> {
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
