//! A call of an operation: a request, its options, and how its answer is read.

use std::fmt::{self, Debug, Formatter};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use super::answer::{Answer, Unreadable};
use super::error::{Error, Unanswered};
use super::exchange::{IDEMPOTENCY_KEY, exchange};
use super::operation::Outcome;
use super::parts::Parts;
use super::{RawResponse, Response, Retry};

/// A call that is sent when it is awaited. Its value is a `T`; what the description says of its failures is in `E`.
#[must_use = "a call is sent when it is awaited"]
pub struct Call<T, E> {
    pub(super) parts: Box<Parts>,
    pub(super) reading: Reading<T, E>,
}

/// How an answer is read.
pub(super) struct Reading<T, E> {
    success: fn(&mut Answer) -> Result<T, Unreadable>,
    failure: fn(&mut Answer) -> Result<E, Unreadable>,
}

/// A call that has been sent.
#[must_use = "futures do nothing unless they are awaited"]
pub struct Answering<T, E> {
    exchange: Pin<Box<dyn Future<Output = Result<Answer, Unanswered>> + Send>>,
    reading: Reading<T, E>,
}

impl<T, E> Call<T, E> {
    pub(super) fn new(
        parts: Box<Parts>,
        success: fn(&mut Answer) -> Result<T, Unreadable>,
        failure: fn(&mut Answer) -> Result<E, Unreadable>,
    ) -> Self {
        Self { parts, reading: Reading { success, failure } }
    }

    /// How long it may take until the answer is there, repetitions included.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.parts.timeout = Some(timeout);
        self
    }

    /// A header besides those that the description declares, or in the place of one.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.parts.set_header(name, value);
        self
    }

    /// A query parameter besides those that the description declares, or in the place of one.
    pub fn query(mut self, name: &str, value: &str) -> Self {
        self.parts.set_query(name.to_owned(), value);
        self
    }

    /// Tells the server by `Idempotency-Key` that requests with this key are the same one, so that it can be sent
    /// again whatever its method.
    pub fn idempotency_key(self, key: &str) -> Self {
        self.header(IDEMPOTENCY_KEY, key)
    }

    /// When it is sent again, instead of what the client says.
    pub fn retry(mut self, retry: Retry) -> Self {
        self.parts.retry = Some(retry);
        self
    }

    /// The value together with status and headers.
    pub async fn with_response(self) -> Result<Response<T>, Error<E>> {
        self.send().await
    }

    /// The answer as it was sent, whatever its status.
    pub async fn raw(self) -> Result<RawResponse, Error<E>> {
        let answer = exchange(self.parts).await?;
        Ok(answer.into_raw().1)
    }

    pub(super) fn send(self) -> Answering<T, E> {
        Answering { exchange: Box::pin(exchange(self.parts)), reading: self.reading }
    }
}

/// Awaits the value.
impl<T, E> IntoFuture for Call<T, E> {
    type Output = Result<T, Error<E>>;
    type IntoFuture = Valued<T, E>;

    fn into_future(self) -> Self::IntoFuture {
        Valued(self.send())
    }
}

/// A call that has been sent, of whose answer the value is wanted.
#[must_use = "futures do nothing unless they are awaited"]
pub struct Valued<T, E>(Answering<T, E>);

impl<T, E> Future for Valued<T, E> {
    type Output = Result<T, Error<E>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context).map(|answer| answer.map(|response| response.value))
    }
}

impl<T, E> Future for Answering<T, E> {
    type Output = Result<Response<T>, Error<E>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = ready!(self.exchange.as_mut().poll(context));
        Poll::Ready(answer.map_err(Error::from).and_then(|answer| self.reading.read(answer)))
    }
}

impl<T, E> Reading<T, E> {
    fn read(&self, mut answer: Answer) -> Result<Response<T>, Error<E>> {
        match answer.outcome {
            Outcome::Success => match (self.success)(&mut answer) {
                Ok(value) => Ok(answer.into_response(value)),
                Err(unreadable) => Err(Error::unreadable(answer, unreadable)),
            },
            Outcome::Failure => match (self.failure)(&mut answer) {
                Ok(body) => Err(Error::api(answer, body)),
                Err(unreadable) => Err(Error::unreadable(answer, unreadable)),
            },
            Outcome::Undeclared => Err(Error::undeclared(answer)),
        }
    }
}

// Function pointers can be copied whatever they return, which a derive does not see.
impl<T, E> Clone for Reading<T, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, E> Copy for Reading<T, E> {}

impl<T, E> Debug for Call<T, E> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Call").field(&format_args!("{}", self.parts.operation)).finish()
    }
}
