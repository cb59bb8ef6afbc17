//! Builds one axum router from operations and their handlers.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use axum::Router;
use axum::routing::{MethodFilter, MethodRouter, any, on};
use http::{Method, StatusCode};

use super::endpoint::{Discriminator, Endpoint, Handler, Promise, Refusal, Resource, Unfound, Unwrapped};
use super::handle::handle;
use super::{Identify, Operation, Options, Request, Serve, path};
use crate::parameter::encode_literal;

/// The operations of a router that is being built.
pub struct Routes<S, A> {
    /// The service and the authenticator.
    state: Arc<(S, A)>,
    routes: Vec<Route>,
}

/// An operation, its handler, and how it is told apart from others with the same template.
type Route = (&'static Operation, Handler, Discriminator);

impl<S, A> Routes<S, A>
where
    S: Send + Sync + 'static,
    A: Send + Sync + 'static,
{
    /// A router without operations.
    pub fn new(service: S, authenticator: A) -> Self {
        Self { state: Arc::new((service, authenticator)), routes: Vec::new() }
    }

    /// Adds an operation, implemented by `method` of the service; `identify` finds its caller.
    pub fn serve<R: Request, P: Send + 'static>(
        &mut self,
        identify: impl for<'a> Identify<'a, A, P>,
        method: impl for<'a> Serve<'a, S, P, R>,
    ) {
        let state = Arc::clone(&self.state);
        let handler = Arc::new(move |mut incoming| -> Promise<_> {
            let state = Arc::clone(&state);
            Box::pin(async move { handle((&state.0, &state.1), &mut incoming, identify, method).await })
        });
        let discriminator = Discriminator { fits: R::fits, by_body: R::FITS_BY_BODY };
        self.routes.push((R::OPERATION, handler, discriminator));
    }

    /// A router that can be merged with others: unknown paths are left to them.
    pub fn into_part(self, options: &Options) -> Router {
        router(resources(self.routes, options))
    }

    /// A router that also handles unknown paths and methods: with 404, or with 405 and `Allow`.
    ///
    /// If a concrete path such as `/notes/latest` lacks a method, a template that matches it, such as
    /// `/notes/{name}`, gets the request, unless its parameter is a number.
    pub fn into_router(self, options: &Options) -> Router {
        let refuse = |status| Refusal { status, render: Arc::clone(&options.render) };
        let resources = with_wider(&resources(self.routes, options));
        let all = resources.iter().map(|endpoints| Resource::new(in_order(endpoints.clone())));
        let unfound = Unfound { resources: all.collect(), refusal: refuse(StatusCode::NOT_FOUND) };
        router(resources).fallback(unfound).method_not_allowed_fallback(refuse(StatusCode::METHOD_NOT_ALLOWED))
    }
}

impl<S: Debug, A: Debug> Debug for Routes<S, A> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let operations: Vec<_> = self.routes.iter().map(|(operation, ..)| operation.id).collect();
        formatter.debug_struct("Routes").field("state", &self.state).field("operations", &operations).finish()
    }
}

/// Groups operations whose templates axum cannot tell apart.
fn resources(routes: Vec<Route>, options: &Options) -> Vec<Vec<Arc<Endpoint>>> {
    let mut resources: Vec<Vec<Arc<Endpoint>>> = Vec::new();
    for (operation, handler, discriminator) in routes {
        let mut endpoint = Endpoint {
            operation,
            shape: path::shape(operation.path),
            handler,
            discriminator,
            limits: options.limits_for(operation),
            keep_alive: options.keep_alive,
            query: options.query,
            error_maps: options.error_maps.clone(),
            render: Arc::clone(&options.render),
            #[cfg(feature = "check-responses")]
            response_checker: options.response_checker,
            #[cfg(feature = "signatures")]
            signatures: options.signatures.clone(),
            wrapped: None,
        };
        endpoint.wrapped = wrapped(&endpoint, options);
        let endpoint = Arc::new(endpoint);
        let same = |found: &&mut Vec<Arc<Endpoint>>| found.first().is_some_and(|first| first.shape == endpoint.shape);
        match resources.iter_mut().find(same) {
            Some(endpoints) => endpoints.push(endpoint),
            None => resources.push(vec![endpoint]),
        }
    }
    resources
}

