//! Thumbnails: a few made at a time, and kept in memory for those who ask again.

use std::{
    cell::{Cell, RefCell},
    io,
    num::NonZero,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Instant,
};

use generated_server::runtime::server::{Common, Failure};
use quick_cache::{Weighter, sync::Cache};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::{
    blob::Blobs,
    domain::{
        attachment::{Content, ContentHash},
        caller::Caller,
        thumbnail::{self, Size, Thumbnail},
    },
    priority::{BUSY, Sharing, When},
    shares::{Share, Shares},
};

/// So many may be made or waited for, a quarter of them by one token; further ones are refused.
const PLACES: u64 = 32;
/// At most so many are made at a time, each of which may take a processor and much memory.
const MOST_TURNS: usize = 2;
/// A guess at the bytes of one, by which the cache is laid out.
const TYPICAL_BYTES: u64 = 8 << 10;
/// What an entry takes beside its bytes.
const ENTRY_BYTES: usize = 128;
/// Seconds after which a refused one is worth another try.
const BUSY_SECONDS: u32 = 1;

/// Which picture in which size; `None` stands for a file that is no picture.
type Kept = Cache<(ContentHash, Size), Option<Thumbnail>, Bytes>;

/// Makes thumbnails and keeps them. What is asked for once does not push out what is asked for again (S3-FIFO), so that a
/// caller who asks for every size costs the others nothing.
#[derive(Clone, Debug)]
pub(crate) struct Thumbnails {
    kept: Arc<Kept>,
    busy: Arc<Busy>,
    places: Shares,
    turns: Arc<Semaphore>,
}

#[derive(Clone, Debug)]
struct Bytes;

impl Weighter<(ContentHash, Size), Option<Thumbnail>> for Bytes {
    fn weight(&self, _: &(ContentHash, Size), made: &Option<Thumbnail>) -> u64 {
        (ENTRY_BYTES + made.as_ref().map_or(0, |thumbnail| thumbnail.bytes.len())) as u64
    }
}

impl Thumbnails {
    /// Keeps so many bytes of them.
    pub(crate) fn new(bytes: u64) -> Self {
        let entries = usize::try_from(bytes / TYPICAL_BYTES).unwrap_or(usize::MAX);
        // One processor is left for what is quick.
        let turns = thread::available_parallelism().map_or(1, NonZero::get).saturating_sub(1).clamp(1, MOST_TURNS);
        Self {
            kept: Arc::new(Cache::with_weighter(entries, bytes, Bytes)),
            busy: Arc::default(),
            places: Shares::new(PLACES),
            turns: Arc::new(Semaphore::new(turns)),
        }
    }

    /// A place among those whose thumbnails are made or waited for.
    fn place(&self, caller: &Caller) -> Result<Share, Failure<Common>> {
        let mut place = self.places.share();
        let has_place = place.take(Some((caller.tenant, caller.token)), 1);
        if has_place { Ok(place) } else { Err(Failure::unavailable(BUSY_SECONDS)) }
    }

    /// The picture in that size; none when the file is no picture after all.
    pub(super) async fn get(
        &self,
        caller: &Caller,
        blobs: &Blobs,
        content: &Content,
        size: Size,
        pixel_limit: u64,
    ) -> Result<Option<Thumbnail>, Failure<Common>> {
        let key = (content.hash, size);
        if let Some(made) = self.kept.get(&key) {
            return Ok(made);
        }
        let place = self.place(caller)?;
        let turn = Arc::clone(&self.turns).acquire_owned().await?;
        // Perhaps who had the turn before has made it.
        if let Some(made) = self.kept.get(&key) {
            return Ok(made);
        }
        let bytes = blobs.read_all(&content.blob).await?;
        let work = Work { bytes, size, pixel_limit, _held: (place, turn) };
        let (kept, busy) = (Arc::clone(&self.kept), Arc::clone(&self.busy));
        // It goes on when the caller hangs up: who hangs up and asks again must not cause more of it.
        let making = tokio::spawn(async move {
            let made = work.make(&busy).await?;
            if let Ok(made) = &made {
                kept.insert(key, made.clone());
            }
            Ok::<_, Failure<Common>>(made)
        });
        making.await??.map_err(|error| Failure::unprocessable(Vec::new()).with_message(error.to_string()))
    }
}

/// Until when other programs want all processors, as far as is known.
type Busy = Mutex<Option<Instant>>;

