//! Failures of operations: the declared ones, the common ones, and every other error as a status 500.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use axum::response::Response;
use http::StatusCode;
use http::header::{HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};

use super::{Answer, Reply, status};
use crate::json::Write;
use crate::violation::{Location, Violation};

/// Why an operation has no successful response: a status, and what the caller may know about it.
///
/// An operation fails with its own `Failure`, such as `Failure<GetAccount>`, which `?` and `into()` make from
///
/// - a failure with a status that the operation declares: `Failure::not_found("account", 9)`,
///   `Failure::declared::<410>("the feed begins later")`. An undeclared one does not compile.
/// - a failure that any operation may have, and the runtime itself: [`Failure::bad_request`],
///   [`Failure::unavailable`] and others.
/// - either of them with the body that the operation declares: `Failure::conflict("").with_body(&body)`.
/// - any error. It becomes a status 500 whose cause is logged and never sent, unless
///   [`Options::map_error`](super::Options::map_error) maps errors of its type.
///
/// `Failure` without parameters is a failure of any operation with any status: authenticators and `map_error`
/// return it, and [`Options::render`](super::Options::render) turns it into a response.
pub struct Failure<O = Any> {
    // Boxed to keep results small on the path without failures.
    inner: Box<Inner>,
    of: PhantomData<fn() -> O>,
}

/// A failure of any operation, with any status.
#[derive(Debug)]
pub enum Any {}

/// A failure of any operation.
#[derive(Debug)]
pub enum Common {}

/// A failure of operations that declare this status.
#[derive(Debug)]
pub enum Status<const CODE: u16> {}

/// The request of an operation, with the body of its failures.
pub trait Fails {
    /// The body of all its failures; `()` if they differ (then they have an enum) or have none.
    type With;

    /// The media type of these bodies.
    const MEDIA_TYPE: &'static str = "application/json";
}

/// The request of an operation that declares a failure with this status.
#[diagnostic::on_unimplemented(message = "`{Self}` does not declare a failure with this status")]
pub trait Declares<const CODE: u16>: Fails {}

/// The request of an operation that declares failures with an open status: a range such as `4XX`, or
/// `default`.
pub trait DeclaresAny: Fails {}

impl<O: DeclaresAny, const CODE: u16> Declares<CODE> for O {}

struct Inner {
    status: StatusCode,
    message: Cow<'static, str>,
    violations: Vec<Violation>,
    headers: HeaderMap,
    source: Option<Box<dyn Error + Send + Sync>>,
    // A body is `Send` but not `Sync`; errors have to be both.
    answer: Option<Mutex<Response>>,
}

