//! The format of failures: that of each family, or a problem document on request.

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use generated_server::{
    models::{AgentErrorResponse, ErrorInfo, ErrorResponse},
    runtime::{
        json::{self, Maybe, Value, Write},
        server::{Common, Failure, Operation, problem},
        violation::{Location, Violation},
    },
};

use crate::{blob, domain::refusal::Refusal, store};

/// Maximum number of violations in a response.
const MOST_VIOLATIONS: usize = 100;

/// `Retry-After` of a busy service, in seconds.
const BUSY_SECONDS: u32 = 1;

/// `Retry-After` if another server is unavailable, in seconds.
const AWAY_SECONDS: u32 = 5;

/// The schema of the envelope. All other failures, and those without an operation, use the wrapper.
const ENVELOPE: &str = "AgentErrorResponse";

/// The response of a failure, in the format that the description declares for the operation.
pub fn respond(failure: &Failure, operation: Option<&Operation>, headers: &HeaderMap) -> Response {
    if prefers_problem(headers) {
        return problem(failure);
    }
    match operation.and_then(|operation| operation.failure) {
        Some(ENVELOPE) => envelope(failure),
        _ => wrapper(failure),
    }
}

/// The response to a request that failed before the operation responded.
pub fn refuse(status: StatusCode, operation: Option<&Operation>, headers: &HeaderMap) -> Response {
    let mut response = respond(&Failure::new(status, ""), operation, headers);
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, BUSY_SECONDS.into());
    }
    response
}

/// Converts an error of the store to a failure.
pub(super) fn of_store(error: store::Error) -> Failure {
    match error {
        store::Error::Refused(refusals) => refused(refusals).into(),
        store::Error::TooLong(time) => {
            let message = format!("the read took longer than {} s; narrow it down", time.as_secs());
            let failure = Failure::new(StatusCode::SERVICE_UNAVAILABLE, message).with_source(error);
            failure.with_header(header::RETRY_AFTER, time.as_secs().max(1))
        }
        store::Error::KeyReused => {
            let detail = "the `Idempotency-Key` was used for another request; a new request has a new key";
            Failure::unprocessable(Vec::new()).with_message(detail).into()
        }
        store::Error::NotAsExpected => {
            Failure::precondition_failed("the record has changed since its ETag was given out").into()
        }
        store::Error::TooLarge => Failure::bad_request(
            "the answer would be too large: ask for fewer records with `PageSize` or `$top`, or leave members out with `Exclude`",
        )
        .into(),
        store::Error::Unwritable(_) => unstored().with_source(error),
        store::Error::OverQuota { used, more, limit } => {
            let text = format!(
                "the tenant may have {limit} bytes of files; it has {used}, and these are {more} more. What is deleted is \
                 counted until it is swept, an hour after its upload at the earliest"
            );
            Failure::new(StatusCode::INSUFFICIENT_STORAGE, text)
        }
        store::Error::Unconfirmed => {
            let text = "the connection to the database was lost; the change may have been made. Repeat the request with \
                        its `Idempotency-Key`; without one, read before you repeat it";
            let failure = Failure::new(StatusCode::SERVICE_UNAVAILABLE, text).with_source(error);
            failure.with_header(header::RETRY_AFTER, AWAY_SECONDS)
        }
        store::Error::Busy | store::Error::Unclaimed => Failure::unavailable(BUSY_SECONDS).with_source(error).into(),
        error => error.into(),
    }
}

/// Converts an error of the blob store to a failure.
pub(super) fn of_blob(error: blob::Error) -> Failure {
    match error {
        blob::Error::TooLarge { limit } => {
            Failure::new(StatusCode::PAYLOAD_TOO_LARGE, format!("the file has more than {limit} bytes"))
        }
        blob::Error::Unavailable(..) => {
            let text = "the files cannot be reached now; nothing of the request was done";
            let failure = Failure::new(StatusCode::SERVICE_UNAVAILABLE, text).with_source(error);
            failure.with_header(header::RETRY_AFTER, AWAY_SECONDS)
        }
        error if error.is_full() => unstored().with_source(error),
        error => error.into(),
    }
}

/// The disk is full or failing.
pub(super) fn unstored() -> Failure {
    let text =
        "the service cannot store this now, because its disk is full or failing; nothing of the request was done";
    Failure::new(StatusCode::INSUFFICIENT_STORAGE, text)
}

