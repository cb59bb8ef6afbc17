//! Streams of bytes of any kind.

use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;

pub(crate) type BoxError = Box<dyn Error + Send + Sync>;

/// A stream of bytes whose errors are boxed.
pub(crate) type ByteStream = Pin<Box<dyn Stream<Item = Result<Bytes, BoxError>> + Send>>;

/// Boxes a stream and its errors.
pub(crate) fn boxed<S, E>(stream: S) -> ByteStream
where
    S: Stream<Item = Result<Bytes, E>> + Send + 'static,
    E: Into<BoxError> + 'static,
{
    Box::pin(Erased(Box::pin(stream)))
}

struct Erased<S>(Pin<Box<S>>);

impl<S, E> Stream for Erased<S>
where
    S: Stream<Item = Result<Bytes, E>>,
    E: Into<BoxError>,
{
    type Item = Result<Bytes, BoxError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context).map(|item| item.map(|chunk| chunk.map_err(Into::into)))
    }
}
