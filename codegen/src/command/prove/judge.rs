//! Whether an answer keeps the description.

use specwright_exchange::{Break, Credential, Operation, Values, Violation, covers, essence};

use super::client::Answer;
use super::finding::Kind;

/// The media type in which any failure may be told.
const PROBLEM: &str = "application/problem+json";

/// Something that an answer does not keep.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) kind: Kind,
    /// Distinguishes it from others of the kind.
    pub(super) key: String,
    pub(super) detail: String,
}

impl Found {
    pub(super) fn new(kind: Kind, key: &str, detail: String) -> Self {
        Self { kind, key: key.to_owned(), detail }
    }
}

/// The credentials of each alternative of an operation.
fn credentials(operation: &Operation) -> String {
    let one = |credential: &Credential| match credential {
        Credential::Authorization(scheme) => format!("`Authorization: {scheme}`"),
        Credential::Header(name) => format!("the header `{name}`"),
        Credential::Query(name) => format!("`{name}` in the query"),
        Credential::Cookie(name) => format!("the cookie `{name}`"),
        Credential::Other => "a certificate".to_owned(),
    };
    let all = |all: &Vec<Credential>| all.iter().map(one).collect::<Vec<_>>().join(" and ");
    operation.security.iter().filter(|all| !all.is_empty()).map(all).collect::<Vec<_>>().join(", or ")
}

/// Judges the answer to a valid request.
pub(super) fn valid(
    values: &mut Values<'static>,
    operation: &'static Operation,
    answer: &Answer,
    has_credentials: bool,
) -> Vec<Found> {
    let status = answer.status;
    let key = status.to_string();
    match status {
        501 if !is_declared_outage(operation, status) && !values.has_answer(operation) => {
            let detail = "answers 501: the description contradicts itself, so that no response is valid";
            return vec![Found::new(Kind::Contradiction, &key, detail.to_owned())];
        }
        500..=599 if !is_declared_outage(operation, status) => {
            return vec![Found::new(Kind::ServerError, &key, format!("answers {status} to a valid request"))];
        }
        // They belong to the caller, not to the operation.
        401 | 403 if operation.security.iter().any(|all| !all.is_empty()) => {
            let start = if has_credentials { "the credentials do not suffice, " } else { "" };
            let detail = format!("answers {status}: {start}it requires {}", credentials(operation));
            return vec![Found::new(Kind::NotCalled, &key, detail)];
        }
        429 => return vec![Found::new(Kind::NotCalled, &key, "answers 429: too many requests".to_owned())],
        400 | 406 | 415 | 422 => {
            let mut found = described(values, operation, answer);
            found.push(Found::new(Kind::Refused, &key, format!("answers {status} to a valid request{}", said(answer))));
            return found;
        }
        _ => {}
    }
    declared(values, operation, answer)
}

/// What any answer does not keep, each in a sentence.
pub(crate) fn answered(values: &mut Values<'static>, operation: &'static Operation, answer: &Answer) -> Vec<String> {
    declared(values, operation, answer).into_iter().map(|found| found.detail).collect()
}

/// What a request does not keep, in a sentence.
pub(crate) fn of_request(violation: &Violation) -> String {
    format!("{}: {} (`{}`)", place(violation), violation.detail, violation.rule)
}

/// What the status, the media type, the body and the headers do not keep.
fn declared(values: &mut Values<'static>, operation: &'static Operation, answer: &Answer) -> Vec<Found> {
    let status = answer.status;
    if operation.response(status).is_none() && operation.has_final_response() {
        let detail = format!("answers {status}, which is not described");
        return vec![Found::new(Kind::UndeclaredStatus, &status.to_string(), detail)];
    }
    described(values, operation, answer)
}

/// Judges the answer to a request that breaks a rule.
pub(super) fn broken(
    values: &mut Values<'static>,
    operation: &'static Operation,
    broken: &Break,
    answer: &Answer,
) -> Vec<Found> {
    let Break { violation, how, .. } = broken;
    let status = answer.status;
    let what = format!("{}: `{}` broken by {how}", place(violation), violation.rule);
    match status {
        200..=299 => {
            let detail = format!("answers {status} to a request that breaks a rule: {what}");
            vec![Found::new(Kind::Accepted, &format!("{} {}", place(violation), violation.rule), detail)]
        }
        500..=599 if !is_declared_outage(operation, status) => {
            let detail = format!("answers {status} to a request that breaks a rule: {what}");
            vec![Found::new(Kind::ServerError, &format!("{} {}", place(violation), violation.rule), detail)]
        }
        // Few descriptions have the statuses of refusals.
        _ => described(values, operation, answer),
    }
}

