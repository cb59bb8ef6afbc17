//! Options of a service for all operations: limits, and how failures look.

use std::error::Error;
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use axum::routing::MethodRouter;
use http::request::Parts;
use http::{Extensions, HeaderMap, Method, Uri};

use super::reply::KEEP_ALIVE;
use super::{Failure, Operation, Request, problem};

/// Options for all operations.
#[derive(Clone)]
pub struct Options {
    limits: Limits,
    /// By the id of the operation.
    limits_of: Vec<(&'static str, Limits)>,
    pub(super) keep_alive: Duration,
    pub(super) query: QueryRules,
    pub(super) error_maps: ErrorMaps,
    pub(super) render: Render,
    pub(super) wraps: Wraps,
    #[cfg(feature = "check-responses")]
    pub(super) response_checker: Option<&'static super::response_checker::ResponseChecker>,
    #[cfg(feature = "signatures")]
    pub(super) signatures: Option<super::Signatures>,
}

/// Mappings of errors to failures, by the type of the error; a mapping returns other failures unchanged.
pub(super) type ErrorMaps = Vec<Arc<dyn Fn(Failure) -> Result<Failure, Failure> + Send + Sync>>;

/// Renders a failure as a response.
pub(super) type Render = Arc<dyn Fn(&Failure, &FailureContext<'_>) -> Response + Send + Sync>;

/// The layers around an operation, the innermost first.
pub(super) type Wraps = Vec<Arc<dyn Fn(MethodRouter, &'static Operation) -> MethodRouter + Send + Sync>>;

/// Limits of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a buffered body, and of each buffered part of a multipart body.
    pub body: u64,
    /// Bytes of a streamed body, and of a multipart body as a whole.
    pub upload: u64,
    /// Number of parts of a multipart body.
    pub parts: usize,
}

/// How queries are read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct QueryRules {
    /// Refuse unknown parameters.
    pub(super) refuse_unknown: bool,
    /// Treat a parameter with an empty value as absent.
    pub(super) empty_is_absent: bool,
}

/// The request that failed.
#[derive(Clone, Copy, Debug)]
pub struct FailureContext<'a> {
    operation: Option<&'static Operation>,
    parts: &'a Parts,
}

impl Options {
    /// Sets the default limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the limits of one operation, by the type of its request.
    #[must_use]
    pub fn limits_of<R: Request>(mut self, limits: Limits) -> Self {
        self.limits_of.push((R::OPERATION.id, limits));
        self
    }

    /// Sets the interval of comments in an idle stream of events, which keep the connection alive; 15 seconds
    /// by default.
    #[must_use]
    pub fn keep_alive(mut self, interval: Duration) -> Self {
        self.keep_alive = interval;
        self
    }

    /// Refuses unknown query parameters with 400, with a suggestion. By default they are ignored.
    #[must_use]
    pub fn refuse_unknown_query(mut self) -> Self {
        self.query.refuse_unknown = true;
        self
    }

    /// Treats query parameters with an empty value, `?name=`, as absent. By default an empty value is a
    /// value.
    #[must_use]
    pub fn ignore_empty_query_values(mut self) -> Self {
        self.query.empty_is_absent = true;
        self
    }

    /// Maps errors of the service that reach an operation's result by `?` or [`Failure::internal`] to
    /// failures: to a 404, for example, or to another 500 made with `Failure::internal`.
    ///
    /// One mapping per error type; the first one wins. Errors of other types stay 500.
    #[must_use]
    pub fn map_error<E, F>(mut self, map: F) -> Self
    where
        E: Error + 'static,
        F: Fn(E) -> Failure + Send + Sync + 'static,
    {
        self.error_maps.push(Arc::new(move |failure: Failure| failure.map_source(&map)));
        self
    }

    /// Renders every failure, including those of the router (404, 405).
    ///
    /// The renderer may also log [`Failure::source`]. The default is [`problem`](super::problem()).
    #[must_use]
    pub fn render<F>(mut self, render: F) -> Self
    where
        F: Fn(&Failure, &FailureContext<'_>) -> Response + Send + Sync + 'static,
    {
        self.render = Arc::new(render);
        self
    }

    /// Adds layers around each operation, with [`MethodRouter::layer`]: they find the `&'static Operation` in
    /// the extensions of the request, and see every response, including those to invalid requests, but not
    /// those of the router (404, 405). The last wrap is the outermost.
    #[must_use]
    pub fn wrap_operations<F>(mut self, wrap: F) -> Self
    where
        F: Fn(MethodRouter, &'static Operation) -> MethodRouter + Send + Sync + 'static,
    {
        self.wraps.push(Arc::new(wrap));
        self
    }

    /// Checks every response by the description, the constant `OPENAPI` of the generated crate. It is meant for development
    /// and tests.
    ///
    /// A response with a JSON body or a declared header that breaks the description is logged, and a 500 is sent in its
    /// place, whose problem document lists the violations.
    #[cfg(feature = "check-responses")]
    #[must_use]
    pub fn check_responses(mut self, description: &'static str) -> Self {
        self.response_checker = Some(super::response_checker::ResponseChecker::of(description));
        self
    }

    /// Refuses requests without a valid signature with 401, before anything else is checked. Bodies are read into
    /// memory, up to the limit of buffered bodies.
    #[cfg(feature = "signatures")]
    #[must_use]
    pub fn signatures(mut self, signatures: super::Signatures) -> Self {
        self.signatures = Some(signatures);
        self
    }

    pub(super) fn limits_for(&self, operation: &Operation) -> Limits {
        self.limits_of.iter().rfind(|(id, _)| *id == operation.id).map_or(self.limits, |(_, limits)| *limits)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            limits_of: Vec::new(),
            keep_alive: KEEP_ALIVE,
            query: QueryRules::default(),
            error_maps: Vec::new(),
            render: Arc::new(|failure, _| problem::problem(failure)),
            wraps: Vec::new(),
            #[cfg(feature = "check-responses")]
            response_checker: None,
            #[cfg(feature = "signatures")]
            signatures: None,
        }
    }
}

impl Debug for Options {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Options")
            .field("limits", &self.limits)
            .field("limits_of", &self.limits_of)
            .field("keep_alive", &self.keep_alive)
            .field("query", &self.query)
            .finish_non_exhaustive()
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { body: 1024 * 1024, upload: 100 * 1024 * 1024, parts: 100 }
    }
}

impl<'a> FailureContext<'a> {
    pub(super) fn new(operation: Option<&'static Operation>, parts: &'a Parts) -> Self {
        Self { operation, parts }
    }

    /// The operation; `None` if the router found none.
    pub fn operation(&self) -> Option<&'static Operation> {
        self.operation
    }

    /// The method of the request.
    pub fn method(&self) -> &'a Method {
        &self.parts.method
    }

    /// The URI of the request.
    pub fn uri(&self) -> &'a Uri {
        &self.parts.uri
    }

    /// The headers of the request.
    pub fn headers(&self) -> &'a HeaderMap {
        &self.parts.headers
    }

    /// Extensions set by middleware.
    pub fn extensions(&self) -> &'a Extensions {
        &self.parts.extensions
    }
}
