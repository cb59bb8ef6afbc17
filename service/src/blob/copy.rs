//! Copies contents between places.

use futures_util::TryStreamExt as _;

use super::{Blobs, Error, hash_of};
use crate::domain::attachment::ContentHash;

impl Blobs {
    /// Copies a blob of this size from another place. `false` if it is missing or does not match its name.
    pub async fn copy_from(&self, other: &Self, name: &str, size: u64) -> Result<bool, Error> {
        let Some((_, mut stream)) = other.find(name).await? else { return Ok(false) };
        let mut upload = self.upload(u64::MAX);
        while let Some(bytes) = stream.try_next().await? {
            upload.write(bytes).await?;
        }
        let sealed = upload.seal().await?;
        if sealed.size != size || ContentHash(sealed.hash).to_string() != hash_of(name) {
            return Ok(false);
        }
        sealed.keep(name).await?;
        Ok(true)
    }
}
