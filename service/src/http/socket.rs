//! The stream of a connection: notes when bytes pass, and does not slam shut on a client that is still sending.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep, sleep_until},
};

/// How much of an unread body is drained after the response.
const DRAIN_BYTES: usize = 32 << 20;
/// How long it is drained.
const DRAIN: Duration = Duration::from_secs(5);

/// When the last byte passed, in either direction; clones share it.
#[derive(Clone, Debug)]
pub(super) struct Moved(Arc<Mutex<Instant>>);

impl Default for Moved {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Instant::now())))
    }
}

impl Moved {
    /// Waits until no byte has passed for `time`.
    pub(super) async fn idle(&self, time: Duration) {
        loop {
            let end = *self.0.lock() + time;
            if end <= Instant::now() {
                return;
            }
            sleep_until(end).await;
        }
    }

    fn now(&self) {
        *self.0.lock() = Instant::now();
    }
}

/// A stream with graceful shutdown.
///
/// Shutdown drains what the client still sends: closing with unread bytes would reset the connection, and the
/// client would lose the response.
#[derive(Debug)]
pub(super) struct Socket<S> {
    stream: S,
    moved: Moved,
    left: usize,
    time: Option<Pin<Box<Sleep>>>,
}

impl<S> Socket<S> {
    /// A stream whose bytes are noted in `moved`.
    pub(super) fn new(stream: S, moved: Moved) -> Self {
        Self { stream, moved, left: DRAIN_BYTES, time: None }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Socket<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = ready!(Pin::new(&mut self.stream).poll_read(context, buffer));
        self.moved.now();
        Poll::Ready(read)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Socket<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes));
        self.moved.now();
        Poll::Ready(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write_vectored(context, slices));
        self.moved.now();
        Poll::Ready(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.time.is_none() {
            ready!(Pin::new(&mut this.stream).poll_shutdown(context))?;
        }
        let time = this.time.get_or_insert_with(|| Box::pin(sleep(DRAIN)));
        let mut buffer = [0; 8 << 10];
        while this.left > 0 && time.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::new(&mut buffer);
            match ready!(Pin::new(&mut this.stream).poll_read(context, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => this.left = this.left.saturating_sub(buffer.filled().len()),
                // The client has closed its side or disconnected.
                Ok(()) | Err(_) => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}
