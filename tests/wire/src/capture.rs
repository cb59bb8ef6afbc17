//! Records the requests and answers on the wire, in front of the server.

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, Uri};

use crate::Stage;

/// The maximum size of a recorded body.
const LONGEST: usize = 1 << 24;

/// One request and its answer, as they were on the wire.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exchange {
    pub(crate) method: Method,
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) request_body: Bytes,
    pub(crate) status: StatusCode,
    pub(crate) response_body: Bytes,
}

/// Passes a request on and records both bodies.
pub(crate) async fn capture(State(stage): State<Stage>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let request_body = to_bytes(body, LONGEST).await.unwrap_or_default();
    let mut exchange = Exchange {
        method: parts.method.clone(),
        uri: parts.uri.clone(),
        headers: parts.headers.clone(),
        request_body: request_body.clone(),
        ..Exchange::default()
    };
    let response = next.run(Request::from_parts(parts, Body::from(request_body))).await;
    let (parts, body) = response.into_parts();
    exchange.response_body = to_bytes(body, LONGEST).await.unwrap_or_default();
    exchange.status = parts.status;
    let body = exchange.response_body.clone();
    stage.lock().exchange = exchange;
    Response::from_parts(parts, Body::from(body))
}
