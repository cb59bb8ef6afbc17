//! Successful answers, in the media type that the caller prefers.

use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderValue};

use super::options::KEEP_ALIVE;
use super::{Answer, Download};
use crate::json::{self, Write};
use crate::parameter::{Style, ToParameter, write_form, write_form_with};

/// How the answer will be sent: decided by `Accept` before the operation is asked.
#[derive(Clone, Copy, Debug)]
pub struct Reply {
    media_type: &'static str,
    keep_alive: Duration,
}

impl Reply {
    /// An answer in this media type, whatever the caller prefers.
    pub fn of(media_type: &'static str) -> Self {
        Self { media_type, keep_alive: KEEP_ALIVE }
    }

    /// For one of several contents: keeps to its media types, the first of them if the caller prefers none.
    #[must_use]
    pub fn within(self, media_types: &'static [&'static str]) -> Self {
        match media_types.first() {
            Some(first) if !media_types.contains(&self.media_type) => Self { media_type: first, ..self },
            _ => self,
        }
    }

    /// The media type; empty, or a range, when the description leaves it open.
    pub fn media_type(&self) -> &'static str {
        self.media_type
    }

    /// After how long without an event a stream of events sends a comment.
    pub fn keep_alive(&self) -> Duration {
        self.keep_alive
    }

    pub(super) fn with_keep_alive(self, keep_alive: Duration) -> Self {
        Self { keep_alive, ..self }
    }

    /// A value as JSON.
    pub fn json<T: Write + ?Sized>(self, status: StatusCode, value: &T) -> Answer {
        match json::try_to_vec(value) {
            Ok(json) => self.send(status, "application/json", json.into()),
            Err(unwritable) => Answer::unwritable(&unwritable),
        }
    }

    /// Names and values as HTML forms send them.
    pub fn form<T: ToParameter + ?Sized>(self, status: StatusCode, value: &T) -> Answer {
        self.send(status, "application/x-www-form-urlencoded", write_form(value).into())
    }

    /// The same with members whose lists have styles of their own.
    pub fn form_with<T: ToParameter + ?Sized>(self, lists: &[(&str, Style)], status: StatusCode, value: &T) -> Answer {
        self.send(status, "application/x-www-form-urlencoded", write_form_with(value, lists).into())
    }

    /// Text.
    pub fn text(self, status: StatusCode, text: impl Into<Bytes>) -> Answer {
        self.send(status, "text/plain", text.into())
    }

    /// A stream of bytes.
    pub fn download(self, status: StatusCode, download: Download) -> Answer {
        download.into_response(status, content_type(self.media_type, "application/octet-stream")).into()
    }

    fn send(self, status: StatusCode, unless_named: &'static str, body: Bytes) -> Answer {
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status;
        if let Some(content_type) = content_type(self.media_type, unless_named) {
            response.headers_mut().insert(CONTENT_TYPE, content_type);
        }
        response.into()
    }
}

/// A status that has no name of its own.
pub fn status(code: u16) -> StatusCode {
    StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// `Content-Type` for a media type of the description; a range such as `*/*` names none.
fn content_type(media_type: &'static str, unless_named: &'static str) -> Option<HeaderValue> {
    let media_type = if media_type.is_empty() || media_type.contains('*') { unless_named } else { media_type };
    if media_type.starts_with("text/") && !media_type.contains(';') {
        // Without it, text is taken to be ASCII.
        HeaderValue::try_from(format!("{media_type}; charset=utf-8")).ok()
    } else {
        HeaderValue::from_maybe_shared(Bytes::from_static(media_type.as_bytes())).ok()
    }
}
