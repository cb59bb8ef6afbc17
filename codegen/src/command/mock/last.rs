//! The last requests, with their violations.

mod page;

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};
use specwright_exchange::Violation;

use super::problem;

/// Where the requests are listed.
const PATH: &str = "/__mock";

/// The number of requests that are kept.
const KEPT: usize = 100;

/// A request that was answered.
struct Answered {
    method: String,
    url: String,
    status: u16,
    violations: Vec<Violation>,
}

/// The last requests, the newest first.
#[derive(Default)]
pub(super) struct Last {
    requests: Mutex<VecDeque<Answered>>,
}

impl Last {
    /// Adds a request and forgets the oldest.
    pub(super) fn add(&self, method: &str, url: &str, status: u16, violations: Vec<Violation>) {
        let request = Answered { method: method.to_owned(), url: url.to_owned(), status, violations };
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.push_front(request);
        requests.truncate(KEPT);
    }

    /// The list, if the path is a reserved one: a page for browsers, JSON for others.
    pub(super) fn at(&self, path: &str, headers: &HeaderMap) -> Option<Response> {
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let accepts = |value: &axum::http::HeaderValue| value.to_str().is_ok_and(|value| value.contains("text/html"));
        match path.strip_prefix(PATH)? {
            "" if headers.get_all(ACCEPT).iter().any(accepts) => Some(page::page(&requests)),
            "" => Some(json(&requests)),
            page::STYLE => Some(page::style()),
            _ => None,
        }
    }
}

fn json(requests: &VecDeque<Answered>) -> Response {
    let requests = requests.iter().map(|Answered { method, url, status, violations }| {
        let violations: Value = violations.iter().map(problem::error).collect();
        json!({ "method": method, "url": url, "status": status, "violations": violations })
    });
    let list = json!({ "requests": requests.collect::<Value>() });
    ([(CONTENT_TYPE, "application/json")], format!("{list:#}\n")).into_response()
}
