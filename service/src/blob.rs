//! The contents of attachments: kept in an object store under the hash of their bytes, so that equal files are kept once.

mod upload;

use std::{ops::Range, path::Path, sync::Arc, time::Duration};

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream::BoxStream};
use jiff::Timestamp;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt as _, local::LocalFileSystem, path::Path as Key};

pub use upload::{Stored, Upload};

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
    /// The folder of the store cannot be made.
    #[error("the folder of attachments cannot be made")]
    Folder(#[from] std::io::Error),
}

/// The contents of attachments; cheap to clone.
#[derive(Clone, Debug)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
}

impl Blobs {
    /// Contents below a local folder, written through to the disk before an upload is acknowledged.
    pub fn local(folder: &Path) -> Result<Self, Error> {
        std::fs::create_dir_all(folder)?;
        Ok(Self::new(Arc::new(LocalFileSystem::new_with_prefix(folder)?.with_fsync(true))))
    }

    /// Contents in any object store.
    pub fn new(store: Arc<dyn ObjectStore>) -> Self {
        Self { store }
    }

    /// Begins an upload of at most `limit` bytes.
    pub fn upload(&self, limit: u64) -> Upload {
        Upload::new(Arc::clone(&self.store), limit)
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

    /// Removes what no upload of the last `grace` needs and `in_use` does not claim: contents whose attachments are gone,
    /// and what a crash left between two steps. Answers how many objects went.
    ///
    /// Every upload writes its content anew, so one that an upload under way relies on is younger than `grace`.
    pub async fn sweep<F, E>(&self, grace: Duration, in_use: F) -> Result<usize, E>
    where
        F: AsyncFn(&str) -> Result<bool, E>,
        E: From<Error>,
    {
        let now = Timestamp::now().as_second();
        let seconds = i64::try_from(grace.as_secs()).unwrap_or(i64::MAX);
        let mut removed = 0;
        let mut objects = self.store.list(None);
        while let Some(object) = objects.try_next().await.map_err(Error::from)? {
            let young = now - object.last_modified.timestamp() < seconds;
            if young || in_use(object.location.filename().unwrap_or_default()).await? {
                continue;
            }
            match self.store.delete(&object.location).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => removed += 1,
                Err(error) => return Err(Error::from(error).into()),
            }
        }
        Ok(removed)
    }
}

/// Two levels, so that no folder grows without bound.
fn content_key(hash: &str) -> Key {
    Key::from_iter([CONTENT, hash.get(..2).unwrap_or(hash), hash])
}

#[cfg(test)]
mod tests;
