//! The socket of a connection: notes whether bytes pass, and does not slam shut on a caller who is still sending.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Sleep, sleep},
};

use super::activity::Activity;
use crate::config::Limits;

/// A socket.
///
/// When it is shut down, it takes for a while what the caller still sends: closing it with unread bytes would reset the
/// connection, and the caller, who is sending, would lose the answer that is on its way.
#[derive(Debug)]
pub(super) struct Socket {
    stream: TcpStream,
    activity: Activity,
    drain: Drain,
    time: Option<Pin<Box<Sleep>>>,
    head: Head,
}

/// What has been seen of the head that is being read.
#[derive(Debug, Default)]
struct Head {
    number: u64,
    has_begun: bool,
    last: [u8; 3],
    is_over: bool,
}

impl Head {
    /// Whether every line ends with CR and LF. HTTP lets a server take a LF alone for the end of a line, but others before it
    /// may not have done so, and then have read another request.
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

/// How much of what a caller still sends is taken after the answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drain {
    bytes: u64,
    time: Duration,
}

impl Drain {
    /// So much.
    pub(super) fn new(limits: &Limits) -> Self {
        Self { bytes: limits.drain_bytes, time: Duration::from_secs(limits.drain_seconds.into()) }
    }
}

impl Socket {
    /// A socket whose bytes are noted in `activity`.
    pub(super) fn new(stream: TcpStream, activity: Activity, drain: Drain) -> Self {
        Self { stream, activity, drain, time: None, head: Head::default() }
    }
}

impl AsyncRead for Socket {
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
            // Nothing else has been written since the last answer ended.
            let _ =
                self.stream.try_write(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.activity.writes(written.is_ready());
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.activity.writes(written.is_ready());
        written
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
        let time = this.time.get_or_insert_with(|| Box::pin(sleep(this.drain.time)));
        let mut buffer = [0; 8 << 10];
        while this.drain.bytes > 0 && time.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::new(&mut buffer);
            match ready!(Pin::new(&mut this.stream).poll_read(context, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => {
                    this.drain.bytes = this.drain.bytes.saturating_sub(buffer.filled().len() as u64);
                }
                // The caller has closed its side, or is gone.
                Ok(()) | Err(_) => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_ends_without_cr_is_found_however_the_bytes_come() {
        let is_plain = |text: &str| {
            let mut head = Head::default();
            let at_once = Head::default().is_plain(0, text.as_bytes());
            assert_eq!(text.bytes().all(|byte| head.is_plain(0, &[byte])), at_once, "{text:?}");
            at_once
        };
        assert!(is_plain("GET / HTTP/1.1\r\nhost: x\r\n\r\n"));
        assert!(is_plain("\n\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\nbody\nbody"));
        assert!(is_plain("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\n"));
        assert!(!is_plain("GET / HTTP/1.1\nhost: x\r\n\r\n"));
        assert!(!is_plain("GET / HTTP/1.1\r\nhost: x\nx: y\r\n\r\n"));
        assert!(!is_plain("GET / HTTP/1.1\r\nhost: x\r\n\n"));
        let mut head = Head::default();
        assert!(head.is_plain(0, b"GET / HTTP/1.1\r\n\r\n\n") && !head.is_plain(1, b"GET / HTTP/1.1\n"));
    }
}
