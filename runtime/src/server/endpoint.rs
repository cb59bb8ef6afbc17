//! From axum's request to the handler of an operation, and from its result to the response.

use std::future::ready;
use std::iter::once;
use std::ops::ControlFlow;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody as _};
use axum::extract::Request;
use axum::handler::Handler as _;
use axum::response::Response;
use axum::routing::MethodRouter;
use http::header::{ALLOW, CONTENT_TYPE, Entry};
use http::request::Parts;
use http::{Method, StatusCode};

use super::call::{Head, REQUEST_ID};
use super::incoming::Incoming;
use super::options::{ErrorMaps, Limits, QueryRules, Render};
use super::{Answer, Failure, FailureContext, Fit, Operation, Target, media_type, path, security};

/// The handler of an operation, including its service and authenticator.
pub(super) type Handler = Arc<dyn Fn(Incoming) -> Promise<Result<Answer, Failure>> + Send + Sync>;

/// How well a request fits this one of several operations with the same template; `None`: it does not.
pub(super) type Fits = fn(&Target<'_>) -> Option<Fit>;

pub(super) type Promise<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// How an operation is told apart from others with the same template.
#[derive(Clone, Copy, Debug)]
pub(super) struct Discriminator {
    pub(super) fits: Fits,
    /// Whether `fits` reads the body.
    pub(super) by_body: bool,
}

/// The operations behind one axum route, the most specific template first.
#[derive(Clone)]
pub(super) struct Resource {
    endpoints: Arc<[Arc<Endpoint>]>,
}

/// One operation, ready to be called.
#[derive(Clone)]
pub(super) struct Endpoint {
    pub(super) operation: &'static Operation,
    pub(super) shape: Vec<String>,
    pub(super) handler: Handler,
    pub(super) discriminator: Discriminator,
    pub(super) limits: Limits,
    pub(super) keep_alive: Duration,
    pub(super) query: QueryRules,
    pub(super) error_maps: ErrorMaps,
    pub(super) render: Render,
    #[cfg(feature = "check-responses")]
    pub(super) response_checker: Option<&'static super::response_checker::ResponseChecker>,
    #[cfg(feature = "signatures")]
    pub(super) signatures: Option<super::Signatures>,
    /// The operation inside the service's layers.
    pub(super) wrapped: Option<MethodRouter>,
}

/// An operation without the layers around it.
#[derive(Clone)]
pub(super) struct Unwrapped(pub(super) Arc<Endpoint>);

/// Handles requests for which axum finds no route: a path may be encoded differently from its template.
#[derive(Clone)]
pub(super) struct Unfound {
    pub(super) resources: Arc<[Resource]>,
    pub(super) refusal: Refusal,
}

/// Handles requests that belong to no operation.
#[derive(Clone)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) render: Render,
}

impl axum::handler::Handler<(), ()> for Resource {
    type Future = Promise<Response>;

    fn call(self, request: Request, (): ()) -> Self::Future {
        let (parts, body) = request.into_parts();
        let Some(limit) = self.limit_of_deciding_body(&parts) else { return self.respond(parts, &[], body) };
        Box::pin(async move {
            match super::Body::new(body, None, None, limit).bytes().await {
                Ok(bytes) => self.respond(parts, &bytes, Body::from(bytes.clone())).await,
                Err(failure) => self.refuse(&parts, failure.into()),
            }
        })
    }
}

impl axum::handler::Handler<(), ()> for Unwrapped {
    type Future = Promise<Response>;

    fn call(self, request: Request, (): ()) -> Self::Future {
        let (parts, body) = request.into_parts();
        self.0.answer(parts, body)
    }
}

impl axum::handler::Handler<(), ()> for Unfound {
    type Future = Promise<Response>;

    fn call(self, request: Request, (): ()) -> Self::Future {
        let path = request.uri().path();
        let found = self.resources.iter().find(|resource| resource.is_at(path)).cloned();
        match found {
            Some(resource) => resource.call(request, ()),
            None => Box::pin(self.refusal.call(request, ())),
        }
    }
}

impl axum::handler::Handler<(), ()> for Refusal {
    type Future = std::future::Ready<Response>;

    fn call(self, request: Request, (): ()) -> Self::Future {
        let (parts, _) = request.into_parts();
        let failure = Failure::new(self.status, "");
        ready(respond(&self.render, failure, &FailureContext::new(None, &parts)))
    }
}

impl Resource {
    pub(super) fn new(endpoints: Arc<[Arc<Endpoint>]>) -> Self {
        Self { endpoints }
    }

