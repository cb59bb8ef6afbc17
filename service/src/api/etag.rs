//! Entity tags (RFC 9110): every response to a GET has one, and a request that names it gets 304.

use std::sync::Arc;

use axum::{
    body::{Body, HttpBody as _, to_bytes},
    extract::Request,
    http::{HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use generated_server::runtime::{
    json::{self, Write},
    server::Call,
};
use twox_hash::XxHash3_128;

use crate::{domain::token::Token, store::Condition};

/// The strong tag of a body.
fn of(body: &[u8]) -> String {
    format!("\"{:032x}\"", XxHash3_128::oneshot(body))
}

/// The condition of `If-Match` and `If-None-Match` on a record; `answer` makes the response of its GET.
pub(super) fn condition<T: 'static, A: Write + 'static>(
    call: &Call<Token>,
    if_match: Option<String>,
    answer: impl Fn(&T) -> A + Send + Sync + 'static,
) -> Condition<T> {
    let tags = call.headers().get_all(header::IF_NONE_MATCH).iter();
    let others: Vec<String> = tags.map(|tags| String::from_utf8_lossy(tags.as_bytes()).into_owned()).collect();
    if if_match.is_none() && others.is_empty() {
        return None;
    }
    Some(Arc::new(move |record| {
        let tag = of(&json::to_vec(&answer(record)));
        // Weak tags never match here, so `W/` is kept.
        let is_named = |tags: &String| tags.split(',').map(str::trim).any(|named| named == tag || named == "*");
        if_match.as_ref().is_none_or(is_named) && !others.iter().any(|tags| names(tags, &tag))
    }))
}

/// Whether a list of tags, as in `If-None-Match`, contains this one, by weak comparison.
pub(super) fn names(tags: &str, tag: &str) -> bool {
    tags.split(',').map(|name| name.trim().trim_start_matches("W/")).any(|name| name == tag || name == "*")
}

/// Adds a tag to the response of a GET or a HEAD, or turns it into a 304. Responses with a tag, and streamed
/// ones, stay unchanged.
pub(super) async fn tagged(request: Request, next: Next) -> Response {
    // The router removes the body of a HEAD later.
    let is_get = matches!(*request.method(), Method::GET | Method::HEAD);
    let known: Vec<HeaderValue> = request.headers().get_all(header::IF_NONE_MATCH).iter().cloned().collect();
    let mut response = next.run(request).await;
    // The response varies by `Accept`, at least for failures.
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    let is_whole = response.body().size_hint().exact().is_some();
    if !is_get || response.status() != StatusCode::OK || response.headers().contains_key(header::ETAG) || !is_whole {
        return response;
    }
    let (mut head, body) = response.into_parts();
    // The body is already in memory.
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let tag = of(&body);
    let is_known = known.iter().filter_map(|tags| tags.to_str().ok()).any(|tags| names(tags, &tag));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        head.headers.insert(header::ETAG, tag);
    }
    if is_known {
        head.status = StatusCode::NOT_MODIFIED;
        head.headers.remove(header::CONTENT_TYPE);
        head.headers.remove(header::CONTENT_LENGTH);
        return Response::from_parts(head, Body::empty());
    }
    Response::from_parts(head, Body::from(body))
}
