//! Entity tags (RFC 9110): every answer to a GET has one, and whoever has the answer already is told just that.

use axum::{
    body::{Body, HttpBody as _, to_bytes},
    extract::Request,
    http::{HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use generated_server::runtime::json::{self, Write};
use twox_hash::XxHash3_128;

use crate::store::Condition;

/// The strong tag of an answer's body.
fn of(body: &[u8]) -> String {
    format!("\"{:032x}\"", XxHash3_128::oneshot(body))
}

/// What `If-Match` asks of a record; `answer` makes of it what its GET answers.
pub(super) fn condition<T: 'static, A: Write + 'static>(
    if_match: Option<String>,
    answer: impl Fn(&T) -> A + Send + Sync + 'static,
) -> Condition<T> {
    match if_match {
        None => Condition::none(),
        // A weak tag never matches here, which is why it keeps its `W/`.
        Some(tags) => Condition::new(move |record| {
            let tag = of(&json::to_vec(&answer(record)));
            tags.split(',').map(str::trim).any(|named| named == tag || named == "*")
        }),
    }
}

/// Whether a list of tags, as in `If-None-Match`, names this one; weak tags compare alike here.
pub(super) fn names(tags: &str, tag: &str) -> bool {
    tags.split(',').map(|name| name.trim().trim_start_matches("W/")).any(|name| name == tag || name == "*")
}

/// Gives the answer to a GET its tag, or turns it into a 304. What has a tag already, and what is sent while it is read,
/// stays as it is.
pub(super) async fn tagged(request: Request, next: Next) -> Response {
    let is_get = request.method() == Method::GET;
    let known: Vec<HeaderValue> = request.headers().get_all(header::IF_NONE_MATCH).iter().cloned().collect();
    let response = next.run(request).await;
    let is_whole = response.body().size_hint().exact().is_some();
    if !is_get || response.status() != StatusCode::OK || response.headers().contains_key(header::ETAG) || !is_whole {
        return response;
    }
    let (mut head, body) = response.into_parts();
    // All of it is in memory already.
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
