//! The contents of attachments: kept in an object store under the hash of their bytes, so that equal files are kept once.

mod partial;
mod upload;

use std::{
    io,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream::BoxStream};
use jiff::Timestamp;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt as _, local::LocalFileSystem, path::Path as Key};

pub use upload::{Sealed, Upload};

/// Where finished contents are.
const CONTENT: &str = "content";
/// Where uploads are until their hash is known.
const STAGING: &str = "staging";

/// What can go wrong with contents.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The upload is larger than allowed.
    #[error("the file is larger than {limit} bytes")]
    TooLarge {
        /// The bytes that are allowed.
        limit: u64,
    },
    /// The object store failed.
    #[error("the object store failed")]
    Store(#[from] object_store::Error),
    /// The folder of the store cannot be made or read.
    #[error("the folder of attachments cannot be used")]
    Folder(#[from] io::Error),
}

impl Error {
    /// Whether the disk, or what one may use of it, is full.
    pub fn is_full(&self) -> bool {
        let first: &(dyn std::error::Error + 'static) = self;
        let mut causes = std::iter::successors(Some(first), |cause| cause.source());
        causes.any(|cause| {
            cause
                .downcast_ref::<io::Error>()
                .is_some_and(|error| matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded))
        })
    }
}

/// The contents of attachments; cheap to clone.
#[derive(Clone, Debug)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
    /// Where they are on this machine, if they are.
    folder: Option<PathBuf>,
}

impl Blobs {
    /// Contents below a local folder, written through to the disk before an upload is acknowledged.
    pub fn local(folder: &Path) -> Result<Self, Error> {
        std::fs::create_dir_all(folder)?;
        let store = Arc::new(LocalFileSystem::new_with_prefix(folder)?.with_fsync(true));
        Ok(Self { folder: Some(folder.to_owned()), ..Self::new(store) })
    }

    /// Contents in any object store.
    pub fn new(store: Arc<dyn ObjectStore>) -> Self {
        Self { store, folder: None }
    }

    /// Begins an upload of at most `limit` bytes.
    pub fn upload(&self, limit: u64) -> Upload {
        let part = if self.folder.is_some() { upload::LOCAL_PART } else { upload::PART };
        Upload::new(Arc::clone(&self.store), limit, part)
    }

    /// The bytes of `range` as they come, or all of them.
    pub async fn read(
        &self,
        hash: &str,
        range: Option<Range<u64>>,
    ) -> Result<BoxStream<'static, Result<Bytes, Error>>, Error> {
        let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
        let found = self.store.get_opts(&content_key(hash), options).await?;
        Ok(found.into_stream().map_err(Error::from).boxed())
    }

    /// All bytes at once, for files that are known to be small enough.
    pub async fn read_all(&self, hash: &str) -> Result<Bytes, Error> {
        Ok(self.store.get(&content_key(hash)).await?.bytes().await?)
    }

    /// Removes a content; one that is not there is fine.
    pub async fn remove(&self, hash: &str) -> Result<(), Error> {
        match self.store.delete(&content_key(hash)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes what uploads have left that were cut off longer ago than `grace`; answers how many.
    pub async fn remove_staged(&self, grace: Duration) -> Result<usize, Error> {
        let seconds = i64::try_from(grace.as_secs()).unwrap_or(i64::MAX);
        let now = Timestamp::now().as_second();
        let mut removed = 0;
        let mut objects = self.store.list(Some(&Key::from(STAGING)));
        while let Some(object) = objects.try_next().await? {
            if now - object.last_modified.timestamp() >= seconds {
                self.store.delete(&object.location).await?;
                removed += 1;
            }
        }
        if let Some(folder) = self.folder.clone() {
            removed += tokio::task::spawn_blocking(move || partial::remove(&folder, grace))
                .await
                .map_err(io::Error::from)??;
        }
        Ok(removed)
    }

    /// The hashes of all contents, to compare them with what the store knows.
    pub async fn hashes(&self) -> Result<Vec<String>, Error> {
        let objects = self.store.list(Some(&Key::from(CONTENT)));
        let names = objects.try_filter_map(async |object| Ok(object.location.filename().map(str::to_owned)));
        Ok(names.try_collect().await?)
    }
}

/// Where [`Blobs::local`] keeps a content below its folder.
pub fn file(folder: &Path, hash: &str) -> PathBuf {
    folder.join(CONTENT).join(hash.get(..2).unwrap_or(hash)).join(hash)
}

/// Two levels, so that no folder grows without bound.
fn content_key(hash: &str) -> Key {
    Key::from_iter([CONTENT, hash.get(..2).unwrap_or(hash), hash])
}

#[cfg(test)]
mod tests;
