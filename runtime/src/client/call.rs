//! A call of an operation: the request, its options, and the reading of its answer.

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

/// A call, which is sent when it is awaited. It returns a `T`; declared failures are an `E`.
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

    /// Sets the timeout of the call, including retries.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.parts.timeout = Some(timeout);
        self
    }

    /// Adds a header, or replaces a declared one.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.parts.set_header(name, value);
        self
    }

    /// Adds a query parameter, or replaces a declared one.
    pub fn query(mut self, name: &str, value: &str) -> Self {
        self.parts.set_query(name.to_owned(), value);
        self
    }

    /// Sets `Idempotency-Key`: requests with the same key are the same request, so that the call can be
    /// retried whatever its method.
    pub fn idempotency_key(self, key: &str) -> Self {
        self.header(IDEMPOTENCY_KEY, key)
    }

    /// Sets the retry policy of the call.
    pub fn retry(mut self, retry: Retry) -> Self {
        self.parts.retry = Some(retry);
        self
    }

    /// Returns the value with status and headers.
    pub async fn with_response(self) -> Result<Response<T>, Error<E>> {
        self.send().await
    }

    /// Returns the response as it was sent, whatever its status.
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

/// A call that has been sent and will return the value.
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