    /// Whether one of its templates matches the path.
    fn is_at(&self, path: &str) -> bool {
        self.endpoints.iter().any(|endpoint| path::is_all_of(endpoint.operation.path, path))
    }

    /// Maximum number of bytes of the body, if it decides about the operation.
    fn limit_of_deciding_body(&self, parts: &Parts) -> Option<u64> {
        let decides = |endpoint: &&Arc<Endpoint>| endpoint.discriminator.by_body && endpoint.takes_whole(parts);
        self.endpoints.iter().filter(decides).map(|endpoint| endpoint.limits.body).max()
    }

    /// The response of the operation that is meant; `bytes` are those of a body that decides about it.
    fn respond(&self, parts: Parts, bytes: &[u8], body: Body) -> Promise<Response> {
        match self.find(&parts, bytes) {
            Ok(endpoint) => endpoint.respond(parts, body),
            Err(failure) => Box::pin(ready(self.refuse(&parts, failure))),
        }
    }

    fn refuse(&self, parts: &Parts, failure: Failure) -> Response {
        match self.endpoints.first() {
            Some(endpoint) => respond(&endpoint.render, failure, &FailureContext::new(None, parts)),
            None => Response::default(),
        }
    }

    /// The operation of a request. Axum has matched all segments except those that mix literals and
    /// parameters, and those of templates that are wider than its route.
    fn find(&self, parts: &Parts, body: &[u8]) -> Result<&Arc<Endpoint>, Failure> {
        let (path, query) = (parts.uri.path(), parts.uri.query());
        let matches = |endpoint: &&Arc<Endpoint>| {
            let template = endpoint.operation.path;
            path::matches(template, path) && path::matches_query(template, query)
        };
        let any_case = self.endpoints.first().is_some_and(|endpoint| endpoint.operation.any_case);
        let target = Target::new(parts, body, any_case);
        let serving = |method: &str| {
            let of_method = self.endpoints.iter().filter(|endpoint| endpoint.operation.method == method);
            let mut matching = of_method.filter(matches);
            let first = matching.next()?;
            let same = once(first).chain(matching.filter(|endpoint| endpoint.shape == first.shape));
            let fitting = same.map(|endpoint| ((endpoint.discriminator.fits)(&target), endpoint));
            let best = fitting.reduce(|best, next| {
                let certainty = |(fit, _): &(Option<Fit>, _)| fit.map(Fit::certainty);
                let speaks = |(_, endpoint): &(_, &Arc<Endpoint>)| endpoint.speaks(parts);
                let needs = |(fit, _): &(Option<Fit>, _)| fit.map(Fit::needs);
                let better = certainty(&next).cmp(&certainty(&best));
                let better = better.then_with(|| speaks(&next).cmp(&speaks(&best)));
                if better.then_with(|| needs(&next).cmp(&needs(&best))).is_gt() { next } else { best }
            });
            best.map(|(_, endpoint)| endpoint)
        };

        let endpoint = match serving(parts.method.as_str()) {
            None if parts.method == Method::HEAD => serving("GET"),
            endpoint => endpoint,
        };
        endpoint.ok_or_else(|| {
            let matching = self.endpoints.iter().filter(matches);
            let mut methods: Vec<_> = matching.map(|endpoint| endpoint.operation.method).collect();
            methods.sort_unstable();
            methods.dedup();
            match methods.as_slice() {
                [] => Failure::new(StatusCode::NOT_FOUND, ""),
                methods => Failure::new(StatusCode::METHOD_NOT_ALLOWED, "").with_header(ALLOW, methods.join(",")),
            }
        })
    }
}

impl Endpoint {
    /// Whether it takes a body of that media type as a whole, not as a stream.
    fn takes_whole(&self, parts: &Parts) -> bool {
        let body = self.operation.body.as_ref().filter(|_| self.operation.method == parts.method.as_str());
        body.zip(sent(parts)).is_some_and(|(body, sent)| {
            media_type::choose(body.contents, sent).is_some_and(|index| !body.contents[index].streamed)
        })
    }

    /// Whether the operation accepts the media type of the body, and the quality that `Accept` gives to its
    /// responses.
    fn speaks(&self, parts: &Parts) -> (bool, u16) {
        let takes = match (&self.operation.body, sent(parts)) {
            (None, sent) => sent.is_none(),
            (Some(body), None) => !body.required,
            (Some(body), Some(sent)) => media_type::choose(body.contents, sent).is_some(),
        };
        (takes, media_type::highest_quality(&parts.headers, self.operation.produces))
    }

