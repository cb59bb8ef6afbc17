//! The client's side of items that come one after the other.

use std::fmt::{self, Debug, Display, Formatter};
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::byte_stream::BoxError;
use super::client::{Answer, Body, Download, DownloadError, Request, Unreadable};
use super::json::{self, Read, Unwritable, Write};
use super::stream::{
    Broken, Decoder, Encoded, Encoder, Event, EventDecoder, Frame, Items, JsonDecoder, json_writer, write_json_event,
    write_text_event,
};
use super::violation::{Violation, Violations};

/// The items of an answer as they arrive; also a [`Stream`]. Dropping it closes the connection.
///
/// Events end with the connection, or with one whose data is `[DONE]` where that cannot be an item.
pub struct ItemStream<T> {
    // Boxed, because enums have it as a variant next to small ones.
    items: Box<Items<Download, T>>,
    limit: u64,
}

/// Items to send: a `Vec`, or a stream that makes them while they are being sent.
pub struct ItemBody<T> {
    items: Waiting<T>,
}

enum Waiting<T> {
    All(Vec<T>),
    Stream(Encoded<T, BoxError>),
}

/// Why an item was not read.
#[derive(Debug)]
pub enum ItemError {
    /// The body broke off; nothing follows.
    BrokenOff(DownloadError),
    /// An item is longer than the client's limit for what is held in memory, in bytes; nothing follows.
    TooLong(u64),
    /// The item is not what the description says; the next one may be.
    Unreadable(Box<UnreadableItem>),
}

/// An item that is not what the description says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableItem {
    /// The line on which it ends, from 1.
    pub line: u64,
    /// The item as it was sent; of JSON Lines, the line is the data.
    pub raw: Event<String>,
    /// Where it is not what the description says.
    pub violations: Vec<Violation>,
}

impl<T> ItemStream<T> {
    /// The next item, as soon as it is there; none at the end.
    pub async fn next(&mut self) -> Result<Option<T>, ItemError> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await.transpose()
    }

    /// All items that are left.
    pub async fn try_collect(mut self) -> Result<Vec<T>, ItemError> {
        let mut items = Vec::new();
        while let Some(item) = self.next().await? {
            items.push(item);
        }
        Ok(items)
    }
}

// Nothing in it is pinned where it lies.
impl<T> Unpin for ItemStream<T> {}

impl<T> Stream for ItemStream<T> {
    type Item = Result<T, ItemError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let limit = self.limit;
        let refused = |broken| match broken {
            Broken::Off(error) => ItemError::BrokenOff(error),
            Broken::TooLong => ItemError::TooLong(limit),
            Broken::Item(frame, violations) => ItemError::Unreadable(Box::new(UnreadableItem {
                line: frame.line,
                raw: frame.raw(),
                violations: violations.into(),
            })),
        };
        self.items.poll(context).map(|item| item.map(|item| item.map_err(refused)))
    }
}

impl<T> Debug for ItemStream<T> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ItemStream").field("items", &self.items).finish_non_exhaustive()
    }
}

/// No items.
impl<T> Default for ItemBody<T> {
    fn default() -> Self {
        Self { items: Waiting::All(Vec::new()) }
    }
}

impl<T> ItemBody<T> {
    /// Items that are made while they are being sent. They can be sent once only, so such a call is never repeated.
    pub fn stream<S, E>(items: S) -> Self
    where
        S: Stream<Item = Result<T, E>> + Send + 'static,
        E: Into<BoxError>,
    {
        Self { items: Waiting::Stream(Box::pin(Erased(Box::pin(items)))) }
    }

    fn into_body(self, write: fn(&T, &mut Vec<u8>) -> Result<(), Unwritable>) -> Result<Body, Unwritable>
    where
        T: 'static,
    {
        match self.items {
            Waiting::All(items) => {
                let mut bytes = Vec::new();
                for item in &items {
                    write(item, &mut bytes)?;
                }
                Ok(Body::bytes(bytes))
            }
            Waiting::Stream(items) => Ok(Body::stream(Encoder { items, write })),
        }
    }
}

impl<T> From<Vec<T>> for ItemBody<T> {
    fn from(items: Vec<T>) -> Self {
        Self { items: Waiting::All(items) }
    }
}

impl<T> Debug for ItemBody<T> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match &self.items {
            Waiting::All(items) => write!(formatter, "{} items", items.len()),
            Waiting::Stream(_) => formatter.write_str("a stream of items"),
        }
    }
}

/// A stream whose errors are boxed.
struct Erased<S>(Pin<Box<S>>);

impl<T, E: Into<BoxError>, S: Stream<Item = Result<T, E>>> Stream for Erased<S> {
    type Item = Result<T, BoxError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context).map(|item| item.map(|item| item.map_err(Into::into)))
    }
}

impl Answer {
    /// The body as events whose data is JSON.
    pub fn json_events<T: Read + 'static>(&mut self) -> Result<ItemStream<Event<T>>, Unreadable> {
        self.events(|frame| Ok(frame.about.clone().with(json::from_slice(&frame.data)?)))
    }

    /// The body as events whose data is text.
    pub fn text_events(&mut self) -> Result<ItemStream<Event<String>>, Unreadable> {
        self.events(|frame| Ok(frame.raw()))
    }

    /// The body as JSON texts.
    pub fn json_lines<T: Read + 'static>(&mut self) -> Result<ItemStream<T>, Unreadable> {
        let limit = self.limit();
        let decoder = Decoder::Json(JsonDecoder::new(limit));
        let items = Items::new(self.download()?, decoder, |frame| json::from_slice(&frame.data));
        Ok(ItemStream { items: Box::new(items), limit })
    }

    fn events<T: 'static>(
        &mut self,
        read: fn(&Frame) -> Result<Event<T>, Violations>,
    ) -> Result<ItemStream<Event<T>>, Unreadable> {
        self.content()?;
        let limit = self.limit();
        let items = Items::new(self.download()?, Decoder::Events(EventDecoder::new(limit)), read);
        Ok(ItemStream { items: Box::new(items), limit })
    }
}

impl Request {
    /// Events whose data is JSON as a body.
    pub fn json_events<T: Write + 'static>(self, content_type: &'static str, body: ItemBody<Event<T>>) -> Self {
        self.try_body(content_type, body.into_body(write_json_event))
    }

    /// Events whose data is text as a body.
    pub fn text_events(self, content_type: &'static str, body: ItemBody<Event<String>>) -> Self {
        self.try_body(content_type, body.into_body(write_text_event))
    }

    /// JSON texts as a body.
    pub fn json_lines<T: Write + 'static>(self, content_type: &'static str, body: ItemBody<T>) -> Self {
        self.try_body(content_type, body.into_body(json_writer(content_type)))
    }
}

impl Display for ItemError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::BrokenOff(error) => Display::fmt(error, formatter),
            Self::TooLong(limit) => write!(formatter, "an item is longer than the limit of {limit} bytes"),
            Self::Unreadable(item) => Display::fmt(item, formatter),
        }
    }
}

impl Display for UnreadableItem {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "the item up to line {} cannot be read", self.line)?;
        for (index, violation) in self.violations.iter().take(3).enumerate() {
            let separator = if index == 0 { ": " } else { "; " };
            write!(formatter, "{separator}{violation}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ItemError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::BrokenOff(error) => std::error::Error::source(error),
            Self::TooLong(_) | Self::Unreadable(_) => None,
        }
    }
}

impl std::error::Error for UnreadableItem {}