impl Failure {
    /// A failure with a status and a message that the caller may read.
    pub fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self::of(status, message)
    }

    /// 400
    pub fn bad_request(message: impl Into<Cow<'static, str>>) -> Failure<Common> {
        Failure::of(StatusCode::BAD_REQUEST, message)
    }

    /// 401; the challenges of the operation's schemes are added to the response.
    pub fn unauthorized(message: impl Into<Cow<'static, str>>) -> Failure<Common> {
        Failure::of(StatusCode::UNAUTHORIZED, message)
    }

    /// 403
    pub fn forbidden(message: impl Into<Cow<'static, str>>) -> Failure<Status<403>> {
        Self::declared(message)
    }

    /// 404, for a lookup by id: `there is no account 9`.
    pub fn not_found(what: &str, id: impl Display) -> Failure<Status<404>> {
        Self::declared(format!("there is no {what} {id}"))
    }

    /// 409
    pub fn conflict(message: impl Into<Cow<'static, str>>) -> Failure<Status<409>> {
        Self::declared(message)
    }

    /// 412
    pub fn precondition_failed(message: impl Into<Cow<'static, str>>) -> Failure<Status<412>> {
        Self::declared(message)
    }

    /// 413
    pub fn too_large(limit: u64) -> Failure<Common> {
        Failure::of(StatusCode::PAYLOAD_TOO_LARGE, format!("the body has more than {limit} bytes"))
    }

    /// 415
    pub fn unsupported_media_type(message: impl Into<Cow<'static, str>>) -> Failure<Common> {
        Failure::of(StatusCode::UNSUPPORTED_MEDIA_TYPE, message)
    }

    /// 422, for a well-formed request that violates rules.
    pub fn unprocessable(violations: Vec<Violation>) -> Failure<Common> {
        Failure::of(StatusCode::UNPROCESSABLE_ENTITY, "").with_violations(violations)
    }

    /// 429, to be retried after some seconds.
    pub fn too_many_requests(seconds: u32) -> Failure<Common> {
        Failure::of(StatusCode::TOO_MANY_REQUESTS, "too many requests").with_header(RETRY_AFTER, seconds)
    }

    /// 500, with a cause for the log.
    pub fn internal(source: impl Into<Box<dyn Error + Send + Sync>>) -> Failure<Common> {
        Failure::of(StatusCode::INTERNAL_SERVER_ERROR, "").with_source(source)
    }

    /// 501
    pub fn not_implemented(operation: &str) -> Failure<Common> {
        Failure::of(StatusCode::NOT_IMPLEMENTED, format!("{operation} is not implemented"))
    }

    /// 503, to be retried after some seconds.
    pub fn unavailable(seconds: u32) -> Failure<Common> {
        Failure::of(StatusCode::SERVICE_UNAVAILABLE, "").with_header(RETRY_AFTER, seconds)
    }

    /// A failure with another status that the operation declares.
    pub fn declared<const CODE: u16>(message: impl Into<Cow<'static, str>>) -> Failure<Status<CODE>> {
        Failure::of(status(CODE), message)
    }

    /// A failure with a JSON body in this media type.
    pub fn json<T: Write + ?Sized>(status: StatusCode, media_type: &'static str, body: &T) -> Self {
        Self::answer(Reply::of(media_type).json(status, body))
    }

    /// 406: no response has a media type that the caller accepts.
    pub(super) fn not_acceptable(offers: &[&str]) -> Failure {
        Failure::new(StatusCode::NOT_ACCEPTABLE, format!("the answer is one of {}", offers.join(", ")))
    }

    /// Violations of a request: 422 if its body could be parsed, else 400.
    pub(crate) fn invalid(violations: Vec<Violation>) -> Failure<Common> {
        let body = || violations.iter().filter(|violation| violation.location == Location::Body);
        let missing = |violation: &Violation| violation.pointer.is_empty() && violation.code == "required";
        let readable = body().all(|violation| violation.code != "syntax");
        if readable && body().any(|violation| !missing(violation)) {
            Self::unprocessable(violations)
        } else {
            Self::bad_request("").with_violations(violations)
        }
    }
}

impl Failure<Common> {
    /// Adds the body that the operation declares for its failures.
    pub fn with_body<O: Fails<With: Write>>(self, body: &O::With) -> Failure<O> {
        self.retyped().and_body(body)
    }
}

impl<const CODE: u16> Failure<Status<CODE>> {
    /// Adds the body that the operation declares for its failures.
    pub fn with_body<O: Declares<CODE, With: Write>>(self, body: &O::With) -> Failure<O> {
        self.retyped().and_body(body)
    }
}

impl<O: Fails> Failure<O> {
    fn and_body(self, body: &O::With) -> Self
    where
        O::With: Write,
    {
        let mut failure = Self::answer(Reply::of(O::MEDIA_TYPE).json(self.status(), body));
        failure.inner.headers.extend(self.inner.headers);
        failure.inner.source = self.inner.source;
        failure
    }
}

impl<O> Failure<O> {
    /// A complete response, sent as it is; generated code makes it from declared responses.
    pub fn answer(answer: impl Into<Answer>) -> Self {
        let mut response = match answer.into().finish() {
            Ok(response) => response,
            Err(failure) => return failure.retyped(),
        };
        let mut failure = Self::of(response.status(), "");
        failure.inner.headers = std::mem::take(response.headers_mut());
        failure.inner.answer = Some(Mutex::new(response));
        failure
    }

