//! The server side of streams of items.

use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use http::StatusCode;
use http::header::CACHE_CONTROL;
use tokio::sync::mpsc;
use tokio::time::{Instant, Sleep};

use super::json::{self, Read, Reader, Unwritable, Write};
use super::rule::{Check, Rule, read_checked};
use super::server::{Answer, Body, BodyReader, Common, Download, Failure, Reply};
use super::stream::{
    Broken, Decoder, Encoded, Encoder, Event, EventDecoder, Frame, Items, JsonDecoder, json_writer, write_json_event,
    write_text_event,
};
use super::violation::{Location, Violation, Violations};

/// A comment, sent in an idle stream to keep the connection alive.
const KEEP_ALIVE: &[u8] = b":\n\n";

/// The items of a response, each sent when it is ready, and polled as fast as the caller reads.
///
/// It is dropped when the caller disconnects. An item that fails aborts the response, because the status has
/// been sent.
pub struct ItemStream<T> {
    items: Encoded<T, Failure>,
}

/// The items of a body, read as they arrive: also a [`Stream`].
pub struct ItemBody<T> {
    // Boxed, because the other variants of enums that hold it are small.
    items: Box<Items<Body, T>>,
    limit: u64,
    count: u64,
}

impl<T: 'static> ItemStream<T> {
    /// The items of a stream.
    pub fn new<S, E>(items: S) -> Self
    where
        S: Stream<Item = Result<T, E>> + Send + 'static,
        E: Into<Failure>,
    {
        Self { items: Box::pin(Failing(Box::pin(items))) }
    }
}

/// The items sent to a channel; [`closed`](mpsc::Sender::closed) resolves when the caller disconnects.
impl<T: Send + 'static> From<mpsc::Receiver<Result<T, Failure>>> for ItemStream<T> {
    fn from(receiver: mpsc::Receiver<Result<T, Failure>>) -> Self {
        Self { items: Box::pin(Received(receiver)) }
    }
}

impl<T> Debug for ItemStream<T> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("ItemStream")
    }
}

impl<T> ItemBody<T> {
    /// The next item; `None` at the end. Violations name the index of the item and its line. After an invalid
    /// item, the next one can be read.
    pub async fn next(&mut self) -> Result<Option<T>, Failure<Common>> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await.transpose()
    }
}

// No field is pinned in place.
impl<T> Unpin for ItemBody<T> {}

impl<T> Stream for ItemBody<T> {
    type Item = Result<T, Failure<Common>>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let item = ready!(self.items.poll(context));
        let index = self.count;
        self.count += 1;
        Poll::Ready(item.map(|item| {
            item.map_err(|broken| match broken {
                Broken::Off(failure) => failure,
                Broken::TooLong => Failure::too_large(self.limit),
                Broken::Item(frame, violations) => Failure::invalid(inside(index, frame.line, violations)),
            })
        }))
    }
}

impl<T> Debug for ItemBody<T> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ItemBody").field("items", &self.items).finish_non_exhaustive()
    }
}

/// Violations of an item, with pointers from the whole body.
fn inside(index: u64, line: u64, violations: Violations) -> Vec<Violation> {
    let mut violations = Vec::from(violations);
    for violation in &mut violations {
        violation.location = Location::Body;
        violation.pointer.insert_str(0, &format!("/{index}"));
        violation.detail = format!("{} (line {line})", violation.detail);
    }
    violations
}

impl BodyReader<'_, '_> {
    /// JSON texts.
    pub fn json_lines<T: Read + 'static>(self) -> Option<ItemBody<T>> {
        self.items(|limit| Decoder::Json(JsonDecoder::new(limit)), |frame| json::from_slice_strict(&frame.data))
    }

    /// JSON texts, checked against rules.
    pub fn json_lines_checked<T: Read + Check + 'static>(self, rules: &'static [Rule<'static>]) -> Option<ItemBody<T>> {
        self.items(|limit| Decoder::Json(JsonDecoder::new(limit)), |frame| checked(frame, rules))
    }

    /// Events with JSON data.
    pub fn json_events<T: Read + 'static>(self) -> Option<ItemBody<Event<T>>> {
        self.items(
            |limit| Decoder::Events(EventDecoder::new(limit)),
            |frame| Ok(frame.about.clone().with(json::from_slice_strict(&frame.data)?)),
        )
    }

    /// Events with JSON data, checked against rules.
    pub fn json_events_checked<T: Read + Check + 'static>(
        self,
        rules: &'static [Rule<'static>],
    ) -> Option<ItemBody<Event<T>>> {
        self.items(
            |limit| Decoder::Events(EventDecoder::new(limit)),
            |frame| Ok(frame.about.clone().with(checked(frame, rules)?)),
        )
    }

    /// Events with text data.
    pub fn text_events(self) -> Option<ItemBody<Event<String>>> {
        self.items(|limit| Decoder::Events(EventDecoder::new(limit)), |frame| Ok(frame.raw()))
    }

    fn items<T>(
        self,
        decoder: fn(u64) -> Decoder,
        read: impl Fn(&Frame) -> Result<T, Violations> + Send + 'static,
    ) -> Option<ItemBody<T>> {
        let limit = self.limits().body;
        let body = self.stream()?;
        Some(ItemBody { items: Box::new(Items::new(body, decoder(limit), read)), limit, count: 0 })
    }
}