/// Refuses a body for violated rules of the domain.
pub(super) fn refused(refusals: Vec<Refusal>) -> Failure<Common> {
    Failure::unprocessable(refusals.into_iter().map(violation).collect())
}

/// Converts a violated rule of the domain.
fn violation(refusal: Refusal) -> Violation {
    Violation { location: Location::Body, pointer: refusal.pointer, code: refusal.code, detail: refusal.detail }
}

/// The wrapper of v2 operations.
fn wrapper(failure: &Failure) -> Response {
    let texts = violations(failure);
    let body = ErrorResponse {
        success: false,
        error: ErrorInfo {
            code: Some(i32::from(failure.status().as_u16())),
            message: Maybe::Value(message(failure)),
            details: if texts.is_empty() { Maybe::Null } else { Maybe::Value(texts.join("; ")) },
            // Always null: internals are never sent.
            stack_strace: Maybe::Null,
            sub_errors: if texts.is_empty() { Maybe::Null } else { Maybe::Value(texts) },
        },
        result: Value::Null.into(),
    };
    json_response(failure.status(), &body)
}

/// The envelope of agent operations, with the status texts of the interface.
fn envelope(failure: &Failure) -> Response {
    let status = failure.status();
    let text = match status {
        StatusCode::FORBIDDEN => "Unauthorized",
        StatusCode::INTERNAL_SERVER_ERROR => "Server Error",
        // The names of RFC 9110.
        StatusCode::PAYLOAD_TOO_LARGE => "Content Too Large",
        StatusCode::UNPROCESSABLE_ENTITY => "Unprocessable Content",
        status => status.canonical_reason().unwrap_or("Error"),
    };
    let error = [vec![message(failure)], violations(failure)].concat().join("; ");
    let body = AgentErrorResponse {
        total_records: 0,
        result: Vec::<Value>::new(),
        response_code: i64::from(status.as_u16()),
        status: text.to_owned(),
        error,
    };
    json_response(status, &body)
}

fn json_response(status: StatusCode, body: &impl Write) -> Response {
    let json = HeaderValue::from_static("application/json");
    (status, [(header::CONTENT_TYPE, json)], json::to_vec(body)).into_response()
}

/// A sentence for people.
fn message(failure: &Failure) -> String {
    match failure.message() {
        "" if !failure.violations().is_empty() => "The request is not valid".to_owned(),
        "" => default_message(failure.status()).to_owned(),
        message => {
            let mut letters = message.chars();
            letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
        }
    }
}

fn default_message(status: StatusCode) -> &'static str {
    match status {
        StatusCode::BAD_REQUEST => "The request needs one valid `Host` header",
        StatusCode::UNAUTHORIZED => "A bearer token is needed",
        StatusCode::NOT_FOUND => "There is nothing at this address",
        StatusCode::METHOD_NOT_ALLOWED => "This address does not take that method",
        StatusCode::REQUEST_TIMEOUT => "The body came too slowly",
        StatusCode::NOT_ACCEPTABLE => "The answer comes in none of the media types that are accepted",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "The body has a media type that this operation does not take",
        StatusCode::URI_TOO_LONG => "The address of the request is too long",
        StatusCode::PAYLOAD_TOO_LARGE => "The body is too large",
        StatusCode::SERVICE_UNAVAILABLE => "The service is busy; try again",
        StatusCode::INTERNAL_SERVER_ERROR => "The server failed",
        status => status.canonical_reason().unwrap_or("The request failed"),
    }
}

/// The first violations, as many as the description allows in `SubErrors`.
fn violations(failure: &Failure) -> Vec<String> {
    failure.violations().iter().take(MOST_VIOLATIONS).map(ToString::to_string).collect()
}

/// Whether `Accept` names `application/problem+json` with a quality above 0.
fn prefers_problem(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(header::ACCEPT).iter().filter_map(|accept| accept.to_str().ok());
    lines.flat_map(|accept| accept.split(',')).any(|range| {
        let mut pieces = range.split(';').map(str::trim);
        let is_problem = pieces.next().is_some_and(|name| name.eq_ignore_ascii_case("application/problem+json"));
        let is_zero = |(name, value): (&str, &str)| {
            name.trim().eq_ignore_ascii_case("q") && value.trim().parse::<f32>().is_ok_and(|quality| quality <= 0.0)
        };
        is_problem && !pieces.filter_map(|parameter| parameter.split_once('=')).any(is_zero)
    })
}
