//! Tracing spans for operations, with OpenTelemetry's names and without values of the request.

use axum::response::Response;
use http::Method;
use tracing::field::Empty;
use tracing::{Instrument, Span};

use super::Operation;

/// The span of a request.
pub(super) fn span(operation: &'static Operation, method: &Method) -> Span {
    tracing::info_span!(
        "request",
        "otel.name" = %format_args!("{method} {}", operation.path),
        "otel.kind" = "server",
        "operation.id" = operation.id,
        "http.request.method" = method.as_str(),
        "http.route" = operation.path,
        "http.response.status_code" = Empty,
        "error.type" = Empty,
        "otel.status_code" = Empty,
    )
}

/// Handles a request inside its span.
pub(super) async fn within(span: Span, answering: impl Future<Output = Response>) -> Response {
    let response = answering.instrument(span.clone()).await;
    let status = response.status();
    span.record("http.response.status_code", status.as_u16());
    if status.is_server_error() {
        span.record("error.type", status.as_str());
        span.record("otel.status_code", "ERROR");
    }
    response
}
