//! What is below a place of contents, to be compared with what the store knows.

use std::time::Duration;

use futures_util::TryStreamExt as _;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use super::{Blobs, CONTENT, Error, Place, content_key, partial};

/// An object.
#[derive(Debug)]
pub struct Found {
    /// The name of its blob; nothing when it is no whole content.
    pub blob: Option<String>,
    /// Where it is, below the place.
    pub path: String,
    /// Its bytes.
    pub size: u64,
    /// Whether it was written longer ago than was asked.
    pub is_old: bool,
}

impl Blobs {
    /// Shows every object there is; `age` is what makes one old.
    pub async fn visit(&self, age: Duration, mut visit: impl FnMut(Found)) -> Result<(), Error> {
        let (now, age_in_seconds) = (Timestamp::now().as_second(), i64::try_from(age.as_secs()).unwrap_or(i64::MAX));
        let mut objects = self.store.list(None);
        while let Some(object) = objects.try_next().await? {
            let name = object.location.filename().unwrap_or_default();
            let is_content = object.location.prefix_matches(&CONTENT.into()) && object.location == content_key(name);
            visit(Found {
                blob: is_content.then(|| name.to_owned()),
                path: object.location.to_string(),
                size: object.size,
                is_old: now - object.last_modified.timestamp() >= age_in_seconds,
            });
        }
        if let Place::Folder(folder) = &self.place {
            for path in partial::find(folder, age)? {
                let path = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
                visit(Found { blob: None, path, size: 0, is_old: true });
            }
        }
        Ok(())
    }

    /// The SHA-256 of a blob.
    pub async fn hash(&self, name: &str) -> Result<[u8; 32], Error> {
        let (mut hash, mut stream) = (Sha256::new(), self.read(name, None).await?);
        while let Some(bytes) = stream.try_next().await? {
            hash.update(&bytes);
        }
        Ok(hash.finalize().into())
    }
}