/// An operation with the layers of the options, if any.
fn wrapped(endpoint: &Endpoint, options: &Options) -> Option<MethodRouter> {
    let bare = || any(Unwrapped(Arc::new(endpoint.clone())));
    let wrap = |inner: Option<_>, wrap: &Arc<dyn Fn(_, _) -> _ + Send + Sync>| {
        Some(wrap(inner.unwrap_or_else(bare), endpoint.operation))
    };
    // With its state set, a layer builds its service once, not for each request.
    options.wraps.iter().fold(None, wrap).map(|wrapped: MethodRouter| wrapped.with_state(()))
}

/// Adds to every resource the operations whose wider templates match its paths.
///
/// Parts to be merged cannot have this: axum refuses to merge two routers that serve one method of one path.
fn with_wider(resources: &[Vec<Arc<Endpoint>>]) -> Vec<Vec<Arc<Endpoint>>> {
    let of = |own: &Vec<Arc<Endpoint>>| {
        let narrow = own.first().map_or(&[][..], |own| own.shape.as_slice());
        let wider = resources.iter().flatten().filter(|other| {
            path::is_wider(&other.shape, narrow)
                && path::has_numbers(other.operation.path, other.operation.numbers, narrow)
        });
        own.iter().chain(wider).cloned().collect()
    };
    resources.iter().map(of).collect()
}

/// One axum route for each resource.
fn router(resources: Vec<Vec<Arc<Endpoint>>>) -> Router {
    resources.into_iter().fold(Router::new().without_v07_checks(), |router, endpoints| {
        // The route uses the names of the first template, so that `MatchedPath` shows the description's.
        let template = axum_template(endpoints.first().map_or("/", |endpoint| endpoint.operation.path));
        router.route(&template, resource(endpoints))
    })
}

/// The methods of one axum route.
fn resource(endpoints: Vec<Arc<Endpoint>>) -> MethodRouter {
    let endpoints = in_order(endpoints);
    let mut methods: Vec<&str> = Vec::new();
    endpoints.iter().fold(MethodRouter::new(), |router, endpoint| {
        let method = endpoint.operation.method;
        match Method::from_bytes(method.as_bytes()).map(MethodFilter::try_from) {
            Ok(Ok(filter)) if !methods.contains(&method) => {
                methods.push(method);
                router.merge(on(filter, Resource::new(Arc::clone(&endpoints))))
            }
            Ok(Ok(_)) => router,
            // Axum does not know methods such as QUERY, so `Resource` handles them.
            _ => router.fallback(Resource::new(Arc::clone(&endpoints))),
        }
    })
}

/// The operations of one axum route, the most specific first.
fn in_order(mut endpoints: Vec<Arc<Endpoint>>) -> Arc<[Arc<Endpoint>]> {
    // `/files/latest.{extension}` goes before `/files/{name}.{extension}`, and both before `/files/{name}`.
    // Operations of wider templates go last.
    endpoints.sort_by_cached_key(|endpoint| {
        let literals = std::cmp::Reverse(literal_length(endpoint.operation.path));
        (path::precedence(&endpoint.shape), literals)
    });
    endpoints.into()
}

/// The template in axum's syntax: a segment is a literal or one parameter.
fn axum_template(template: &str) -> String {
    let segments =
        path::without_query(template).trim_start_matches('/').split('/').enumerate().map(|(position, segment)| {
            match path::names(segment).next() {
                Some(name) if !path::is_mixed(segment) && !name.starts_with('*') => format!("/{segment}"),
                Some(_) => format!("/{{segment{position}}}"),
                None => std::iter::once("/").chain(encode_literal(segment)).collect(),
            }
        });
    segments.collect()
}

/// The length of the literal parts of a template.
fn literal_length(template: &str) -> usize {
    template.len() - path::names(template).map(|name| name.len() + "{}".len()).sum::<usize>()
}
