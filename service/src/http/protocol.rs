//! Which version of HTTP a connection speaks, and how.

use std::{io, time::Duration};

use hyper::server::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::net::TcpStream;

use crate::config::Limits;

/// How HTTP/1 is spoken.
pub(super) fn http1(limits: &Limits) -> http1::Builder {
    let mut builder = http1::Builder::new();
    // How long a head may take and a connection be idle is for `Activity` to say: hyper takes the two for one.
    builder.timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(limits.head_bytes.max(8 << 10));
    builder
}

/// How HTTP/2 is spoken.
pub(super) fn http2(limits: &Limits) -> http2::Builder<TokioExecutor> {
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder
        .timer(TokioTimer::new())
        .keep_alive_interval(Some(Duration::from_secs(30)))
        .max_concurrent_streams(100)
        .max_header_list_size(u32::try_from(limits.head_bytes).unwrap_or(u32::MAX))
        // Streams that callers open and reset at once, before the connection is ended.
        .max_pending_accept_reset_streams(20)
        .max_local_error_reset_streams(100)
        .max_send_buf_size(64 << 10);
    builder
}

/// Whether the caller begins with what every connection of HTTP/2 begins with. It is looked at where it waits to be read: a
/// buffer for it would stay with the connection.
pub(super) async fn begins_http2(stream: &TcpStream) -> io::Result<bool> {
    const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    loop {
        let mut beginning = [0; PREFACE.len()];
        let read = stream.peek(&mut beginning).await?;
        if read == 0 || beginning[..read] != PREFACE[..read] {
            return Ok(false);
        }
        if read == PREFACE.len() {
            return Ok(true);
        }
        // What is there already would be seen again at once.
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
