//! One server-sent event.

use std::time::Duration;

/// A server-sent event, whose data is a `T`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event<T> {
    /// `event`: what kind of event it is; none is `message`.
    pub event: Option<String>,
    /// What it says.
    pub data: T,
    /// `id`: where in the stream it stands. Of events that are received, the last one that was said, so that it can be
    /// asked for as `Last-Event-ID`.
    pub id: Option<String>,
    /// `retry`: how long to wait before connecting again.
    pub retry: Option<Duration>,
}

impl<T> Event<T> {
    /// An event that is nothing but its data.
    pub fn new(data: T) -> Self {
        Self { event: None, data, id: None, retry: None }
    }

    /// Says what kind of event it is.
    #[must_use]
    pub fn event(mut self, event: impl Into<String>) -> Self {
        self.event = Some(event.into());
        self
    }

    /// Says where in the stream it stands.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Says how long to wait before connecting again.
    #[must_use]
    pub fn retry(mut self, retry: Duration) -> Self {
        self.retry = Some(retry);
        self
    }

    /// The same event with other data.
    pub(crate) fn with<U>(self, data: U) -> Event<U> {
        Event { event: self.event, data, id: self.id, retry: self.retry }
    }
}

impl<T> From<T> for Event<T> {
    fn from(data: T) -> Self {
        Self::new(data)
    }
}
