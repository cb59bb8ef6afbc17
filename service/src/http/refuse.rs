//! Connections that are one too many: refused with an answer, and closed.

use std::{sync::Arc, time::Duration};

use tokio::{io::AsyncWriteExt as _, net::TcpStream, sync::Semaphore};

use super::{
    activity::Activity,
    socket::{Drain, Socket},
};
use crate::config::Limits;

/// What they are answered. Which family of operations would have been called is not known.
const ANSWER: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 1\r\n\
    content-type: application/problem+json\r\ncontent-length: 98\r\n\r\n\
    {\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,\"detail\":\"too many connections\"}\n";

/// How many of them are held at once until they have read it; others are closed in the moment.
const HELD: usize = 256;

/// Refuses connections.
pub(super) struct Refusals {
    held: Arc<Semaphore>,
    limits: Limits,
}

impl Refusals {
    /// With the time and the bytes that other connections have.
    pub(super) fn new(limits: &Limits) -> Self {
        let limits = Limits { drain_bytes: limits.drain_bytes.min(64 << 10), ..limits.clone() };
        Self { held: Arc::new(Semaphore::new(HELD)), limits }
    }

    /// Answers 503, whatever the request is, and closes the connection.
    pub(super) fn refuse(&self, stream: TcpStream) {
        let Ok(permit) = Arc::clone(&self.held).try_acquire_owned() else {
            // The buffer of a new socket is empty, so that this does not wait.
            let _ = stream.try_write(ANSWER);
            return;
        };
        let mut socket = Socket::new(stream, Activity::new(&self.limits), Drain::new(&self.limits));
        tokio::spawn(async move {
            let answer = async {
                socket.write_all(ANSWER).await?;
                socket.shutdown().await
            };
            let _ = tokio::time::timeout(Duration::from_secs(2), answer).await;
            drop(permit);
        });
    }
}
