//! A span of tracing for each call, with the names of OpenTelemetry. It has no query values, headers or bodies.

use tracing::field::Empty;
use tracing::{Instrument, Span};

use super::Operation;
use super::answer::Answer;
use super::error::Unanswered;

/// The span of a call.
pub(super) fn span(operation: &'static Operation) -> Span {
    tracing::info_span!(
        "call",
        "otel.name" = %operation,
        "otel.kind" = "client",
        "operation.id" = operation.id,
        "http.request.method" = operation.method,
        "url.template" = operation.path,
        "http.response.status_code" = Empty,
        "http.request.resend_count" = Empty,
        "error.type" = Empty,
        "otel.status_code" = Empty,
    )
}

/// Sends a call within its span.
pub(super) async fn within(
    span: Span,
    sending: impl Future<Output = Result<Answer, Unanswered>>,
) -> Result<Answer, Unanswered> {
    let answer = sending.instrument(span.clone()).await;
    match &answer {
        Ok(answer) => record(&span, answer),
        Err(Unanswered::Unreadable(answer, _)) => {
            record(&span, answer);
            fail(&span, "response");
        }
        Err(Unanswered::Transport(error)) => {
            span.record("http.request.resend_count", error.attempts.saturating_sub(1));
            fail(&span, if error.is_timeout() { "timeout" } else { "transport" });
        }
        Err(Unanswered::Request(_)) => fail(&span, "request"),
    }
    answer
}

fn record(span: &Span, answer: &Answer) {
    let status = answer.status;
    span.record("http.response.status_code", status.as_u16());
    span.record("http.request.resend_count", answer.repetitions);
    if status.is_client_error() || status.is_server_error() {
        fail(span, status.as_str());
    }
}

fn fail(span: &Span, kind: &str) {
    span.record("error.type", kind);
    span.record("otel.status_code", "ERROR");
}