/// What the media type, the body and the headers do not keep of a response that is described.
fn described(values: &mut Values<'static>, operation: &'static Operation, answer: &Answer) -> Vec<Found> {
    let status = answer.status;
    let Some(response) = operation.response(status) else { return Vec::new() };
    let content_type = answer.headers.get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut found = Vec::new();
    let has_no_body = operation.method == "HEAD" || matches!(status, 204 | 205 | 304);
    let is_problem = status >= 400 && essence(content_type) == PROBLEM;
    let is_covered = response.media_types.iter().any(|range| covers(range, content_type));
    if has_no_body {
        // HTTP has none.
    } else if response.media_types.is_empty() {
        // OpenAPI leaves open whether there is a body, so it is not a finding.
        if !answer.body.is_empty() && !is_problem {
            let detail = format!("answers {status} with a body (`{}`); none is described", essence(content_type));
            found.push(Found::new(Kind::UndescribedBody, &format!("{status} {}", essence(content_type)), detail));
        }
    } else if answer.body.is_empty() && content_type.is_empty() {
        let detail = format!("answers {status} without a body; described: {}", response.media_types.join(", "));
        found.push(Found::new(Kind::ResponseBody, &format!("{status} without a body"), detail));
    } else if is_covered {
        // A body that was cut off is not judged, unless it is a stream of items.
        if !answer.is_cut {
            let violations = values.check_response_body(operation, status, content_type, &answer.body);
            let is_advice =
                |violation: &Violation| violation.rule == "writeOnly" && !values.document().forbids_write_only();
            let kind = |violation: &Violation| if is_advice(violation) { Kind::WriteOnly } else { Kind::ResponseBody };
            found.extend(violations.iter().map(|violation| of_violation(kind(violation), status, violation)));
        }
    } else if !is_problem {
        let was = if content_type.is_empty() { "no media type".to_owned() } else { format!("`{content_type}`") };
        let detail = format!("answers {status} with {was}; described: {}", response.media_types.join(", "));
        found.push(Found::new(Kind::UndeclaredMediaType, &format!("{status} {}", essence(content_type)), detail));
    }
    if !is_problem || is_covered {
        let violations = values.check_headers(operation, status, &answer.headers);
        found.extend(violations.iter().map(|violation| of_violation(Kind::ResponseHeader, status, violation)));
    }
    found
}

fn of_violation(kind: Kind, status: u16, violation: &Violation) -> Found {
    let Violation { rule, detail, .. } = violation;
    let place = place(violation);
    Found::new(kind, &format!("{status} {place} {rule}"), format!("{status}, {place}: {detail} (`{rule}`)"))
}

/// Where the violation is.
fn place(violation: &Violation) -> String {
    let Violation { part, name, pointer, .. } = violation;
    let steps = pointer.split('/').map(|step| if step.parse::<usize>().is_ok() { "0" } else { step });
    let pointer = steps.collect::<Vec<_>>().join("/");
    match (name, pointer.as_str()) {
        (Some(name), "") => format!("{part} `{name}`"),
        (Some(name), pointer) => format!("{part} `{name}` {pointer}"),
        (None, "") => (*part).to_owned(),
        (None, pointer) => format!("{part} {pointer}"),
    }
}

/// What the service says about a refusal, in one line.
fn said(answer: &Answer) -> String {
    let text = String::from_utf8_lossy(&answer.body);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() { String::new() } else { format!(": {}", &line[..line.floor_char_boundary(200)]) }
}

/// Whether the description says that the operation may be missing or down.
fn is_declared_outage(operation: &Operation, status: u16) -> bool {
    let key = status.to_string();
    matches!(status, 501 | 503) && operation.responses.iter().any(|response| response.key == key)
}
