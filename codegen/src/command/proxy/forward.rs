//! Sends requests on, and their responses back.

use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, HOST, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, TE, TRAILER,
    TRANSFER_ENCODING, UPGRADE,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse as _, Response};
use futures_util::{Stream, StreamExt as _};
use reqwest::Url;

use super::record::{Pending, Recorder};
use crate::command::Failure;
use crate::command::exchange::{self, LARGEST_BODY};
use crate::command::prove::Answer;

/// Headers of one connection (RFC 9110, 7.6.1), and those that the client sets itself.
const OF_A_CONNECTION: [HeaderName; 9] = [
    CONNECTION,
    CONTENT_LENGTH,
    HOST,
    PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// What stands between a client and a service.
pub(super) struct Proxy {
    http: reqwest::Client,
    base: String,
    base_path: String,
    recorder: Arc<Recorder>,
}

impl Proxy {
    /// A proxy of the service at `base`; callers may use the path of the description's server.
    pub(super) fn new(base: &Url, base_path: String, recorder: Recorder) -> Result<Self, Failure> {
        let (http, base) = exchange::http(base, reqwest::Client::builder())?;
        Ok(Self { http, base, base_path, recorder: Arc::new(recorder) })
    }

    /// The URL at the service.
    fn target(&self, parts: &Parts) -> String {
        let target = parts.uri.path_and_query().map_or("/", |target| target.as_str());
        let within = target.strip_prefix(self.base_path.as_str()).filter(|target| target.starts_with(['/', '?']));
        format!("{}{}", self.base, within.unwrap_or(target))
    }
}

/// Sends a request on, and its response back.
pub(super) async fn forward(State(proxy): State<Arc<Proxy>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, LARGEST_BODY).await else {
        return (StatusCode::PAYLOAD_TOO_LARGE, "the body is too large for a proxy that checks it\n").into_response();
    };
    let pending = proxy.recorder.request(&parts, &body);
    let mut headers = without_connection(&parts.headers);
    // The body of the response is read here.
    headers.remove(ACCEPT_ENCODING);
    let request = proxy.http.request(parts.method.clone(), proxy.target(&parts)).headers(headers);
    let request = if body.is_empty() { request } else { request.body(body) };
    match request.send().await {
        Ok(response) => answered(&proxy, pending, response),
        Err(error) => {
            proxy.recorder.no_answer(&pending, &error);
            (StatusCode::BAD_GATEWAY, format!("the service did not answer: {error}\n")).into_response()
        }
    }
}

fn answered(proxy: &Proxy, pending: Pending, response: reqwest::Response) -> Response {
    let (status, headers) = (response.status(), without_connection(response.headers()));
    let answer = Answer { status: status.as_u16(), headers: headers.clone(), body: Vec::new(), is_cut: true };
    let observed = Observed { recorder: Arc::clone(&proxy.recorder), pending, answer };
    let mut answer = Body::from_stream(observed.stream(response.bytes_stream())).into_response();
    *answer.status_mut() = status;
    *answer.headers_mut() = headers;
    answer
}

fn without_connection(headers: &HeaderMap) -> HeaderMap {
    let mut headers = headers.clone();
    for name in OF_A_CONNECTION {
        headers.remove(name);
    }
    headers
}

/// A response on its way; it is recorded at its end, or when the caller hangs up.
struct Observed {
    recorder: Arc<Recorder>,
    pending: Pending,
    answer: Answer,
}

impl Observed {
    /// The body, which is kept as it passes.
    fn stream(
        self,
        body: impl Stream<Item = reqwest::Result<Bytes>> + Send + 'static,
    ) -> impl Stream<Item = reqwest::Result<Bytes>> + Send {
        let is_whole = true;
        let start = (self, Box::pin(body), is_whole);
        futures_util::stream::unfold(start, |(mut observed, mut body, mut is_whole)| async move {
            let piece = body.next().await;
            let answer = &mut observed.answer;
            match &piece {
                Some(Ok(piece)) if answer.body.len() + piece.len() <= LARGEST_BODY => {
                    answer.body.extend_from_slice(piece);
                }
                Some(_) => is_whole = false,
                None => answer.is_cut = !is_whole,
            }
            piece.map(|piece| (piece, (observed, body, is_whole)))
        })
    }
}

impl Drop for Observed {
    fn drop(&mut self) {
        self.recorder.answer(&self.pending, &self.answer);
    }
}