type Made = Result<Option<Thumbnail>, thumbnail::Error>;

/// A thumbnail to be made.
struct Work {
    bytes: bytes::Bytes,
    size: Size,
    pixel_limit: u64,
    /// They go with the work.
    _held: (Share, OwnedSemaphorePermit),
}

impl Work {
    /// Makes it on an idle processor; if that has been waited for in vain, by a thread that gets one sometimes.
    async fn make(self, busy: &Busy) -> Result<Made, Failure<Common>> {
        let until = || busy.lock().unwrap_or_else(PoisonError::into_inner);
        let is_busy = until().is_some_and(|until| Instant::now() < until);
        let when = if is_busy { When::Sometimes } else { When::Idle };
        match self.start(when)?.await? {
            Ok(made) => Ok(made),
            Err(work) => {
                *until() = Instant::now().checked_add(BUSY);
                // Not from the thread that has waited: this one would inherit its priority.
                let made = work.start(When::Sometimes)?.await?;
                Ok(made.unwrap_or(Err(thumbnail::Error::BrokenOff)))
            }
        }
    }

    /// Does it on a thread of its own, for one of the pool would keep the low priority; gives it back when the thread had to
    /// wait for an idle processor.
    fn start(self, when: When) -> io::Result<oneshot::Receiver<Result<Made, Self>>> {
        let (sender, receiver) = oneshot::channel();
        let work = move || {
            when.apply();
            let (sharing, has_starved) = (RefCell::new(Sharing::begin(when)), Cell::new(false));
            let go_on = || {
                // Who gets a processor seldom keeps it then.
                if when == When::Sometimes {
                    return true;
                }
                thread::yield_now();
                has_starved.set(has_starved.get() || sharing.borrow_mut().has_starved(Instant::now()));
                !has_starved.get()
            };
            let ended = match thumbnail::thumbnail(&self.bytes, self.size, self.pixel_limit, &go_on) {
                Err(thumbnail::Error::BrokenOff) => Err(self),
                made => Ok(made),
            };
            // The service may have stopped.
            drop(sender.send(ended));
        };
        thread::Builder::new().name("thumbnail".into()).spawn(work)?;
        Ok(receiver)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{api::uploads::tests::caller, domain::tenant::TenantId};

    fn made(length: usize) -> Thumbnail {
        Thumbnail { bytes: vec![0; length].into(), media_type: "image/png" }
    }

    fn key(width: u32) -> (ContentHash, Size) {
        (ContentHash([7; 32]), Size { width: Some(width), height: None })
    }

    #[test]
    fn every_size_of_a_picture_pushes_out_none_that_is_asked_for_again() {
        let thumbnails = Thumbnails::new(1 << 20);
        for width in 1..=20 {
            thumbnails.kept.insert(key(width), Some(made(8 << 10)));
        }
        for _ in 0..3 {
            assert!((1..=20).all(|width| thumbnails.kept.get(&key(width)).is_some()));
        }
        for width in 100..10_000 {
            thumbnails.kept.insert(key(width), Some(made(8 << 10)));
        }
        let left = (1..=20).filter(|width| thumbnails.kept.get(&key(*width)).is_some()).count();
        assert!(left >= 15, "{left} of 20 are left");
        assert!(thumbnails.kept.weight() <= 1 << 20);
        thumbnails.kept.insert(key(1), Some(made(2 << 20)));
        assert!(thumbnails.kept.weight() <= 1 << 20, "one that is too large is not kept");
    }

    #[test]
    fn who_asks_for_many_at_once_leaves_places_to_others() {
        let thumbnails = Thumbnails::new(1 << 20);
        let places = |tenant, token| {
            let of_one = std::iter::from_fn(|| thumbnails.place(&caller(TenantId(tenant), token)).ok());
            of_one.take(100).collect::<Vec<_>>()
        };
        let of_first = places(1, 1);
        let of_second = places(1, 2);
        assert_eq!((of_first.len(), of_second.len()), (8, 8));
        drop(of_second);
        let others: Vec<_> = (2..10).flat_map(|token| places(1, token)).collect();
        assert_eq!(others.len(), 16, "of one tenant three quarters");
        assert_eq!(places(2, 1).len(), 8);
        drop(of_first);
        assert_eq!(places(1, 1).len(), 8, "what is done makes room");
    }
}
