//! What an exchange does not keep of the description.

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use axum::http::request::Parts;
use serde_json::json;
use specwright_exchange::{Operation, Received, Values};

use crate::command::exchange::route;
use crate::command::prove::{Answer, answered, of_request};
use crate::command::{Format, output};

/// Checks exchanges and prints them.
pub(super) struct Recorder {
    operations: &'static [Operation],
    base_path: String,
    values: Mutex<Values<'static>>,
    format: Format,
}

/// A request that is not answered yet.
pub(super) struct Pending {
    method: String,
    url: String,
    operation: Option<&'static Operation>,
    problems: Vec<String>,
}

impl Recorder {
    pub(super) fn new(
        operations: &'static [Operation],
        base_path: String,
        values: Values<'static>,
        format: Format,
    ) -> Self {
        Self { operations, base_path, values: Mutex::new(values), format }
    }

    /// Checks a request.
    pub(super) fn request(&self, parts: &Parts, body: &[u8]) -> Pending {
        let pending = |operation, problems| Pending {
            method: parts.method.to_string(),
            url: parts.uri.to_string(),
            operation,
            problems,
        };
        let Some((path, found)) = route::at(self.operations, &self.base_path, parts.uri.path()) else {
            return pending(None, vec!["the description has no such path".to_owned()]);
        };
        let received = Received { path, query: parts.uri.query(), headers: &parts.headers, body };
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let found = route::called(found, parts.method.as_str(), parts.uri.query());
        let Some((operation, violations)) = route::kept(found, |found| values.check_request(found, &received)) else {
            return pending(None, vec!["the description has no such method of the path".to_owned()]);
        };
        let mut problems: Vec<_> = violations.iter().map(of_request).collect();
        if !operation.is_authorized(&received) {
            problems.push("credentials are missing".to_owned());
        }
        pending(Some(operation), problems)
    }

    /// Checks the response, and prints the exchange.
    pub(super) fn answer(&self, pending: &Pending, answer: &Answer) {
        let mut problems = Vec::new();
        if let Some(operation) = pending.operation {
            let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
            problems.extend(answered(&mut values, operation, answer));
        }
        self.print(pending, Some(answer.status), &problems);
    }

    /// Prints an exchange without a response.
    pub(super) fn no_answer(&self, pending: &Pending, error: &reqwest::Error) {
        self.print(pending, None, &[format!("the service did not answer: {error}")]);
    }

    fn print(&self, pending: &Pending, status: Option<u16>, of_response: &[String]) {
        let Pending { method, url, operation, problems } = pending;
        let operation = operation.map(|operation| operation.id.as_str());
        let text = match self.format {
            Format::Human => {
                let status = status.map_or_else(|| "-".to_owned(), |status| status.to_string());
                let mut text = format!("{method} {url} {status} {}\n", operation.unwrap_or("-"));
                for (part, problems) in [("request", problems.as_slice()), ("response", of_response)] {
                    for problem in problems {
                        let _ = writeln!(text, "  {part}: {problem}");
                    }
                }
                text
            }
            Format::Json => {
                let exchange = json!({
                    "method": method, "url": url, "status": status, "operationId": operation,
                    "request": problems, "response": of_response,
                });
                format!("{exchange}\n")
            }
        };
        // Exchanges go on without their report.
        drop(output::print(&text));
    }
}
