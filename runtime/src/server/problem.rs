//! The default rendering of failures: `application/problem+json` (RFC 9457).

use axum::body::Body;
use axum::response::Response;
use http::header::{CONTENT_TYPE, HeaderValue};

use super::Failure;
use crate::json::{self, Write, Writer};
use crate::violation::Violation;

/// Renders the status, its title, the message, and every violation with its location. The type is
/// `about:blank`, so the title is the reason phrase of the status.
pub fn problem(failure: &Failure) -> Response {
    let status = failure.status();
    let mut response = Response::new(Body::from(json::to_vec(&Problem(failure))));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    response
}

struct Problem<'a>(&'a Failure);

impl Write for Problem<'_> {
    fn write(&self, json: &mut Writer) {
        let Self(failure) = self;
        let status = failure.status();
        json.begin_object();
        json.required("type", "about:blank");
        json.required("title", status.canonical_reason().unwrap_or("The request failed"));
        json.required("status", &status.as_u16());
        match failure.message() {
            "" if failure.violations().is_empty() => {}
            "" => json.required("detail", "The request is not valid"),
            message => json.required("detail", message),
        }
        if !failure.violations().is_empty() {
            json.required("errors", failure.violations());
        }
        json.end_object();
    }
}

impl Write for Violation {
    fn write(&self, json: &mut Writer) {
        json.begin_object();
        json.required("in", self.location.part());
        if let Some(name) = self.location.name() {
            json.required("name", name);
        }
        if self.location.name().is_none() || !self.pointer.is_empty() {
            json.required("pointer", self.pointer.as_str());
        }
        json.required("code", self.code);
        json.required("detail", self.detail.as_str());
        json.end_object();
    }
}
