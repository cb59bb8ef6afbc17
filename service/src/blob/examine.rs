//! Lists the objects of a location, to compare them with the store.

use std::time::Duration;

use futures_util::TryStreamExt as _;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use super::{Backend, Blobs, CONTENT, Error, content_key, partial};

/// An object.
#[derive(Debug)]
pub struct Found {
    /// The name of its blob; `None` if it is not a finished content.
    pub blob: Option<String>,
    /// Its path in the location.
    pub path: String,
    /// Its bytes.
    pub size: u64,
    /// Whether it is older than the requested age.
    pub is_old: bool,
}

impl Blobs {
    /// Visits every object; `age` is the minimum age of old ones.
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
        if let Backend::Folder(folder) = &self.backend {
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
