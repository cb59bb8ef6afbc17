//! The transport of requests: the connection pool, or a tower service in its place.

use std::error::Error;
use std::fmt::{self, Debug, Formatter};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use http_body::Body as HttpBody;
use reqwest::{ResponseBuilderExt, Url};
use tower_service::Service;

use super::Operation;
use super::pool::Pool;
use crate::byte_stream::BoxError;

type Request = http::Request<reqwest::Body>;
type Response = http::Response<reqwest::Body>;
type Promise<T> = Pin<Box<dyn Future<Output = Result<T, BoxError>> + Send>>;

/// Sends the requests of a client: its connection pool, or a service in its place. It is a tower service, so layers can
/// wrap it.
#[derive(Clone)]
pub struct Transport(Kind);

#[derive(Clone)]
enum Kind {
    Pool(Arc<Pool>),
    Service(Arc<dyn Boxed>),
}

/// A tower service that can send the requests of a client. It takes an [`http::Request`] with a [`reqwest::Body`] and
/// returns an [`http::Response`] with any body. The extensions of the request have the `&'static Operation`.
pub trait IntoTransport {
    /// Converts the service.
    fn into_transport(self) -> Transport;
}

impl<S, B> IntoTransport for S
where
    S: Service<http::Request<reqwest::Body>, Response = http::Response<B>> + Clone + Send + Sync + 'static,
    S::Future: Send + 'static,
    S::Error: Into<Box<dyn Error + Send + Sync>>,
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    fn into_transport(self) -> Transport {
        Transport(Kind::Service(Arc::new(self)))
    }
}

impl Transport {
    pub(super) fn pool(pool: Pool) -> Self {
        Self(Kind::Pool(Arc::new(pool)))
    }

    /// Sends a request of an operation.
    pub(super) async fn send(
        &self,
        operation: &'static Operation,
        request: reqwest::Request,
    ) -> Result<reqwest::Response, BoxError> {
        match &self.0 {
            Kind::Pool(pool) => pool.of(Some(operation)).execute(request).await.map_err(without_url),
            Kind::Service(service) => {
                let url = request.url().clone();
                let mut request = Request::try_from(request).map_err(without_url)?;
                request.extensions_mut().insert(operation);
                let (mut parts, body) = service.send(request).await?.into_parts();
                let url = parts.extensions.remove().map_or(url, |Reached(url)| url);
                let mut response = http::Response::builder().url(url).body(body)?;
                *response.status_mut() = parts.status;
                *response.headers_mut() = parts.headers;
                Ok(response.into())
            }
        }
    }
}

impl Service<http::Request<reqwest::Body>> for Transport {
    type Response = http::Response<reqwest::Body>;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<reqwest::Body>) -> Self::Future {
        match &self.0 {
            Kind::Pool(pool) => {
                let pool = Arc::clone(pool);
                Box::pin(async move {
                    let operation = request.extensions().get().copied();
                    let request = request.try_into().map_err(without_url)?;
                    let response = pool.of(operation).execute(request).await.map_err(without_url)?;
                    let reached = Reached(response.url().clone());
                    let mut response = Response::from(response);
                    response.extensions_mut().insert(reached);
                    Ok(response)
                })
            }
            Kind::Service(service) => service.send(request),
        }
    }
}

impl Debug for Transport {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Pool(pool) => Debug::fmt(pool, formatter),
            Kind::Service(_) => formatter.write_str("a service"),
        }
    }
}

/// The URL of a response after redirections.
#[derive(Clone)]
struct Reached(Url);

/// A service without type parameters, for `dyn`.
trait Boxed: Send + Sync {
    fn send(&self, request: Request) -> Promise<Response>;
}

impl<S, B> Boxed for S
where
    S: Service<Request, Response = http::Response<B>> + Clone + Send + Sync + 'static,
    S::Future: Send + 'static,
    S::Error: Into<BoxError>,
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    fn send(&self, request: Request) -> Promise<Response> {
        let mut service = self.clone();
        Box::pin(async move {
            poll_fn(|context| service.poll_ready(context)).await.map_err(Into::into)?;
            let response = service.call(request).await.map_err(Into::into)?;
            Ok(response.map(|body| reqwest::Body::wrap_stream(Chunks(Box::pin(body)))))
        })
    }
}

/// A body without its trailers.
struct Chunks<B>(Pin<Box<B>>);

impl<B: HttpBody<Data = Bytes>> Stream for Chunks<B> {
    type Item = Result<Bytes, B::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match ready!(self.0.as_mut().poll_frame(context)) {
                None => return Poll::Ready(None),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        return Poll::Ready(Some(Ok(data)));
                    }
                }
            }
        }
    }
}

/// Removes the URL, which may contain a key.
pub(super) fn without_url(error: reqwest::Error) -> BoxError {
    error.without_url().into()
}

/// The error of the connection pool, if there is one in the chain; layers may have wrapped it.
pub(super) fn of_the_pool(error: &BoxError) -> Option<&reqwest::Error> {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error.as_ref());
    while let Some(error) = cause {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        cause = error.source();
    }
    None
}