    /// Applies the service's mapping of its own errors.
    fn map_error(&self, failure: Failure) -> Failure {
        let mapped = self.error_maps.iter().try_fold(failure, |failure, map| match map(failure) {
            Ok(mapped) => ControlFlow::Break(mapped),
            Err(failure) => ControlFlow::Continue(failure),
        });
        match mapped {
            ControlFlow::Break(failure) | ControlFlow::Continue(failure) => failure,
        }
    }

    /// The response, through the layers if there are any.
    fn respond(self: &Arc<Self>, mut parts: Parts, body: Body) -> Promise<Response> {
        #[cfg(feature = "tracing")]
        let span = super::trace::span(self.operation, &parts.method);
        let answering: Promise<Response> = match &self.wrapped {
            None => self.answer(parts, body),
            Some(wrapped) => {
                parts.extensions.insert(self.operation);
                Box::pin(wrapped.clone().call(Request::from_parts(parts, body), ()))
            }
        };
        #[cfg(feature = "tracing")]
        let answering = Box::pin(super::trace::within(span, answering));
        answering
    }

    /// The response of the operation itself.
    fn answer(self: &Arc<Self>, parts: Parts, body: Body) -> Promise<Response> {
        // In an `Arc` before the future begins, because a future has room for each of its arguments twice.
        let head = Arc::new(Head { operation: self.operation, parts });
        Box::pin(Arc::clone(self).handle(head, body))
    }

    /// The body, if its signature is valid or none is required.
    #[cfg(feature = "signatures")]
    async fn verified(&self, parts: &Parts, body: Body) -> Result<Body, Failure> {
        match &self.signatures {
            Some(signatures) => signatures.verify(parts, body, self.limits.body).await,
            None => Ok(body),
        }
    }

    async fn handle(self: Arc<Self>, head: Arc<Head>, body: Body) -> Response {
        #[cfg(feature = "signatures")]
        let received = self.verified(&head.parts, body).await;
        #[cfg(not(feature = "signatures"))]
        let received: Result<_, Failure> = Ok(body);
        let answered = match received {
            Ok(body) => {
                let incoming = Incoming::new(Arc::clone(&head), body, self.limits, self.keep_alive, self.query);
                (self.handler)(incoming).await.and_then(Answer::finish)
            }
            Err(failure) => Err(failure),
        };
        let mut response = match answered.and_then(|response| acceptable(&head, response)) {
            Ok(response) => response,
            Err(failure) => {
                let failure = self.map_error(failure);
                let failure = match failure.status() {
                    StatusCode::UNAUTHORIZED => security::challenge(failure, &head),
                    _ => failure,
                };
                respond(&self.render, failure, &FailureContext::new(Some(self.operation), &head.parts))
            }
        };
        if let Some(id) = head.parts.headers.get(&REQUEST_ID) {
            response.headers_mut().entry(&REQUEST_ID).or_insert_with(|| id.clone());
        }
        #[cfg(feature = "check-responses")]
        if let Some(checker) = self.response_checker {
            response = checker.checked(self.operation, response).await;
        }
        response
    }
}

/// The response, unless it has a body that `Accept` does not allow. Requests with side effects have been
/// refused before.
fn acceptable(head: &Head, response: Response) -> Result<Response, Failure> {
    let offers = head.operation.produces;
    let is_subject = response.status().is_success() && !offers.is_empty() && !response.body().is_end_stream();
    if is_subject && media_type::negotiate(&head.parts.headers, offers).is_none() {
        return Err(Failure::not_acceptable(offers));
    }
    Ok(response)
}

/// The media type of the body.
fn sent(parts: &Parts) -> Option<&str> {
    parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok())
}

/// The response of a failure; its headers are sent even if the service's rendering drops them.
fn respond(render: &Render, failure: Failure, context: &FailureContext<'_>) -> Response {
    let failure = match failure.into_answer() {
        Ok(response) => return response,
        Err(failure) => failure,
    };
    let headers = failure.headers();
    let mut response = render(&failure, context);
    for name in headers.keys() {
        if let Entry::Vacant(vacant) = response.headers_mut().entry(name) {
            let mut values = headers.get_all(name).iter();
            if let Some(first) = values.next() {
                let mut entry = vacant.insert_entry(first.clone());
                values.for_each(|value| entry.append(value.clone()));
            }
        }
    }
    response
}
