//! The one type in which an operation fails.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};
use std::sync::{Mutex, PoisonError};

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};

use super::{Answer, Reply};
use crate::json::Write;
use crate::violation::{Location, Violation};

/// Why there is no answer as the operation promised it: a status, and what may be said about it.
///
/// `?` turns every error into a status 500 whose cause is kept for the log and never sent, unless
/// [`Options::map_error`](super::Options::map_error) knows a better failure for errors of its type.
pub struct Failure {
    // Boxed, because results that hold it are passed around on the path where nothing fails.
    inner: Box<Inner>,
}

struct Inner {
    status: StatusCode,
    message: Cow<'static, str>,
    violations: Vec<Violation>,
    headers: HeaderMap,
    source: Option<Box<dyn Error + Send + Sync>>,
    // A body can be sent to another thread, but not shared; failures can, as errors have to.
    declared: Option<Mutex<Response>>,
}

impl Failure {
    /// A failure with a status and a message that the caller may read.
    pub fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            inner: Box::new(Inner {
                status,
                message: message.into(),
                violations: Vec::new(),
                headers: HeaderMap::new(),
                source: None,
                declared: None,
            }),
        }
    }

    /// 400
    pub fn bad_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// 401; the challenges of the operation's schemes are added where it is answered.
    pub fn unauthorized(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, message)
    }

    /// 403
    pub fn forbidden(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    /// 404, for something that is looked up by an id: `there is no account 9`.
    pub fn not_found(what: &str, id: impl Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("there is no {what} {id}"))
    }

    /// 409
    pub fn conflict(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::CONFLICT, message)
    }

    /// 412
    pub fn precondition_failed(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::PRECONDITION_FAILED, message)
    }

    /// 413
    pub fn too_large(limit: u64) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, format!("the body has more than {limit} bytes"))
    }

    /// 415
    pub fn unsupported_media_type(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message)
    }

    /// 422, for a request that can be read but breaks rules.
    pub fn unprocessable(violations: Vec<Violation>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "").with_violations(violations)
    }

    /// 429, to be tried again after some seconds.
    pub fn too_many_requests(seconds: u32) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too many requests").with_header(RETRY_AFTER, seconds)
    }

    /// 500, whose cause is kept for the log.
    pub fn internal(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "").with_source(source)
    }

    /// 501
    pub fn not_implemented(operation: &str) -> Self {
        Self::new(StatusCode::NOT_IMPLEMENTED, format!("{operation} is not implemented"))
    }

    /// 503, to be tried again after some seconds.
    pub fn unavailable(seconds: u32) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "").with_header(RETRY_AFTER, seconds)
    }

    /// An answer that the description declares; it is sent as it is.
    pub fn declared(answer: impl Into<Answer>) -> Self {
        let mut response = answer.into().into_response();
        let mut failure = Self::new(response.status(), "");
        failure.inner.headers = std::mem::take(response.headers_mut());
        failure.inner.declared = Some(Mutex::new(response));
        failure
    }

    /// A failure that the description declares, with a JSON body in one of its media types.
    pub fn json<T: Write + ?Sized>(status: StatusCode, media_type: &'static str, body: &T) -> Self {
        Self::declared(Reply::of(media_type).json(status, body))
    }

    /// What is wrong with the request: 422 if its body could be read, else 400.
    pub(crate) fn invalid(violations: Vec<Violation>) -> Self {
        let body = || violations.iter().filter(|violation| violation.location == Location::Body);
        let missing = |violation: &Violation| violation.pointer.is_empty() && violation.code == "required";
        let readable = body().all(|violation| violation.code != "syntax");
        if readable && body().any(|violation| !missing(violation)) {
            Self::unprocessable(violations)
        } else {
            Self::bad_request("").with_violations(violations)
        }
    }

    /// Adds what is wrong with the request.
    #[must_use]
    pub fn with_violations(mut self, violations: impl IntoIterator<Item = Violation>) -> Self {
        self.inner.violations.extend(violations);
        self
    }

    /// Adds a header to the answer; a value that no header can hold is left out.
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

    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        self.inner.status
    }

    /// What may be said about it; empty when there is nothing beyond the status.
    pub fn message(&self) -> &str {
        &self.inner.message
    }

    /// What is wrong with the request.
    pub fn violations(&self) -> &[Violation] {
        &self.inner.violations
    }

    /// Headers of the answer.
    pub fn headers(&self) -> &HeaderMap {
        &self.inner.headers
    }

    /// The cause, which is not for the caller.
    pub fn source(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.inner.source.as_deref()
    }

    /// What `map` makes of the cause, when that is an `E` for which nobody has chosen a status yet.
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

    /// The whole answer, when the operation gave one that the description declares.
    pub(super) fn into_declared(self) -> Result<Response, Self> {
        let Self { mut inner } = self;
        match inner.declared.take() {
            Some(response) => {
                let mut response = response.into_inner().unwrap_or_else(PoisonError::into_inner);
                response.headers_mut().extend(inner.headers);
                Ok(response)
            }
            None => Err(Self { inner }),
        }
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::internal(error)
    }
}

impl Debug for Failure {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Inner { status, message, violations, headers, source, declared } = &*self.inner;
        formatter
            .debug_struct("Failure")
            .field("status", status)
            .field("message", message)
            .field("violations", violations)
            .field("headers", headers)
            .field("source", source)
            .field("declared", declared)
            .finish()
    }
}
