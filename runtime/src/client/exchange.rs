//! Sends a request, and repeats it until an answer is final.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, COOKIE};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use tokio::time::Instant;

use super::answer::{Answer, Unreadable};
use super::credentials::{self, Presented};
use super::error::{TransportError, Unanswered};
use super::parts::Parts;
use super::request_error::RequestProblem;
use super::security::secret_header;
use super::transport::{of_the_pool, without_url};
use super::{Body, Retry, media_type};
use crate::byte_stream::BoxError;
use crate::piece;

/// The header by which a server recognizes a repeated request.
pub(super) const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// The most that is reserved for a body because its header says that it is as long.
const RESERVED: u64 = 1024 * 1024;

/// The number of bytes that are kept of a body above the client's limit.
const KEPT: usize = 64 * 1024;

/// Sends a request, and repeats it as its retry policy says or if other credentials are available.
pub(super) async fn exchange(parts: Box<Parts>) -> Result<Answer, Unanswered> {
    #[cfg(feature = "tracing")]
    let span = super::trace::span(parts.operation);
    let sending = send(parts);
    #[cfg(feature = "tracing")]
    let sending = super::trace::within(span, sending);
    sending.await
}

async fn send(mut parts: Box<Parts>) -> Result<Answer, Unanswered> {
    if let Some(problem) = parts.problem.take() {
        return Err(Unanswered::request(parts.operation, problem));
    }
    let timeout = parts.timeout.or(parts.client.shared.timeout);
    let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    let mut exchange = Exchange { parts, deadline, attempts: 0 };

    let Some(deadline) = deadline else { return exchange.run().await };
    match tokio::time::timeout_at(deadline, exchange.run()).await {
        Ok(answer) => answer,
        Err(_) => Err(exchange.unanswered(None)),
    }
}

/// A request that is being sent.
struct Exchange {
    parts: Box<Parts>,
    deadline: Option<Instant>,
    /// The number of attempts.
    attempts: u32,
}

/// The reason why an answer was not read completely.
enum Unread {
    BrokenOff(BoxError),
    Refused(Box<Answer>, Unreadable),
}

impl Exchange {
    async fn run(&mut self) -> Result<Answer, Unanswered> {
        // A request that cannot be built needs no credentials.
        let mut first = Some(self.request()?);
        let mut presented = self.credentials(&[]).await?;
        let mut renewed = false;
        loop {
            let mut http = first.take().map_or_else(|| self.request(), Ok)?;
            self.present(&presented, &mut http)?;
            let repeatable = self.move_body(&mut http);

            self.attempts += 1;
            let response = match self.parts.client.shared.transport.send(self.parts.operation, http).await {
                Ok(response) => response,
                Err(error) => {
                    let unsent = of_the_pool(&error).is_some_and(reqwest::Error::is_connect);
                    let harmless = unsent || self.is_idempotent();
                    self.wait_after_error(error, repeatable && harmless).await?;
                    continue;
                }
            };

            if response.status() == StatusCode::UNAUTHORIZED && repeatable && !renewed {
                renewed = true;
                if let Some(others) = self.renewed_credentials(&presented).await? {
                    presented = others;
                    continue;
                }
            }
            if repeatable
                && self.is_idempotent()
                && let Some(delay) = self.delay_after(&response)
            {
                drop(response);
                tokio::time::sleep(delay).await;
                continue;
            }
            match self.read(response).await {
                Ok(answer) => return Ok(answer),
                Err(Unread::Refused(answer, why)) => return Err(Unanswered::Unreadable(answer, why)),
                Err(Unread::BrokenOff(error)) => {
                    let harmless = self.is_idempotent();
                    self.wait_after_error(error, repeatable && harmless).await?;
                }
            }
        }
    }

    /// The request without credentials and body.
    fn request(&self) -> Result<reqwest::Request, Unanswered> {
        let Parts { client, operation, headers, .. } = &*self.parts;
        let url = self.parts.url().map_err(|problem| self.refused(problem))?;
        let mut http = reqwest::Request::new(operation.method(), url);
        http.headers_mut().clone_from(&client.shared.headers);
        if let Some(accept) = operation.accept() {
            http.headers_mut().insert(ACCEPT, accept);
        }
        http.headers_mut().extend(headers.iter().map(|(name, value)| (name.clone(), value.clone())));
        Ok(http)
    }

    async fn credentials(&self, refused: &[Presented]) -> Result<Vec<Presented>, Unanswered> {
        let Parts { client, operation, .. } = &*self.parts;
        credentials::choose(client, operation.security, refused).await.map_err(|problem| self.refused(problem))
    }

    async fn renewed_credentials(&self, refused: &[Presented]) -> Result<Option<Vec<Presented>>, Unanswered> {
        let Parts { client, operation, .. } = &*self.parts;
        credentials::renew(client, operation.security, refused).await.map_err(|problem| self.refused(problem))
    }

    /// Adds the credentials and the cookies.
    fn present(&self, presented: &[Presented], http: &mut reqwest::Request) -> Result<(), Unanswered> {
        let mut cookies = self.parts.cookies.clone();
        for presented in presented {
            presented.write(http, &mut cookies).map_err(|problem| self.refused(problem))?;
        }
        if let Some(cookies) = secret_header(&cookies).filter(|cookies| !cookies.is_empty()) {
            http.headers_mut().insert(COOKIE, cookies);
        }
        Ok(())
    }

