//! Thumbnails: made on threads for blocking work, a few at a time, and cached.

use std::{num::NonZero, sync::Arc, thread};

use generated_server::runtime::server::{Common, Failure};
use quick_cache::{Weighter, sync::Cache};

use crate::{
    blob::Blobs,
    config::Bounds,
    domain::{
        attachment::{Content, ContentHash},
        thumbnail::{Error, Size, Thumbnail, thumbnail},
        token::Token,
    },
    shares::FairSemaphore,
};

/// Maximum number of thumbnails that are made or waited for.
const QUEUE: usize = 32;
/// Maximum number of thumbnails that are made at once, each of which may take 256 MiB.
const AT_ONCE: usize = 2;
/// Maximum size of the cache.
const CACHE_BYTES: u64 = 32 << 20;
/// A guess at how many thumbnails the cache has room for, by which it is laid out.
const TYPICAL: usize = 4096;
/// What an entry of the cache takes in addition to its bytes.
const ENTRY_BYTES: usize = 128;
/// `Retry-After` of a refusal, in seconds.
const RETRY_SECONDS: u32 = 1;

/// Which picture in which size; `None` stands for a file that is not a picture.
type ThumbnailCache = Cache<(ContentHash, Size), Option<Thumbnail>, Bytes>;

/// Makes thumbnails and caches them by S3-FIFO: thumbnails that are asked for once do not displace those that are asked for
/// again.
#[derive(Clone, Debug)]
pub(crate) struct Thumbnails {
    cache: Arc<ThumbnailCache>,
    semaphore: FairSemaphore,
}

#[derive(Clone, Debug)]
struct Bytes;

impl Weighter<(ContentHash, Size), Option<Thumbnail>> for Bytes {
    fn weight(&self, _: &(ContentHash, Size), made: &Option<Thumbnail>) -> u64 {
        (ENTRY_BYTES + made.as_ref().map_or(0, |thumbnail| thumbnail.bytes.len())) as u64
    }
}

impl Default for Thumbnails {
    fn default() -> Self {
        // One processor is left for other requests.
        let at_once = thread::available_parallelism().map_or(1, NonZero::get).saturating_sub(1).clamp(1, AT_ONCE);
        let cache = Arc::new(Cache::with_weighter(TYPICAL, CACHE_BYTES, Bytes));
        Self { cache, semaphore: FairSemaphore::new(at_once, QUEUE) }
    }
}

impl Thumbnails {
    /// The picture in that size; `None` when the file is not a picture.
    pub(super) async fn get(
        &self,
        token: &Token,
        blobs: &Blobs,
        content: &Content,
        size: Size,
        bounds: &Bounds,
    ) -> Result<Option<Thumbnail>, Failure<Common>> {
        let key = (content.hash, size);
        if let Some(made) = self.cache.get(&key) {
            return Ok(made);
        }
        let permit = self.semaphore.acquire(Some((token.tenant, token.id))).await;
        let permit = permit.ok_or_else(|| Failure::unavailable(RETRY_SECONDS))?;
        // It may have been made meanwhile.
        if let Some(made) = self.cache.get(&key) {
            return Ok(made);
        }
        let (limit, pixel_limit) = (bounds.thumbnail_file_bytes, bounds.thumbnail_pixels);
        if content.size > limit {
            return Err(unmade(&Error::FileTooLarge { size: content.size, limit }));
        }
        let bytes = blobs.read_all(&content.blob).await?;
        let cache = Arc::clone(&self.cache);
        // The permit ends with the work, also when the client has disconnected.
        let making = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let made = thumbnail(&bytes, size, pixel_limit)?;
            cache.insert(key, made.clone());
            Ok(made)
        });
        making.await?.map_err(|error| unmade(&error))
    }
}

fn unmade(error: &Error) -> Failure<Common> {
    Failure::unprocessable(Vec::new()).with_message(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_cache_keeps_what_is_asked_for_again() {
        let cache = Thumbnails::default().cache;
        let key = |width| (ContentHash([0; 32]), Size { width: Some(width), height: None });
        let made = Thumbnail { bytes: vec![0; 64 << 10].into(), media_type: "image/png" };
        for width in 1..=2000 {
            cache.insert(key(width), Some(made.clone()));
            assert!(cache.get(&key(1)).is_some(), "{width}");
            assert!(cache.weight() <= CACHE_BYTES, "{width}");
        }
        assert!((200..600).contains(&cache.len()), "{}", cache.len());
    }
}
