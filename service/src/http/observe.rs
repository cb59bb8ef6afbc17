//! What every request gets: an id, a log line, time limits and a net for panics.

use std::{
    panic::AssertUnwindSafe,
    sync::atomic::{AtomicU64, Ordering},
    time::Instant,
};

use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::Response,
};
use futures_util::FutureExt as _;

use super::pace::Pace;
use crate::config::Limits;

/// The header that names a request, in both directions.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Answers with 408 a body that comes too slowly, with 503 what takes too long, and with 500 a panic; all through `refuse`,
/// in the shape that the operation declares for its failures.
pub async fn observe(
    limits: &Limits,
    refuse: impl Fn(StatusCode) -> Response,
    mut request: Request,
    next: Next,
) -> Response {
    let id = request.headers().get(REQUEST_ID).filter(|id| is_plausible(id)).cloned().unwrap_or_else(new_id);
    request.headers_mut().insert(REQUEST_ID, id.clone());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let begin = Instant::now();
    let pace = Pace::new(limits);
    let request = request.map(|body| pace.watch(body));

    let answer = AssertUnwindSafe(pace.keep(next.run(request))).catch_unwind().await;
    let mut response = match answer {
        Ok(Ok(response)) => response,
        Ok(Err(status)) => refuse(status),
        Err(_) => refuse(StatusCode::INTERNAL_SERVER_ERROR),
    };

    tracing::info!(
        target: "service::request",
        id = id.to_str().unwrap_or_default(),
        %method,
        path,
        status = response.status().as_u16(),
        microseconds = u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX),
    );
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id);
    // An uploaded file must never run as a page of this origin, whatever it contains.
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox"));
    response
}

/// An id of the caller's is kept when it can stand in a log line.
fn is_plausible(id: &HeaderValue) -> bool {
    (1..=128).contains(&id.len()) && id.as_bytes().iter().all(u8::is_ascii_graphic)
}

/// Unique within the process and, by its start time, among its starts.
fn new_id() -> HeaderValue {
    static START: std::sync::LazyLock<u64> = std::sync::LazyLock::new(|| {
        std::time::UNIX_EPOCH.elapsed().map_or(0, |elapsed| u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX))
    });
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    HeaderValue::from_str(&format!("{:x}-{number:x}", *START)).unwrap_or_else(|_| HeaderValue::from_static("none"))
}
