//! The contents of attachments: blobs in an object store, with names that are never reused.

mod copy;
mod examine;
mod location;
mod partial;
mod s3;
mod upload;

use std::{
    collections::HashMap,
    io,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream::BoxStream};
use jiff::Timestamp;
use object_store::{
    GetOptions, GetRange, ObjectStore, ObjectStoreExt as _, aws::AmazonS3, local::LocalFileSystem, path::Path as Key,
    prefix::PrefixStore,
};

use crate::{
    causes::{is_io, with_causes},
    disk::Reserve,
    domain::attachment::ContentHash,
};
pub use examine::Found;
pub use location::Location;
pub use upload::{Sealed, Upload};

/// The prefix of finished contents.
const CONTENT: &str = "content";
/// The prefix of uploads until their hash is known.
const STAGING: &str = "staging";

/// Errors of the object store.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The upload is larger than allowed.
    #[error("the file is larger than {limit} bytes")]
    TooLarge {
        /// The maximum number of bytes.
        limit: u64,
    },
    /// The bucket is unavailable; with the reason.
    #[error("the bucket of attachments {0}")]
    Unavailable(&'static str, #[source] object_store::Error),
    /// The object store failed.
    #[error("the object store failed")]
    Store(#[source] object_store::Error),
    /// The folder of the store cannot be created or read.
    #[error("the folder of attachments cannot be used")]
    Folder(#[from] io::Error),
}

impl From<object_store::Error> for Error {
    fn from(error: object_store::Error) -> Self {
        use object_store::Error as E;
        // Requests to a missing bucket also return "not found", and only some requests distinguish refusals.
        let text = with_causes(&error);
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        match &error {
            E::NotFound { .. } | E::Generic { store: "S3", .. } if has(&["NoSuchBucket"]) => {
                Self::Unavailable("is not there", error)
            }
            E::PermissionDenied { .. } | E::Unauthenticated { .. } => Self::Unavailable("refuses the keys", error),
            E::Generic { store: "S3", .. } if has(&["403 Forbidden", "401 Unauthorized"]) => {
                Self::Unavailable("refuses the keys", error)
            }
            E::Generic { store: "S3", .. } => Self::Unavailable("cannot be reached, or fails", error),
            _ => Self::Store(error),
        }
    }
}

impl Error {
    /// Whether the disk or the quota is full.
    pub fn is_full(&self) -> bool {
        is_io(self, &[io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded])
    }
}

/// The contents of attachments; cheap to clone.
#[derive(Clone, Debug)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
    backend: Backend,
}

/// Where the objects are, which decides how they are written and linked.
#[derive(Clone, Debug)]
enum Backend {
    Folder(PathBuf),
    S3 { s3: Arc<AmazonS3>, prefix: Key },
}

impl Blobs {
    /// Contents at a location; the variables `AWS_…` configure access to a bucket.
    pub fn open(location: &Location, variables: &[(String, String)]) -> Result<Self, Error> {
        match location {
            Location::Folder(folder) => Self::local(folder),
            Location::S3 { bucket, prefix } => {
                let s3 = s3::open(bucket, variables)?;
                let store = Arc::new(PrefixStore::new(Arc::clone(&s3), prefix.clone()));
                Ok(Self { store, backend: Backend::S3 { s3, prefix: prefix.clone() } })
            }
        }
    }

    /// Contents in a local folder, flushed to disk before an upload is acknowledged.
    pub fn local(folder: &Path) -> Result<Self, Error> {
        std::fs::create_dir_all(folder)?;
        let store = Arc::new(LocalFileSystem::new_with_prefix(folder)?.with_fsync(true));
        Ok(Self { store, backend: Backend::Folder(folder.to_owned()) })
    }

    /// Starts an upload of at most `limit` bytes, which fails as soon as a disk has less space than the reserve.
    pub fn upload(&self, limit: u64, reserve: Option<Reserve>) -> Upload {
        match self.backend {
            Backend::Folder(_) => Upload::new(Arc::clone(&self.store), limit, upload::LOCAL_PART, reserve),
            Backend::S3 { .. } => Upload::new(Arc::clone(&self.store), limit, upload::PART, None),
        }
    }

    /// Fails if contents are unreachable. A folder is not checked: it is on the same disk as everything else.
    pub async fn ready(&self) -> Result<(), Error> {
        if let Backend::S3 { .. } = self.backend {
            self.store.list(Some(&Key::from(STAGING))).try_next().await?;
        }
        Ok(())
    }

    /// A presigned URL for a content, valid for some minutes, with these headers; `None` for a folder.
    pub async fn address(
        &self,
        name: &str,
        media_type: &str,
        disposition: Option<&str>,
    ) -> Result<Option<String>, Error> {
        match &self.backend {
            Backend::Folder(_) => Ok(None),
            Backend::S3 { s3, prefix } => {
                let key = prefix.parts().chain(content_key(name).parts()).collect();
                Ok(Some(s3::signed_url(s3, &key, media_type, disposition).await?))
            }
        }
    }

    /// Streams the bytes of `range`, or all of them.
    pub async fn read(
        &self,
        name: &str,
        range: Option<Range<u64>>,
    ) -> Result<BoxStream<'static, Result<Bytes, Error>>, Error> {
        let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
        let found = self.store.get_opts(&content_key(name), options).await?;
        Ok(found.into_stream().map_err(Error::from).boxed())
    }

    /// Streams all bytes, with the size; `None` if the blob is missing.
    pub async fn find(&self, name: &str) -> Result<Option<(u64, BoxStream<'static, Result<Bytes, Error>>)>, Error> {
        match self.store.get(&content_key(name)).await.map_err(Error::from) {
            Ok(found) => Ok(Some((found.meta.size, found.into_stream().map_err(Error::from).boxed()))),
            Err(Error::Store(object_store::Error::NotFound { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads all bytes, for small files.
    pub async fn read_all(&self, name: &str) -> Result<Bytes, Error> {
        Ok(self.store.get(&content_key(name)).await?.bytes().await?)
    }

    /// Removes a blob; a missing one is not an error.
    pub async fn remove(&self, name: &str) -> Result<(), Error> {
        match self.store.delete(&content_key(name)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes the remains of uploads that were interrupted longer ago than `grace`; returns their number.
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
        if let Backend::Folder(folder) = self.backend.clone() {
            removed += tokio::task::spawn_blocking(move || partial::remove(&folder, grace))
                .await
                .map_err(io::Error::from)??;
        }
        Ok(removed)
    }

    /// The names and sizes of all blobs.
    pub async fn sizes(&self) -> Result<HashMap<String, u64>, Error> {
        let objects = self.store.list(Some(&Key::from(CONTENT)));
        let sizes = objects
            .try_filter_map(async |object| Ok(object.location.filename().map(|name| (name.to_owned(), object.size))));
        Ok(sizes.try_collect().await?)
    }
}

/// A unique name for a blob with this hash. Equal contents get different names, so that a writer never races
/// with another process that removes the old blob.
pub fn name(hash: &[u8; 32]) -> String {
    format!("{}-{}", ContentHash(*hash), uuid::Uuid::new_v4().simple())
}

/// The hash in the name of a blob, in hexadecimal.
pub fn hash_of(name: &str) -> &str {
    name.split_once('-').map_or(name, |(hash, _)| hash)
}

/// The path of a blob in the folder of [`Blobs::local`].
pub fn file(folder: &Path, name: &str) -> PathBuf {
    folder.join(CONTENT).join(name.get(..2).unwrap_or(name)).join(name)
}

/// The key of a blob, in two levels of folders to keep them small.
fn content_key(name: &str) -> Key {
    Key::from_iter([CONTENT, name.get(..2).unwrap_or(name), name])
}
