//! The contents of attachments: blobs in an object store, each under a name that no other has ever had.

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

use crate::disk::Reserve;
pub use examine::Found;
pub use location::Location;
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
    /// The bucket cannot be used now; says why.
    #[error("the bucket of attachments {0}")]
    Unavailable(&'static str, #[source] object_store::Error),
    /// The object store failed.
    #[error("the object store failed")]
    Store(#[source] object_store::Error),
    /// The folder of the store cannot be made or read.
    #[error("the folder of attachments cannot be used")]
    Folder(#[from] io::Error),
}

impl From<object_store::Error> for Error {
    fn from(error: object_store::Error) -> Self {
        use object_store::Error as E;
        // What is asked of a bucket that is not there is not found either; and only some requests have their refusals told apart.
        let text = whole(&error);
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

/// What an error and its causes say.
fn whole(error: &(dyn std::error::Error + 'static)) -> String {
    let all: Vec<_> = std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string).collect();
    all.join("; ")
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
    place: Place,
}

/// What only one kind of place has.
#[derive(Clone, Debug)]
enum Place {
    Folder(PathBuf),
    S3 { s3: Arc<AmazonS3>, prefix: Key },
}

impl Blobs {
    /// Contents in a place; the variables `AWS_…` say how a bucket is reached.
    pub fn open(location: &Location, variables: &[(String, String)]) -> Result<Self, Error> {
        match location {
            Location::Folder(folder) => Self::local(folder),
            Location::S3 { bucket, prefix } => {
                let s3 = s3::open(bucket, variables)?;
                let store = Arc::new(PrefixStore::new(Arc::clone(&s3), prefix.clone()));
                Ok(Self { store, place: Place::S3 { s3, prefix: prefix.clone() } })
            }
        }
    }

    /// Contents below a local folder, written through to the disk before an upload is acknowledged.
    pub fn local(folder: &Path) -> Result<Self, Error> {
        std::fs::create_dir_all(folder)?;
        let store = Arc::new(LocalFileSystem::new_with_prefix(folder)?.with_fsync(true));
        Ok(Self { store, place: Place::Folder(folder.to_owned()) })
    }

    /// Begins an upload of at most `limit` bytes.
    pub fn upload(&self, limit: u64) -> Upload {
        let part = match self.place {
            Place::Folder(_) => upload::LOCAL_PART,
            Place::S3 { .. } => upload::PART,
        };
        Upload::new(Arc::clone(&self.store), limit, part)
    }

    /// The same; it ends as soon as a folder is on a disk whose reserve is touched.
    pub fn upload_beside(&self, reserve: Reserve, limit: u64) -> Upload {
        match self.place {
            Place::Folder(_) => self.upload(limit).beside(reserve),
            Place::S3 { .. } => self.upload(limit),
        }
    }

    /// Fails when contents cannot be reached. A folder is not asked: it is on the disk that everything is on.
    pub async fn ready(&self) -> Result<(), Error> {
        if let Place::S3 { .. } = self.place {
            self.store.list(Some(&Key::from(STAGING))).try_next().await?;
        }
        Ok(())
    }

    /// An address from which whoever has it can read a content for some minutes, with these headers; none of a folder.
    pub async fn address(
        &self,
        name: &str,
        media_type: &str,
        disposition: Option<&str>,
    ) -> Result<Option<String>, Error> {
        match &self.place {
            Place::Folder(_) => Ok(None),
            Place::S3 { s3, prefix } => {
                let key = prefix.parts().chain(content_key(name).parts()).collect();
                Ok(Some(s3::signed_url(s3, &key, media_type, disposition).await?))
            }
        }
    }

    /// The bytes of `range` as they come, or all of them.
    pub async fn read(
        &self,
        name: &str,
        range: Option<Range<u64>>,
    ) -> Result<BoxStream<'static, Result<Bytes, Error>>, Error> {
        let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
        let found = self.store.get_opts(&content_key(name), options).await?;
        Ok(found.into_stream().map_err(Error::from).boxed())
    }

    /// All bytes as they come, and how many there are; nothing when the blob is not there.
    pub async fn find(&self, name: &str) -> Result<Option<(u64, BoxStream<'static, Result<Bytes, Error>>)>, Error> {
        match self.store.get(&content_key(name)).await.map_err(Error::from) {
            Ok(found) => Ok(Some((found.meta.size, found.into_stream().map_err(Error::from).boxed()))),
            Err(Error::Store(object_store::Error::NotFound { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// All bytes at once, for files that are known to be small enough.
    pub async fn read_all(&self, name: &str) -> Result<Bytes, Error> {
        Ok(self.store.get(&content_key(name)).await?.bytes().await?)
    }

    /// Removes a blob; one that is not there is fine.
    pub async fn remove(&self, name: &str) -> Result<(), Error> {
        match self.store.delete(&content_key(name)).await {
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
        if let Place::Folder(folder) = self.place.clone() {
            removed += tokio::task::spawn_blocking(move || partial::remove(&folder, grace))
                .await
                .map_err(io::Error::from)??;
        }
        Ok(removed)
    }

    /// The names of all blobs with their bytes, to compare them with what the store knows.
    pub async fn sizes(&self) -> Result<HashMap<String, u64>, Error> {
        let objects = self.store.list(Some(&Key::from(CONTENT)));
        let sizes = objects
            .try_filter_map(async |object| Ok(object.location.filename().map(|name| (name.to_owned(), object.size))));
        Ok(sizes.try_collect().await?)
    }
}

/// A name for a blob that is going to hold bytes of this hash. Equal bytes do not have the same name: who writes a blob must not
/// meet another process that removes the one before.
pub fn name(hash: &[u8; 32]) -> String {
    format!("{}-{}", upload::hexadecimal(hash), uuid::Uuid::new_v4().simple())
}

/// The hash that the name of a blob says its bytes have, in hexadecimal.
pub fn hash_of(name: &str) -> &str {
    name.split_once('-').map_or(name, |(hash, _)| hash)
}

/// Where [`Blobs::local`] keeps a blob below its folder.
pub fn file(folder: &Path, name: &str) -> PathBuf {
    folder.join(CONTENT).join(name.get(..2).unwrap_or(name)).join(name)
}

/// Two levels, so that no folder grows without bound.
fn content_key(name: &str) -> Key {
    Key::from_iter([CONTENT, name.get(..2).unwrap_or(name), name])
}

#[cfg(test)]
mod tests;