fn checked<T: Read + Check>(frame: &Frame, rules: &[Rule<'_>]) -> Result<T, Violations> {
    json::read_document(Reader::strict(&frame.data), |json| read_checked(json, rules))
}

impl Reply {
    /// Events with JSON data.
    pub fn json_events<T: Write + 'static>(self, status: StatusCode, events: ItemStream<Event<T>>) -> Answer {
        self.events(status, events, write_json_event)
    }

    /// Events with text data.
    pub fn text_events(self, status: StatusCode, events: ItemStream<Event<String>>) -> Answer {
        self.events(status, events, write_text_event)
    }

    /// JSON texts.
    pub fn json_lines<T: Write + 'static>(self, status: StatusCode, items: ItemStream<T>) -> Answer {
        let write = json_writer(self.media_type());
        self.download(status, Download::stream(Sending::new(items.items, write, None)))
    }

    fn events<T: 'static>(
        self,
        status: StatusCode,
        events: ItemStream<Event<T>>,
        write: fn(&Event<T>, &mut Vec<u8>) -> Result<(), Unwritable>,
    ) -> Answer {
        let sending = Sending::new(events.items, write, Some(Idle::new(self.keep_alive())));
        self.download(status, Download::stream(sending).header(CACHE_CONTROL, "no-cache"))
    }
}

/// Items being sent.
struct Sending<T> {
    encoder: Encoder<T, Failure>,
    idle: Option<Idle>,
    /// A failure that is reported after the items before it have been sent.
    failed: Option<Failure>,
}

/// How long nothing has been sent.
struct Idle {
    interval: Duration,
    over: Pin<Box<Sleep>>,
}

impl Idle {
    fn new(interval: Duration) -> Self {
        Self { interval, over: Box::pin(tokio::time::sleep(interval)) }
    }

    fn begin(&mut self) {
        self.over.as_mut().reset(Instant::now() + self.interval);
    }
}

impl<T> Sending<T> {
    fn new(
        items: Encoded<T, Failure>,
        write: fn(&T, &mut Vec<u8>) -> Result<(), Unwritable>,
        idle: Option<Idle>,
    ) -> Self {
        Self { encoder: Encoder { items, write }, idle, failed: None }
    }
}

impl<T> Stream for Sending<T> {
    type Item = Result<Bytes, BrokenOff>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Self { encoder, idle, failed } = &mut *self;
        if let Some(failure) = failed.take() {
            return Poll::Ready(Some(Err(BrokenOff(failure))));
        }
        if let Poll::Ready(chunk) = Pin::new(encoder).poll_next(context) {
            if let Some(idle) = idle {
                idle.begin();
            }
            return match chunk {
                None => Poll::Ready(None),
                Some(Ok(chunk)) => Poll::Ready(Some(Ok(chunk))),
                Some(Err(failure)) => {
                    // Send the items before it first: closing the connection loses its buffers.
                    *failed = Some(failure);
                    context.waker().wake_by_ref();
                    Poll::Pending
                }
            };
        }
        let Some(idle) = idle else { return Poll::Pending };
        ready!(idle.over.as_mut().poll(context));
        idle.begin();
        Poll::Ready(Some(Ok(Bytes::from_static(KEEP_ALIVE))))
    }
}

/// The failure of an item as an error, which a failure itself is not.
#[derive(Debug)]
struct BrokenOff(Failure);

impl Display for BrokenOff {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "the answer broke off: {} {}", self.0.status(), self.0.message())
    }
}

impl Error for BrokenOff {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source().map(|source| source as &(dyn Error + 'static))
    }
}

/// A stream whose errors are failures.
struct Failing<S>(Pin<Box<S>>);

impl<T, E: Into<Failure>, S: Stream<Item = Result<T, E>>> Stream for Failing<S> {
    type Item = Result<T, Failure>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context).map(|item| item.map(|item| item.map_err(Into::into)))
    }
}

/// A channel as a stream.
struct Received<T>(mpsc::Receiver<T>);

impl<T> Stream for Received<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        self.0.poll_recv(context)
    }
}