    pub(super) fn of(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        let inner = Inner {
            status,
            message: message.into(),
            violations: Vec::new(),
            headers: HeaderMap::new(),
            source: None,
            answer: None,
        };
        Self { inner: Box::new(inner), of: PhantomData }
    }

    /// Replaces the message that the caller may read.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.inner.message = message.into();
        self
    }

    /// Adds violations of the request.
    #[must_use]
    pub fn with_violations(mut self, violations: impl IntoIterator<Item = Violation>) -> Self {
        self.inner.violations.extend(violations);
        self
    }

    /// Adds a header to the response; an invalid value is left out.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: impl Display) -> Self {
        if let Ok(value) = HeaderValue::try_from(value.to_string()) {
            self.inner.headers.append(name, value);
        }
        self
    }

    /// Adds the cause, for the log.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.inner.source = Some(source.into());
        self
    }

    /// The status of the response.
    pub fn status(&self) -> StatusCode {
        self.inner.status
    }

    /// The message for the caller; empty if the status says it all.
    pub fn message(&self) -> &str {
        &self.inner.message
    }

    /// The violations of the request.
    pub fn violations(&self) -> &[Violation] {
        &self.inner.violations
    }

    /// The headers of the response.
    pub fn headers(&self) -> &HeaderMap {
        &self.inner.headers
    }

    /// The cause, which the caller must not see.
    pub fn source(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.inner.source.as_deref()
    }

    fn retyped<P>(self) -> Failure<P> {
        Failure { inner: self.inner, of: PhantomData }
    }
}

impl Failure {
    /// Maps the cause if it is an `E` without a chosen status.
    pub(super) fn map_source<E: Error + 'static>(mut self, map: &impl Fn(E) -> Self) -> Result<Self, Self> {
        if self.inner.status != StatusCode::INTERNAL_SERVER_ERROR {
            return Err(self);
        }
        let Some(source) = self.inner.source.take() else { return Err(self) };
        match source.downcast() {
            Ok(error) => Ok(map(*error)),
            Err(source) => {
                self.inner.source = Some(source);
                Err(self)
            }
        }
    }

    /// The complete response, if the operation made one.
    pub(super) fn into_answer(mut self) -> Result<Response, Self> {
        match self.inner.answer.take() {
            Some(response) => {
                let mut response = response.into_inner().unwrap_or_else(PoisonError::into_inner);
                response.headers_mut().extend(self.inner.headers);
                Ok(response)
            }
            None => Err(self),
        }
    }
}

impl<O, E: Error + Send + Sync + 'static> From<E> for Failure<O> {
    fn from(error: E) -> Self {
        Self::of(StatusCode::INTERNAL_SERVER_ERROR, "").with_source(error)
    }
}

impl<O: Fails> From<Failure<Common>> for Failure<O> {
    fn from(failure: Failure<Common>) -> Self {
        failure.retyped()
    }
}

impl<O: Declares<CODE>, const CODE: u16> From<Failure<Status<CODE>>> for Failure<O> {
    fn from(failure: Failure<Status<CODE>>) -> Self {
        failure.retyped()
    }
}

impl From<Failure<Common>> for Failure {
    fn from(failure: Failure<Common>) -> Self {
        failure.retyped()
    }
}

impl<const CODE: u16> From<Failure<Status<CODE>>> for Failure {
    fn from(failure: Failure<Status<CODE>>) -> Self {
        failure.retyped()
    }
}

impl<O: Fails> From<Failure<O>> for Failure {
    fn from(failure: Failure<O>) -> Self {
        failure.retyped()
    }
}

impl<O> Debug for Failure<O> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Inner { status, message, violations, headers, source, answer } = &*self.inner;
        formatter
            .debug_struct("Failure")
            .field("status", status)
            .field("message", message)
            .field("violations", violations)
            .field("headers", headers)
            .field("source", source)
            .field("answer", answer)
            .finish()
    }
}
