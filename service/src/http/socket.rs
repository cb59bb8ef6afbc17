//! The stream of a connection: records traffic, and closes gracefully while the client is still sending.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

use super::{HEAD_BYTES, connection::Activity};

/// How much is drained after the last response.
const DRAIN_BYTES: usize = 32 << 20;
/// How long it is drained.
const DRAIN: Duration = Duration::from_secs(5);
/// The response to a head with a bare LF.
const NOT_PLAIN: &[u8] = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/// A stream with graceful shutdown.
///
/// Shutdown drains what the client still sends: closing with unread bytes would reset the connection, and the
/// client would lose the response.
#[derive(Debug)]
pub(super) struct Socket<S> {
    stream: S,
    activity: Activity,
    head: Head,
    left: usize,
    time: Option<Pin<Box<Sleep>>>,
}

/// The state of the current head.
#[derive(Debug, Default)]
struct Head {
    number: u64,
    has_begun: bool,
    last: [u8; 3],
    is_over: bool,
}

impl Head {
    /// Whether every line ends with CRLF. HTTP allows servers to accept a bare LF, but a proxy in front may
    /// parse the request differently.
    fn is_plain(&mut self, number: u64, bytes: &[u8]) -> bool {
        if self.number != number {
            *self = Self { number, ..Self::default() };
        }
        for byte in bytes {
            if self.is_over {
                break;
            }
            if !self.has_begun && matches!(byte, b'\r' | b'\n') {
                continue;
            }
            self.has_begun = true;
            if *byte == b'\n' {
                if self.last[2] != b'\r' {
                    return false;
                }
                self.is_over = self.last == *b"\r\n\r";
            }
            self.last = [self.last[1], self.last[2], *byte];
        }
        true
    }
}

impl<S> Socket<S> {
    /// A stream whose traffic is recorded in `activity`.
    pub(super) fn new(stream: S, activity: Activity) -> Self {
        Self { stream, activity, head: Head::default(), left: DRAIN_BYTES, time: None }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Socket<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let read = &buffer.filled()[before..];
        if !read.is_empty()
            && let Some(number) = self.activity.has_read()
            && !self.head.is_plain(number, read)
        {
            // Nothing has been written since the last response ended.
            let _ = Pin::new(&mut self.stream).poll_write(context, NOT_PLAIN);
            let _ = Pin::new(&mut self.stream).poll_flush(context);
            // Drain what has arrived, for the same reason as on shutdown.
            let mut rest = [0; HEAD_BYTES];
            let _ = Pin::new(&mut self.stream).poll_read(context, &mut ReadBuf::new(&mut rest));
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Socket<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes));
        self.activity.has_written();
        Poll::Ready(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write_vectored(context, slices));
        self.activity.has_written();
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
