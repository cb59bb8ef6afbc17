//! Streamed bodies.

use std::fmt::{self, Debug, Display, Formatter};
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use futures_core::Stream;
use http::HeaderMap;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use tokio::io::AsyncWriteExt;

/// A streamed body: a [`Stream`] of chunks.
pub struct Download {
    headers: HeaderMap,
    chunks: Option<Pin<Box<dyn Stream<Item = reqwest::Result<Bytes>> + Send>>>,
    limit: u64,
}

/// Why a body was not read to its end.
#[derive(Debug)]
pub enum DownloadError {
    /// The connection broke off.
    BrokenOff(reqwest::Error),
    /// The body is longer than the client's limit for bodies in memory, in bytes.
    TooLong(u64),
}

impl Download {
    pub(super) fn new(headers: HeaderMap, response: Option<reqwest::Response>, limit: u64) -> Self {
        let chunks = response.map(|response| Box::pin(response.bytes_stream()) as Pin<Box<_>>);
        Self { headers, chunks, limit }
    }

    /// The headers of the answer.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The media type of the body.
    pub fn content_type(&self) -> Option<&str> {
        self.headers.get(CONTENT_TYPE)?.to_str().ok()
    }

    /// The length of the body, if the server sent it.
    pub fn content_length(&self) -> Option<u64> {
        self.headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
    }

    /// The next chunk; `None` at the end.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, DownloadError> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await.transpose()
    }

    /// Reads the rest into memory, up to the client's limit.
    pub async fn bytes(mut self) -> Result<Bytes, DownloadError> {
        let mut all = BytesMut::new();
        while let Some(chunk) = self.chunk().await? {
            all.extend_from_slice(&chunk);
            if all.len() as u64 > self.limit {
                return Err(DownloadError::TooLong(self.limit));
            }
        }
        Ok(all.freeze())
    }

    /// Writes the rest to a file and returns the number of bytes.
    pub async fn save(mut self, path: impl AsRef<Path>) -> io::Result<u64> {
        let mut file = tokio::fs::File::create(path).await?;
        let mut length = 0;
        while let Some(chunk) = self.chunk().await.map_err(io::Error::other)? {
            file.write_all(&chunk).await?;
            length += chunk.len() as u64;
        }
        file.flush().await?;
        Ok(length)
    }
}

impl Stream for Download {
    type Item = Result<Bytes, DownloadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match &mut self.chunks {
            Some(chunks) => chunks
                .as_mut()
                .poll_next(context)
                .map(|chunk| chunk.map(|chunk| chunk.map_err(|error| DownloadError::BrokenOff(error.without_url())))),
            None => Poll::Ready(None),
        }
    }
}

impl Debug for Download {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Download").field("headers", &self.headers).finish_non_exhaustive()
    }
}

impl Display for DownloadError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::BrokenOff(_) => formatter.write_str("the body broke off"),
            Self::TooLong(limit) => write!(formatter, "the body is longer than the limit of {limit} bytes"),
        }
    }
}

impl std::error::Error for DownloadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::BrokenOff(source) => Some(source),
            Self::TooLong(_) => None,
        }
    }
}
