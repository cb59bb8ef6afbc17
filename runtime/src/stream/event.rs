//! One server-sent event.

use std::time::Duration;

/// A server-sent event with data of type `T`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event<T> {
    /// `event`: the type of the event; `None` means `message`.
    pub event: Option<String>,
    /// The data.
    pub data: T,
    /// `id`: the position in the stream. In a received event it is the last id sent so far, to resume with
    /// `Last-Event-ID`.
    pub id: Option<String>,
    /// `retry`: how long to wait before reconnecting.
    pub retry: Option<Duration>,
}

impl<T> Event<T> {
    /// An event with data only.
    pub fn new(data: T) -> Self {
        Self { event: None, data, id: None, retry: None }
    }

    /// Sets the type of the event.
    #[must_use]
    pub fn event(mut self, event: impl Into<String>) -> Self {
        self.event = Some(event.into());
        self
    }

    /// Sets the position in the stream.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets how long to wait before reconnecting.
    #[must_use]
    pub fn retry(mut self, retry: Duration) -> Self {
        self.retry = Some(retry);
        self
    }

    /// Replaces the data.
    pub(crate) fn with<U>(self, data: U) -> Event<U> {
        Event { event: self.event, data, id: self.id, retry: self.retry }
    }
}

impl<T> From<T> for Event<T> {
    fn from(data: T) -> Self {
        Self::new(data)
    }
}