    /// Moves the body, or a copy of it, to the request. Returns whether the request can be repeated.
    fn move_body(&mut self, http: &mut reqwest::Request) -> bool {
        let copy = self.parts.body.as_ref().map(Body::again);
        let repeatable = !matches!(copy, Some(None));
        match copy.flatten().or_else(|| self.parts.body.take()) {
            Some(body) => {
                if let Some(length) = piece::total(&body.pieces) {
                    http.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
                }
                *http.body_mut() = Some(body.into_sent());
            }
            // RFC 9110, section 8.6. Some servers answer 411 without it.
            None if matches!(*http.method(), Method::POST | Method::PUT | Method::PATCH) => {
                http.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(0));
            }
            None => {}
        }
        repeatable
    }

    /// Waits before the next attempt, or gives up.
    async fn wait_after_error(&self, error: BoxError, repeatable: bool) -> Result<(), Unanswered> {
        let delay = self.retry().delay(self.repetition());
        // A request that cannot be built is not worth a repetition.
        let is_built = !of_the_pool(&error).is_some_and(reqwest::Error::is_builder);
        if repeatable && self.may_repeat_after(delay) && is_built {
            tokio::time::sleep(delay).await;
            return Ok(());
        }
        Err(self.unanswered(Some(error)))
    }

    /// The delay before the next attempt; `None` if this answer is final.
    fn delay_after(&self, response: &reqwest::Response) -> Option<Duration> {
        let delay = self.retry().delay_after(self.repetition(), response.status(), response.headers())?;
        self.may_repeat_after(delay).then_some(delay)
    }

    fn retry(&self) -> &Retry {
        self.parts.retry.as_ref().unwrap_or(&self.parts.client.shared.retry)
    }

    /// The number of repetitions.
    fn repetition(&self) -> u32 {
        self.attempts.saturating_sub(1)
    }

    /// If the delay would exceed the timeout, the answer is final.
    fn may_repeat_after(&self, delay: Duration) -> bool {
        self.repetition() < self.retry().times && self.deadline.is_none_or(|deadline| Instant::now() + delay < deadline)
    }

    fn is_idempotent(&self) -> bool {
        // RFC 9110 lists `TRACE` as a safe method.
        let method = self.parts.operation.method();
        let has_key = |headers: &HeaderMap| headers.contains_key(IDEMPOTENCY_KEY);
        let Parts { client, headers, .. } = &*self.parts;
        method.is_idempotent() || method == Method::TRACE || has_key(headers) || has_key(&client.shared.headers)
    }

    /// Reads the answer, unless its body is returned as a stream.
    async fn read(&self, mut response: reqwest::Response) -> Result<Answer, Unread> {
        let Parts { client, operation, .. } = &*self.parts;
        let (outcome, contents) = operation.outcome(response.status());
        let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let streamed = media_type::choose(contents, content_type).is_some_and(|index| contents[index].streamed);
        let mut answer = Answer {
            operation,
            url: response.url().clone(),
            status: response.status(),
            headers: std::mem::take(response.headers_mut()),
            outcome,
            contents,
            bytes: Bytes::new(),
            stream: None,
            limit: client.shared.response_limit,
            #[cfg(feature = "tracing")]
            repetitions: self.repetition(),
        };
        if streamed {
            answer.stream = Some(response);
            return Ok(answer);
        }
        answer.bytes = body(response, answer.limit).await.map_err(|error| Unread::BrokenOff(without_url(error)))?;
        if answer.bytes.len() as u64 > answer.limit {
            answer.bytes = Bytes::copy_from_slice(&answer.bytes[..answer.bytes.len().min(KEPT)]);
            let reason = format!("its body is longer than the limit of {} bytes", answer.limit);
            return Err(Unread::Refused(Box::new(answer), Unreadable::new(reason)));
        }
        // The connection pool removes the encodings that it decodes.
        match answer.headers.get(CONTENT_ENCODING).filter(|coding| *coding != "identity") {
            None => Ok(answer),
            Some(coding) => {
                let coding = String::from_utf8_lossy(coding.as_bytes());
                let unreadable =
                    Unreadable::new(format!("its `Content-Encoding` is `{coding}`, which cannot be decoded"));
                Err(Unread::Refused(Box::new(answer), unreadable))
            }
        }
    }

    fn refused(&self, problem: RequestProblem) -> Unanswered {
        Unanswered::request(self.parts.operation, problem)
    }

    fn unanswered(&self, source: Option<BoxError>) -> Unanswered {
        let operation = self.parts.operation;
        Unanswered::Transport(Box::new(TransportError { operation, attempts: self.attempts, source }))
    }
}

/// The body; it ends with the chunk that exceeds `limit`.
async fn body(mut response: reqwest::Response, limit: u64) -> reqwest::Result<Bytes> {
    let expected = response.content_length().unwrap_or_default().min(limit).min(RESERVED);
    // Most bodies arrive in one chunk, which needs no copy.
    let Some(first) = response.chunk().await? else { return Ok(Bytes::new()) };
    let mut body = BytesMut::new();
    while first.len().max(body.len()) as u64 <= limit
        && let Some(chunk) = response.chunk().await?
    {
        if body.is_empty() {
            body.reserve(usize::try_from(expected).unwrap_or_default());
            body.extend_from_slice(&first);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(if body.is_empty() { first } else { body.freeze() })
}
