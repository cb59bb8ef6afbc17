//! Refusals as `application/problem+json` (RFC 9457), in the form of the generated server.

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use serde_json::{Map, Value, json};
use specwright_exchange::Violation;

/// The media type.
pub(super) const PROBLEM: &str = "application/problem+json";

/// The document with the violations.
pub(super) fn document(status: StatusCode, detail: &str, violations: &[Violation]) -> Value {
    let mut document = json!({
        "type": "about:blank",
        "title": status.canonical_reason().unwrap_or("The request failed"),
        "status": status.as_u16(),
    });
    if !detail.is_empty() {
        document["detail"] = json!(detail);
    }
    if !violations.is_empty() {
        document["errors"] = violations.iter().map(error).collect();
    }
    document
}

/// One violation: `in`, `name`, `pointer`, `code`, `detail`.
pub(super) fn error(violation: &Violation) -> Value {
    let Violation { part, name, pointer, rule, detail, .. } = violation;
    let mut error = Map::new();
    error.insert("in".to_owned(), json!(part));
    if let Some(name) = name {
        error.insert("name".to_owned(), json!(name));
    }
    if name.is_none() || !pointer.is_empty() {
        error.insert("pointer".to_owned(), json!(pointer));
    }
    error.insert("code".to_owned(), json!(rule));
    error.insert("detail".to_owned(), json!(detail));
    Value::Object(error)
}

/// The response with a document.
pub(super) fn response(status: StatusCode, document: &Value) -> Response {
    let mut response = Response::new(Body::from(document.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(PROBLEM));
    response
}
