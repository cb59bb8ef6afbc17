//! What every request gets: an id, a log line, time limits and a net for panics.

use std::{
    net::{IpAddr, Ipv4Addr},
    panic::AssertUnwindSafe,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue, StatusCode, Version, header},
    middleware::Next,
    response::Response,
};
use futures_util::FutureExt as _;

use generated_server::runtime::server::Operation;

use super::{Peer, Trace, address, pace::Pace};
use crate::{config::Config, shares::Shares};

/// The header that names a request, in both directions.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Answers with 408 a body that comes too slowly, with 503 what takes too long, with 414 an address that is too long, and
/// with 500 a panic; all through `refuse`, in the shape that the operation
/// declares for its failures.
pub async fn observe(
    config: &Config,
    bodies: &Shares,
    operation: Option<&'static Operation>,
    refuse: impl Fn(StatusCode) -> Response,
    mut request: Request,
    next: Next,
) -> Response {
    let id = request.headers().get(REQUEST_ID).filter(|id| is_plausible(id)).cloned().unwrap_or_else(new_id);
    request.headers_mut().insert(REQUEST_ID, id.clone());
    let peer = request.extensions().get().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |Peer(peer)| *peer);
    let address = address::of_caller(peer, request.headers(), &config.trusted_proxies);
    let trace = Arc::new(Trace::new(address));
    request.extensions_mut().insert(Arc::clone(&trace));
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let (version, expects) = (request.version(), request.headers().contains_key(header::EXPECT));
    let length = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    let begin = Instant::now();
    let pace = Pace::new(&config.limits);
    // Files are not held in memory, but received one by one.
    let is_held = !request.headers().get(header::CONTENT_TYPE).is_some_and(is_multipart);
    let share = is_held.then(|| (bodies.share(), Arc::clone(&trace)));
    // How long such a body is may be a matter of opinion between those who passed it on: nothing is read behind it.
    let is_last = request.headers().contains_key(header::TRANSFER_ENCODING);
    let request = request.map(|body| pace.watch(body, expects, share));

    let answer = async {
        if length > config.limits.uri_bytes {
            Err(StatusCode::URI_TOO_LONG)
        } else {
            pace.keep(next.run(request)).await
        }
    };
    let mut response = match AssertUnwindSafe(answer).catch_unwind().await {
        Ok(Ok(response)) => response,
        Ok(Err(status)) => refuse(status),
        Err(_) => refuse(StatusCode::INTERNAL_SERVER_ERROR),
    };

    let caller = trace.caller();
    tracing::info!(
        target: "service::request",
        id = id.to_str().unwrap_or_default(),
        %address,
        tenant = caller.map(|(tenant, _)| tenant.0),
        token = caller.map(|(_, token)| token),
        operation = operation.map(|operation| operation.id),
        %method,
        path = shortened(&path),
        status = response.status().as_u16(),
        microseconds = u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX),
    );
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id);
    // An uploaded file must never run as a page of this origin, whatever it contains.
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox"));
    // The rest of the body is not read as a request.
    if version < Version::HTTP_2 && (is_last || !pace.has_all()) {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

fn is_multipart(value: &HeaderValue) -> bool {
    value.as_bytes().get(..10).is_some_and(|start| start.eq_ignore_ascii_case(b"multipart/"))
}

/// The beginning of a path, so that a line of the log has a bound.
fn shortened(path: &str) -> &str {
    &path[..path.floor_char_boundary(512)]
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
