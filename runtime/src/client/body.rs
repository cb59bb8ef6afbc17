//! Bodies of requests.

use std::error::Error;
use std::io;
use std::path::Path;

use bytes::Bytes;
use futures_core::Stream;

use crate::piece::{Piece, Sending};

/// The body of a request in bytes; empty by default.
#[derive(Debug, Default)]
pub struct Body {
    pub(super) content_type: Option<String>,
    pub(super) pieces: Vec<Piece>,
}

impl Body {
    /// A body of bytes.
    pub fn bytes(bytes: impl Into<Bytes>) -> Self {
        Self::of(Piece::Bytes(bytes.into()))
    }

    /// A file, which is read while it is sent.
    pub async fn file(path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self::of(Piece::file(path.as_ref()).await?))
    }

    /// The items of a stream. A stream can be sent only once, so such a call is never retried.
    pub fn stream<S, E>(stream: S) -> Self
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: Into<Box<dyn Error + Send + Sync>> + 'static,
    {
        Self::of(Piece::stream(stream))
    }

    /// Sets the media type; the default is the one that the description declares.
    #[must_use]
    pub fn content_type(mut self, content_type: impl Into<String>) -> Self {
        self.content_type = Some(content_type.into());
        self
    }

    /// Sets the length of a stream, which is sent as `Content-Length`.
    #[must_use]
    pub fn length(mut self, length: u64) -> Self {
        self.pieces.iter_mut().for_each(|piece| piece.set_length(length));
        self
    }

    fn of(piece: Piece) -> Self {
        Self { content_type: None, pieces: vec![piece] }
    }

    /// A copy of the body; `None` if it contains a stream.
    pub(super) fn again(&self) -> Option<Self> {
        let pieces = self.pieces.iter().map(Piece::again).collect::<Option<_>>()?;
        Some(Self { content_type: self.content_type.clone(), pieces })
    }

    pub(super) fn into_sent(mut self) -> reqwest::Body {
        match self.pieces.as_mut_slice() {
            [] => reqwest::Body::from(Bytes::new()),
            [Piece::Bytes(bytes)] => reqwest::Body::from(std::mem::take(bytes)),
            _ => reqwest::Body::wrap_stream(Sending::new(self.pieces)),
        }
    }
}

impl<B: Into<Bytes>> From<B> for Body {
    fn from(bytes: B) -> Self {
        Self::bytes(bytes)
    }
}
