//! Decodes the chunks of a body to items.

use std::fmt::{self, Debug, Formatter};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;

use super::{Decoder, Frame, TooLong};
use crate::violation::Violations;

/// The items of a body, read as they arrive.
pub(crate) struct Items<S, T> {
    chunks: Option<S>,
    chunk: Bytes,
    decoder: Decoder,
    read: Read<T>,
}

type Read<T> = Box<dyn Fn(&Frame) -> Result<T, Violations> + Send>;

/// Why an item cannot be read.
#[derive(Debug)]
pub(crate) enum Broken<E> {
    /// The body ended early; nothing follows.
    Off(E),
    /// An item exceeds the limit; nothing follows.
    TooLong,
    /// The item violates the description.
    Item(Frame, Violations),
}

impl<S, T> Items<S, T> {
    pub(crate) fn new(
        chunks: S,
        decoder: Decoder,
        read: impl Fn(&Frame) -> Result<T, Violations> + Send + 'static,
    ) -> Self {
        Self { chunks: Some(chunks), chunk: Bytes::new(), decoder, read: Box::new(read) }
    }

    fn end<E>(&mut self, broken: Broken<E>) -> Poll<Option<Result<T, Broken<E>>>> {
        self.chunks = None;
        self.chunk = Bytes::new();
        Poll::Ready(Some(Err(broken)))
    }

    fn item<E>(&mut self, frame: Frame) -> Option<Result<T, Broken<E>>> {
        match (self.read)(&frame) {
            Ok(item) => Some(Ok(item)),
            Err(_) if matches!(self.decoder, Decoder::Events(_)) && frame.is_done() => {
                self.chunks = None;
                self.chunk = Bytes::new();
                None
            }
            Err(violations) => Some(Err(Broken::Item(frame, violations))),
        }
    }

    /// The next item; `None` at the end.
    pub(crate) fn poll<E>(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T, Broken<E>>>>
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
    {
        while let Some(chunks) = &mut self.chunks {
            let found = match &mut self.decoder {
                Decoder::Events(decoder) => decoder.next(&mut self.chunk),
                Decoder::Json(decoder) => decoder.next(&mut self.chunk),
            };
            match found {
                Ok(Some(frame)) => return Poll::Ready(self.item(frame)),
                Ok(None) => {}
                Err(TooLong) => return self.end(Broken::TooLong),
            }
            match ready!(Pin::new(chunks).poll_next(context)) {
                Some(Ok(chunk)) => self.chunk = chunk,
                Some(Err(error)) => return self.end(Broken::Off(error)),
                None => {
                    self.chunks = None;
                    let last = match &mut self.decoder {
                        Decoder::Events(_) => None,
                        Decoder::Json(decoder) => decoder.finish(),
                    };
                    return Poll::Ready(last.and_then(|frame| self.item(frame)));
                }
            }
        }
        Poll::Ready(None)
    }
}

impl<S, T> Debug for Items<S, T> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Items").field("decoder", &self.decoder).finish_non_exhaustive()
    }
}
