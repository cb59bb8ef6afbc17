//! What a call can end with instead of its value.

use std::error::Error as StdError;
use std::fmt::{self, Debug, Display, Formatter};

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use super::answer::{Answer, Unreadable};
use super::request_error::{RequestError, RequestProblem};
use super::transport::{BoxError, of_the_pool};
use super::{Operation, RawResponse};
use crate::violation::Violation;

/// Why a call has no value. `E` is what the description says its failures look like.
///
/// What it displays is what became of the call; why stands in [`source`](StdError::source), and is not said twice.
#[derive(Debug)]
pub enum Error<E> {
    /// A failure that the description declares.
    Api(Box<ApiError<E>>),
    /// An answer that it does not declare, or whose body is not what it says.
    Unexpected(Box<Unexpected>),
    /// No answer.
    Transport(Box<TransportError>),
    /// The call was not sent.
    Request(Box<RequestError>),
}

/// A failure that the description declares.
#[derive(Debug)]
pub struct ApiError<E> {
    /// What the failure says.
    pub body: E,
    operation: &'static Operation,
    response: RawResponse,
}

/// An answer that the description does not declare, or whose body is not what it says.
#[derive(Debug)]
pub struct Unexpected {
    operation: &'static Operation,
    response: RawResponse,
    unreadable: Option<Unreadable>,
}

/// A call without an answer.
#[derive(Debug)]
pub struct TransportError {
    pub(super) operation: &'static Operation,
    pub(super) attempts: u32,
    /// None: the time was up.
    pub(super) source: Option<BoxError>,
}

/// The failures of an operation that declares none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undocumented {}

impl<E> Error<E> {
    /// What was called.
    pub fn operation(&self) -> &'static Operation {
        match self {
            Self::Api(error) => error.operation,
            Self::Unexpected(error) => error.operation,
            Self::Transport(error) => error.operation,
            Self::Request(error) => error.operation,
        }
    }

    /// The answer, when there was one.
    pub fn response(&self) -> Option<&RawResponse> {
        match self {
            Self::Api(error) => Some(&error.response),
            Self::Unexpected(error) => Some(&error.response),
            Self::Transport(_) | Self::Request(_) => None,
        }
    }

    /// The status of the answer, when there was one.
    pub fn status(&self) -> Option<StatusCode> {
        self.response().map(|response| response.status)
    }

    /// The headers of the answer, when there was one.
    pub fn headers(&self) -> Option<&HeaderMap> {
        self.response().map(|response| &response.headers)
    }

    /// The body of the answer, when there was one.
    pub fn bytes(&self) -> Option<&Bytes> {
        self.response().map(|response| &response.bytes)
    }

    /// The time was up.
    pub fn is_timeout(&self) -> bool {
        matches!(self, Self::Transport(error) if error.is_timeout())
    }

    pub(super) fn api(answer: Answer, body: E) -> Self {
        let (operation, response) = answer.into_raw();
        Self::Api(Box::new(ApiError { body, operation, response }))
    }

    pub(super) fn undeclared(answer: Answer) -> Self {
        let (operation, response) = answer.into_raw();
        Self::Unexpected(Box::new(Unexpected { operation, response, unreadable: None }))
    }

    pub(super) fn unreadable(answer: Answer, unreadable: Unreadable) -> Self {
        let (operation, response) = answer.into_raw();
        Self::unreadable_page(operation, response, unreadable)
    }

    pub(super) fn unreadable_page(
        operation: &'static Operation,
        response: RawResponse,
        unreadable: Unreadable,
    ) -> Self {
        Self::Unexpected(Box::new(Unexpected { operation, response, unreadable: Some(unreadable) }))
    }
}

/// A call that got no answer that could be read.
#[derive(Debug)]
pub(super) enum Unanswered {
    Transport(Box<TransportError>),
    Request(Box<RequestError>),
    /// The answer is longer than the client reads, or encoded in a way that it cannot decode.
    Unreadable(Box<Answer>, Unreadable),
}

impl Unanswered {
    pub(super) fn request(operation: &'static Operation, problem: RequestProblem) -> Self {
        Self::Request(Box::new(RequestError { operation, problem }))
    }
}

impl<E> From<Unanswered> for Error<E> {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::Transport(error) => Self::Transport(error),
            Unanswered::Request(error) => Self::Request(error),
            Unanswered::Unreadable(answer, unreadable) => Self::unreadable(*answer, unreadable),
        }
    }
}

impl<E> ApiError<E> {
    /// The status.
    pub fn status(&self) -> StatusCode {
        self.response.status
    }

    /// The headers.
    pub fn headers(&self) -> &HeaderMap {
        &self.response.headers
    }

    /// The body as it was sent.
    pub fn bytes(&self) -> &Bytes {
        &self.response.bytes
    }

    /// What was called.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }
}

impl Unexpected {
    /// The status.
    pub fn status(&self) -> StatusCode {
        self.response.status
    }

    /// The headers.
    pub fn headers(&self) -> &HeaderMap {
        &self.response.headers
    }

    /// The body as it was sent; the beginning of one that is too long.
    pub fn bytes(&self) -> &Bytes {
        &self.response.bytes
    }

    /// What was called.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Where the body is not what the description says; empty when the status is what it does not declare.
    pub fn violations(&self) -> &[Violation] {
        self.unreadable.as_ref().map_or(&[], Unreadable::violations)
    }
}

impl TransportError {
    /// What was called.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// How often it was sent.
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// What the connection pool says; none when the time that the call was given is up, or a service in its place failed.
    pub fn reqwest(&self) -> Option<&reqwest::Error> {
        self.source.as_ref().and_then(of_the_pool)
    }

    /// The time was up.
    pub fn is_timeout(&self) -> bool {
        self.source.is_none() || self.reqwest().is_some_and(reqwest::Error::is_timeout)
    }

    /// No connection could be made.
    pub fn is_connect(&self) -> bool {
        self.reqwest().is_some_and(reqwest::Error::is_connect)
    }
}

impl<E> Display for Error<E> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Api(error) => Display::fmt(error, formatter),
            Self::Unexpected(error) => Display::fmt(error, formatter),
            Self::Transport(error) => Display::fmt(error, formatter),
            Self::Request(error) => Display::fmt(error, formatter),
        }
    }
}

impl<E> Display for ApiError<E> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let RawResponse { status, .. } = self.response;
        write!(formatter, "{} was answered {status}: {}", self.operation, self.response.beginning())
    }
}

impl Display for Unexpected {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let RawResponse { status, .. } = self.response;
        write!(formatter, "{} was answered {status}", self.operation)?;
        match &self.unreadable {
            Some(_) => formatter.write_str(", which cannot be read")?,
            None => formatter.write_str(", which its description does not declare")?,
        }
        write!(formatter, ": {}", self.response.beginning())
    }
}

impl Display for TransportError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} got no answer", self.operation)?;
        if self.attempts > 1 {
            write!(formatter, " in {} attempts", self.attempts)?;
        }
        match self.source {
            Some(_) => Ok(()),
            None => formatter.write_str(": the time that the call was given is up"),
        }
    }
}

impl Display for Undocumented {
    fn fmt(&self, _: &mut Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl<E: Debug> StdError for Error<E> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Api(_) => None,
            Self::Unexpected(error) => error.source(),
            Self::Transport(error) => error.source(),
            Self::Request(error) => error.source(),
        }
    }
}

impl<E: Debug> StdError for ApiError<E> {}

impl StdError for Unexpected {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(self.unreadable.as_ref()?)
    }
}

impl StdError for TransportError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(self.source.as_deref()?)
    }
}

impl StdError for Undocumented {}
