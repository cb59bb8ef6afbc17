//! Bodies that are streamed to the operation.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::BodyDataStream;
use bytes::{Bytes, BytesMut};
use futures_core::Stream;

use super::{Common, Failure};

/// A body of bytes, read while it arrives.
#[derive(Debug)]
pub struct Body {
    stream: BodyDataStream,
    content_type: Option<String>,
    content_length: Option<u64>,
    limit: u64,
    left: u64,
}

impl Body {
    pub(super) fn new(
        body: axum::body::Body,
        content_type: Option<String>,
        content_length: Option<u64>,
        limit: u64,
    ) -> Self {
        Self { stream: body.into_data_stream(), content_type, content_length, limit, left: limit }
    }

    /// `Content-Type`, with its parameters.
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// The number of bytes, if the caller declares it.
    pub fn content_length(&self) -> Option<u64> {
        self.content_length
    }

    /// The next chunk; `None` at the end.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Failure<Common>> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await.transpose()
    }

    /// Reads the whole body.
    pub async fn bytes(mut self) -> Result<Bytes, Failure<Common>> {
        let Some(first) = self.chunk().await? else { return Ok(Bytes::new()) };
        // Most bodies arrive in one chunk, which needs no copy.
        let Some(second) = self.chunk().await? else { return Ok(first) };

        let mut bytes = BytesMut::from(first);
        bytes.extend_from_slice(&second);
        while let Some(chunk) = self.chunk().await? {
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes.freeze())
    }
}

impl Stream for Body {
    type Item = Result<Bytes, Failure<Common>>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let chunk = match ready!(Pin::new(&mut self.stream).poll_next(context)) {
            None => return Poll::Ready(None),
            Some(Ok(chunk)) => chunk,
            Some(Err(error)) => {
                return Poll::Ready(Some(Err(Failure::bad_request("the body ends early").with_source(error))));
            }
        };
        let length = u64::try_from(chunk.len()).unwrap_or(u64::MAX);
        Poll::Ready(Some(match self.left.checked_sub(length) {
            Some(left) => {
                self.left = left;
                Ok(chunk)
            }
            None => Err(Failure::too_large(self.limit)),
        }))
    }
}
