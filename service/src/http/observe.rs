//! Middleware for every request: an id, a log line, time limits, and a 500 for a panic.

use std::{
    net::{IpAddr, Ipv4Addr},
    panic::AssertUnwindSafe,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Version, header, uri::Authority},
    middleware::Next,
    response::Response,
};
use futures_util::FutureExt as _;
use generated_server::runtime::server::Operation;
use parking_lot::Mutex;
use uuid::Uuid;

use super::{
    Peer, address,
    pace::{Turn, paced},
};
use crate::{config::Config, domain::tenant::TenantId, metrics::Metrics, shares::Shares};

/// The header with the id of a request, in both directions.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Maximum length of path and query; longer ones get 414.
const URI_BYTES: usize = 8 << 10;
/// The status in the log and the metrics of a request whose client hung up before the response.
const HUNG_UP: u16 = 499;
/// How much of an unread body is drained so that the connection can be reused.
const UNWANTED_BYTES: u64 = 64 << 10;

/// The origin of a request, and its caller once known, in the extensions of the request.
#[derive(Debug)]
pub struct Trace {
    /// The address of the client.
    pub address: IpAddr,
    caller: OnceLock<(TenantId, i32)>,
}

impl Trace {
    /// Records the tenant and token id.
    pub fn set_caller(&self, tenant: TenantId, token: i32) {
        let _ = self.caller.set((tenant, token));
    }

    /// The tenant and token id, once known.
    pub fn caller(&self) -> Option<(TenantId, i32)> {
        self.caller.get().copied()
    }
}

/// Notes the end of a request when it is dropped.
struct End<F: Fn(u16)> {
    status: u16,
    note: F,
}

impl<F: Fn(u16)> Drop for End<F> {
    fn drop(&mut self) {
        (self.note)(self.status);
    }
}

/// Answers a request, or refuses it in the shape that the operation declares for its failures: 400 without `Host`, 408 when the
/// body comes too slowly, 414 when the address is too long, 500 after a panic, 503 when the answer takes too long.
pub async fn observe(
    config: &Config,
    bodies: &Shares,
    metrics: &Metrics,
    operation: Option<&'static Operation>,
    refuse: impl Fn(StatusCode) -> Response,
    mut request: Request,
    next: Next,
) -> Response {
    let id = request.headers().get(REQUEST_ID).filter(|id| is_plausible(id)).cloned().unwrap_or_else(new_id);
    request.headers_mut().insert(REQUEST_ID, id.clone());
    let peer = request.extensions().get().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |Peer(peer)| *peer);
    let address = address::of_caller(peer, request.headers(), &config.trusted_proxies);
    let trace = Arc::new(Trace { address, caller: OnceLock::new() });
    request.extensions_mut().insert(Arc::clone(&trace));
    let (method, path, version) = (request.method().clone(), request.uri().path().to_owned(), request.version());
    let has_host = says_host(version, request.headers());
    let length = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    let begin = Instant::now();
    let note = |status| {
        let (caller, time) = (trace.caller(), begin.elapsed());
        metrics.answered(operation.map(|operation| operation.id), status, time);
        tracing::info!(
            target: "service::request",
            id = id.to_str().unwrap_or_default(),
            %address,
            tenant = caller.map(|(tenant, _)| tenant.0),
            token = caller.map(|(_, token)| token),
            operation = operation.map(|operation| operation.id),
            %method,
            // Only the beginning, to limit the length of log lines.
            path = &path[..path.floor_char_boundary(512)],
            status,
            microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX),
        );
    };
    let mut end = End { status: HUNG_UP, note };
    let (is_chunked, is_small) =
        (request.headers().contains_key(header::TRANSFER_ENCODING), is_small(request.headers()));
    // Multipart bodies are streamed, not buffered.
    let is_held = !request.headers().get(header::CONTENT_TYPE).is_some_and(is_multipart);
    // Held until the answer: a request that waits for the store has its body in memory.
    let share = Arc::new(Mutex::new(bodies.share()));
    let (head, body) = request.into_parts();
    let charged = is_held.then(|| (Arc::clone(&share), Arc::clone(&trace)));
    let (body, mut pace) = paced(body, &config.bounds, charged);
    let request = Request::from_parts(head, body);
    let patience = Duration::from_secs(config.limits.request_seconds.into());

    let answer = async {
        if !has_host {
            return Err(StatusCode::BAD_REQUEST);
        }
        if length > URI_BYTES {
            return Err(StatusCode::URI_TOO_LONG);
        }
        tokio::select! {
            biased;
            response = next.run(request) => Ok(response),
            status = pace.refusal(patience) => Err(status),
        }
    };
    let mut response = match AssertUnwindSafe(answer).catch_unwind().await {
        Ok(Ok(response)) => response,
        Ok(Err(status)) => refuse(status),
        Err(_) => refuse(StatusCode::INTERNAL_SERVER_ERROR),
    };
    drop(share);

    end.status = if pace.turn() == Turn::Gone { HUNG_UP } else { response.status().as_u16() };
    drop(end);
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id);
    // An uploaded file must never run as a page of this origin, whatever it contains.
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let policy = HeaderValue::from_static("default-src 'none'; sandbox");
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(policy);
    // The rest of the body must not be read as a request: proxies may disagree about where a chunked body
    // ends.
    if version < Version::HTTP_2 && (is_chunked || !(is_small || pace.turn() == Turn::Read)) {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Whether a request says which host it is for: exactly once in HTTP/1.1, at most once in other versions (RFC 9112, 3.2).
fn says_host(version: Version, headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) => version != Version::HTTP_11,
        (Some(host), None) => host.is_empty() || Authority::try_from(host.as_bytes()).is_ok(),
        (Some(_), Some(_)) => false,
    }
}

/// Whether the body is short, and is sent without being asked for.
fn is_small(headers: &HeaderMap) -> bool {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    length.is_some_and(|length| length <= UNWANTED_BYTES) && !headers.contains_key(header::EXPECT)
}

fn is_multipart(value: &HeaderValue) -> bool {
    value.as_bytes().get(..10).is_some_and(|start| start.eq_ignore_ascii_case(b"multipart/"))
}

/// Whether the client's id is safe for log lines.
fn is_plausible(id: &HeaderValue) -> bool {
    (1..=128).contains(&id.len()) && id.as_bytes().iter().all(u8::is_ascii_graphic)
}

fn new_id() -> HeaderValue {
    HeaderValue::from_str(&Uuid::now_v7().simple().to_string()).unwrap_or_else(|_| HeaderValue::from_static("none"))
}
