//! Errors of calls.

use std::error::Error as StdError;
use std::fmt::{self, Debug, Display, Formatter};

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use super::answer::{Answer, Unreadable};
use super::request_error::{RequestError, RequestProblem};
use super::transport::of_the_pool;
use super::{Operation, RawResponse};
use crate::byte_stream::BoxError;
use crate::violation::Violation;

/// Why a call returned no value. `E` is the type of declared failures.
///
/// Its `Display` is the outcome of the call; [`source`](StdError::source) returns the cause.
#[derive(Debug)]
pub enum Error<E> {
    /// A failure that the description declares.
    Api(Box<ApiError<E>>),
    /// A response that the description does not declare, or whose body does not match it.
    Unexpected(Box<Unexpected>),
    /// There is no response.
    Transport(Box<TransportError>),
    /// The call was not sent.
    Request(Box<RequestError>),
}

/// A failure that the description declares.
#[derive(Debug)]
pub struct ApiError<E> {
    /// The body of the failure.
    pub body: E,
    operation: &'static Operation,
    response: RawResponse,
}

/// A response that the description does not declare, or whose body does not match it.
#[derive(Debug)]
pub struct Unexpected {
    operation: &'static Operation,
    response: RawResponse,
    unreadable: Option<Unreadable>,
}

/// A call without a response.
#[derive(Debug)]
pub struct TransportError {
    pub(super) operation: &'static Operation,
    pub(super) attempts: u32,
    /// `None` if the timeout has expired.
    pub(super) source: Option<BoxError>,
}

/// The failures of an operation that declares none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undocumented {}

impl<E> Error<E> {
    /// The operation.
    pub fn operation(&self) -> &'static Operation {
        match self {
            Self::Api(error) => error.operation,
            Self::Unexpected(error) => error.operation,
            Self::Transport(error) => error.operation,
            Self::Request(error) => error.operation,
        }
    }

    /// The response, if there was one.
    pub fn response(&self) -> Option<&RawResponse> {
        match self {
            Self::Api(error) => Some(&error.response),
            Self::Unexpected(error) => Some(&error.response),
            Self::Transport(_) | Self::Request(_) => None,
        }
    }

    /// The status of the response, if there was one.
    pub fn status(&self) -> Option<StatusCode> {
        self.response().map(|response| response.status)
    }

    /// The headers of the response, if there was one.
    pub fn headers(&self) -> Option<&HeaderMap> {
        self.response().map(|response| &response.headers)
    }

    /// The body of the response, if there was one.
    pub fn bytes(&self) -> Option<&Bytes> {
        self.response().map(|response| &response.bytes)
    }

    /// Whether the timeout expired.
    pub fn is_timeout(&self) -> bool {
        matches!(self, Self::Transport(error) if error.is_timeout())
    }

    /// Converts the body of a declared failure. After `error.map(drop)`, the errors of all operations have one type.
    pub fn map<F>(self, convert: impl FnOnce(E) -> F) -> Error<F> {
        match self {
            Self::Api(error) => {
                let ApiError { body, operation, response } = *error;
                Error::Api(Box::new(ApiError { body: convert(body), operation, response }))
            }
            Self::Unexpected(error) => Error::Unexpected(error),
            Self::Transport(error) => Error::Transport(error),
            Self::Request(error) => Error::Request(error),
        }
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

/// A call without a readable response.
#[derive(Debug)]
pub(super) enum Unanswered {
    Transport(Box<TransportError>),
    Request(Box<RequestError>),
    /// The response is too long, or has an encoding that the client cannot decode.
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

    /// The operation.
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

    /// The body as it was sent; truncated if it is too long.
    pub fn bytes(&self) -> &Bytes {
        &self.response.bytes
    }

    /// The operation.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Where the body does not match the description; empty if the status is not declared.
    pub fn violations(&self) -> &[Violation] {
        self.unreadable.as_ref().map_or(&[], Unreadable::violations)
    }
}

impl TransportError {
    /// The operation.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// The number of attempts.
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// The error of the connection pool; `None` for a timeout, or if another transport failed.
    pub fn reqwest(&self) -> Option<&reqwest::Error> {
        self.source.as_ref().and_then(of_the_pool)
    }

    /// Whether the timeout expired.
    pub fn is_timeout(&self) -> bool {
        self.source.is_none() || self.reqwest().is_some_and(reqwest::Error::is_timeout)
    }

    /// Whether no connection could be made.
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
