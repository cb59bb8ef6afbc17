//! Checks responses by the description, for development and tests.

use std::fmt::{self, Debug, Formatter};
use std::ptr;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

use axum::body::{Body, to_bytes};
use axum::response::Response;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::response::Parts;
use http::{HeaderMap, StatusCode};
use specwright_exchange::{Document, Operation as Described, Place, Values, Violation, is_checked};

use super::Operation;
use crate::json::{self, Write, Writer};

/// The stack for a check: schemas refer to each other, and values are nested.
const STACK: usize = 16 << 20;

/// A description by which responses are checked.
pub(super) struct ResponseChecker {
    operations: &'static [Described],
    values: Mutex<Values<'static>>,
}

impl ResponseChecker {
    /// The checker of a description, which is read once and kept until the program ends.
    pub(super) fn of(description: &'static str) -> &'static Self {
        static CHECKERS: Mutex<Vec<(&'static str, &'static ResponseChecker)>> = Mutex::new(Vec::new());
        let mut checkers = CHECKERS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, checker)) = checkers.iter().find(|(known, _)| ptr::eq(*known, description)) {
            return checker;
        }
        // Without operations, every response is refused.
        let document = Document::of(serde_json::from_str(description).unwrap_or_default());
        let operations = document.operations().leak();
        let checker = Box::leak(Box::new(Self { operations, values: Mutex::new(Values::new(document.into())) }));
        checkers.push((description, checker));
        checker
    }

    /// The response, or 500 if it breaks the description.
    pub(super) async fn checked(&self, operation: &'static Operation, response: Response) -> Response {
        let (parts, body) = response.into_parts();
        if !is_checked(content_type(&parts.headers)) {
            let broken = self.broken(operation, &parts, None);
            return answer(operation, parts, body, &broken);
        }
        match to_bytes(body, usize::MAX).await {
            Ok(bytes) => {
                let broken = self.broken(operation, &parts, Some(&bytes));
                answer(operation, parts, Body::from(bytes), &broken)
            }
            Err(error) => {
                let broken = violation("body", "syntax", format!("ends early: {error}"));
                answer(operation, parts, Body::empty(), &[broken])
            }
        }
    }

    /// What the response breaks. A test may have stopped the clock, so the thread waits instead of the task.
    fn broken(&self, operation: &'static Operation, parts: &Parts, body: Option<&[u8]>) -> Vec<Violation> {
        let checked = thread::scope(|scope| {
            let check = || self.violations(operation, parts, body);
            Builder::new().stack_size(STACK).spawn_scoped(scope, check).ok()?.join().ok()
        });
        checked.unwrap_or_else(|| vec![violation("body", "unchecked", "cannot be checked".to_owned())])
    }

    fn violations(&self, operation: &'static Operation, parts: &Parts, body: Option<&[u8]>) -> Vec<Violation> {
        let Some(described) = self.described(operation) else {
            let detail = format!("belongs to `{}`, which the description does not have", operation.id);
            return vec![violation("body", "operation", detail)];
        };
        let status = parts.status.as_u16();
        // The runtime and layers fail with statuses that few descriptions have.
        if described.response(status).is_none() && !described.responses.is_empty() && status < 400 {
            return vec![violation("status", "responses", format!("is {status}, which is not described"))];
        }
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let mut broken = values.check_headers(described, status, &parts.headers);
        // Headers such as `Content-Length` are added when the response is sent.
        broken.retain(|header| !header.name.as_deref().is_some_and(|name| Place::answer_header("", name).is_of_http()));
        if let Some(body) = body {
            broken.extend(values.check_response_body(described, status, content_type(&parts.headers), body));
        }
        broken
    }

    /// The operation as the description has it.
    fn described(&self, operation: &Operation) -> Option<&'static Described> {
        let is_there = |found: &&Described| found.method == operation.method && found.has_template(operation.path);
        let named = self.operations.iter().find(|found| found.id == operation.id);
        // One path may be the end of another one.
        named.or_else(|| self.operations.iter().filter(is_there).max_by_key(|found| found.path.len()))
    }
}

impl Debug for ResponseChecker {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let operations: Vec<_> = self.operations.iter().map(|operation| &operation.id).collect();
        formatter.debug_struct("ResponseChecker").field("operations", &operations).finish_non_exhaustive()
    }
}

fn violation(part: &'static str, rule: &str, detail: String) -> Violation {
    Violation { part, name: None, pointer: String::new(), rule: rule.to_owned(), detail, is_absent: false }
}

fn content_type(headers: &HeaderMap) -> &str {
    headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// The response, or what it breaks: logged, and as a problem document.
fn answer(operation: &Operation, parts: Parts, body: Body, broken: &[Violation]) -> Response {
    if broken.is_empty() {
        return Response::from_parts(parts, body);
    }
    for Violation { part, name, pointer, rule, detail, .. } in broken {
        let (operation, status) = (operation.id, parts.status.as_u16());
        tracing::error!(operation, status, part, name, pointer, rule, detail, "the response breaks the description");
    }
    let problem = Problem { operation: operation.id, status: parts.status, broken };
    let mut response = Response::new(Body::from(json::to_vec(&problem)));
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    response
}

/// A response that breaks the description, as a problem document.
struct Problem<'a> {
    operation: &'static str,
    status: StatusCode,
    broken: &'a [Violation],
}

impl Write for Problem<'_> {
    fn write(&self, json: &mut Writer) {
        let Self { operation, status, broken } = self;
        let detail = format!("The response {} of `{operation}` breaks the description", status.as_u16());
        json.begin_object();
        json.required("type", "about:blank");
        json.required("title", "Internal Server Error");
        json.required("status", &StatusCode::INTERNAL_SERVER_ERROR.as_u16());
        json.required("detail", detail.as_str());
        json.required("errors", &broken.iter().map(Broken).collect::<Vec<_>>());
        json.end_object();
    }
}

struct Broken<'a>(&'a Violation);

impl Write for Broken<'_> {
    fn write(&self, json: &mut Writer) {
        let Violation { part, name, pointer, rule, detail, .. } = self.0;
        json.begin_object();
        json.required("in", *part);
        if let Some(name) = name {
            json.required("name", name.as_str());
        }
        if name.is_none() || !pointer.is_empty() {
            json.required("pointer", pointer.as_str());
        }
        json.required("code", rule.as_str());
        json.required("detail", detail.as_str());
        json.end_object();
    }
}
