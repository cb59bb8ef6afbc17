//! Copies contents between locations.

use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use super::{Blobs, Error, hash_of};
use crate::domain::attachment::ContentHash;

/// Number of blobs copied concurrently.
const AT_ONCE: usize = 4;

impl Blobs {
    /// Copies blobs of these sizes that are missing here; calls `done` after each, and returns the names of those that the
    /// other location lacks or that do not match their names.
    pub async fn copy_missing(
        &self,
        other: &Self,
        blobs: impl IntoIterator<Item = (&str, u64)>,
        done: impl Fn(),
    ) -> Result<Vec<String>, Error> {
        let there = self.sizes().await?;
        let copied = stream::iter(blobs).map(async |(name, size)| {
            let is_there = there.get(name) == Some(&size) || self.copy_from(other, name, size).await?;
            done();
            Ok::<_, Error>((!is_there).then(|| name.to_owned()))
        });
        let lost: Vec<Option<String>> = copied.buffer_unordered(AT_ONCE).try_collect().await?;
        Ok(lost.into_iter().flatten().collect())
    }

    /// Copies a blob; `false` if it is missing or does not match its name.
    async fn copy_from(&self, other: &Self, name: &str, size: u64) -> Result<bool, Error> {
        let Some((_, mut stream)) = other.find(name).await? else { return Ok(false) };
        let mut upload = self.upload(u64::MAX, None);
        while let Some(bytes) = stream.try_next().await? {
            upload.write(bytes).await?;
        }
        let sealed = upload.seal().await?;
        if sealed.size != size || ContentHash(sealed.hash).to_string() != hash_of(name) {
            sealed.discard().await?;
            return Ok(false);
        }
        sealed.keep(name).await?;
        Ok(true)
    }
}
