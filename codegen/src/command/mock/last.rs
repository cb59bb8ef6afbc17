//! The last requests, with their violations.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};
use specwright_exchange::Violation;

use super::problem;

/// The number of requests that are kept.
const KEPT: usize = 100;

/// The last requests, the newest first.
#[derive(Default)]
pub(super) struct Last {
    requests: Mutex<VecDeque<Value>>,
}

impl Last {
    /// Adds a request and forgets the oldest.
    pub(super) fn add(&self, method: &str, target: &str, status: u16, violations: &[Violation]) {
        let violations: Value = violations.iter().map(problem::error).collect();
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.push_front(json!({ "method": method, "url": target, "status": status, "violations": violations }));
        requests.truncate(KEPT);
    }

    /// The requests as JSON.
    pub(super) fn page(&self) -> Response {
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let page = json!({ "requests": requests.iter().collect::<Vec<_>>() });
        ([("content-type", "application/json")], format!("{page:#}\n")).into_response()
    }
}
