//! Bounds what the parser of multipart bodies buffers.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;

use super::ReadError;
use super::headless::Headless;
use crate::byte_stream::{BoxError, ByteStream};

/// Maximum number of bytes before the first part or between two parts, including headers. The parser buffers
/// them, and scans them again with each chunk.
const BETWEEN: u64 = 16 << 10;

/// The buffer limit of the parser while it looks for the next part.
#[derive(Debug, Default)]
pub(super) struct Between {
    is_looking: AtomicBool,
    /// The previous part has not been read to its end; it is skipped first and not buffered.
    skips: AtomicBool,
    taken: AtomicU64,
}

impl Between {
    pub(super) fn begin(&self) {
        self.taken.store(0, Ordering::Relaxed);
        self.is_looking.store(true, Ordering::Relaxed);
    }

    pub(super) fn end(&self) {
        self.is_looking.store(false, Ordering::Relaxed);
        self.skips.store(false, Ordering::Relaxed);
    }

    pub(super) fn skip(&self) {
        self.skips.store(true, Ordering::Relaxed);
    }

    /// Whether another chunk may be taken. The last one may have any length, because it contains more than
    /// the headers.
    fn has_room(&self) -> bool {
        let is_bounded = self.is_looking.load(Ordering::Relaxed) && !self.skips.load(Ordering::Relaxed);
        !is_bounded || self.taken.load(Ordering::Relaxed) < BETWEEN
    }

    fn take(&self, bytes: usize) {
        self.taken.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// Passes one chunk at a time to the parser, which would otherwise buffer all that a fast sender has ready.
pub(super) struct OneByOne {
    body: ByteStream,
    headless: Headless,
    is_over: bool,
    rested: bool,
    between: Arc<Between>,
}

impl OneByOne {
    pub(super) fn new(body: ByteStream, boundary: &str, between: Arc<Between>) -> Self {
        Self { body, headless: Headless::new(boundary), is_over: false, rested: true, between }
    }
}

impl Stream for OneByOne {
    type Item = Result<Bytes, BoxError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if !std::mem::replace(&mut self.rested, true) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if !self.between.has_room() {
            let detail = format!("the body has more than {BETWEEN} bytes before a part, its headers included");
            return Poll::Ready(Some(Err(ReadError::TooLarge(detail).into())));
        }
        if self.is_over {
            return Poll::Ready(None);
        }
        let chunk = ready!(Pin::new(&mut self.body).poll_next(context));
        self.rested = false;
        let piece = match chunk {
            Some(Ok(piece)) => {
                self.between.take(piece.len());
                self.headless.push(piece)
            }
            Some(Err(error)) => return Poll::Ready(Some(Err(error))),
            None => {
                self.is_over = true;
                self.rested = true;
                self.headless.finish()
            }
        };
        Poll::Ready(Some(Ok(piece)))
    }
}
