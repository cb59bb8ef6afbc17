//! Successful responses, in the media type that the caller prefers.

use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderValue};

use super::{Answer, Download};
use crate::json::{self, Write};
use crate::parameter::{FormStyle, ToParameter, write_form, write_form_with};

/// Default interval of comments in an idle stream of events.
pub(super) const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// How the response will be sent; `Accept` decides before the operation runs.
#[derive(Clone, Copy, Debug)]
pub struct Reply {
    media_type: &'static str,
    keep_alive: Duration,
}

impl Reply {
    /// A response in this media type, whatever the caller prefers.
    pub fn of(media_type: &'static str) -> Self {
        Self { media_type, keep_alive: KEEP_ALIVE }
    }

    /// Restricts it to the media types of one of several contents; the first one if the caller prefers none.
    #[must_use]
    pub fn within(self, media_types: &'static [&'static str]) -> Self {
        match media_types.first() {
            Some(first) if !media_types.contains(&self.media_type) => Self { media_type: first, ..self },
            _ => self,
        }
    }

    /// The media type; empty, or a range, if the description leaves it open.
    pub fn media_type(&self) -> &'static str {
        self.media_type
    }

    /// The interval of comments in an idle stream of events.
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
            Err(unwritable) => Answer::unwritable("JSON", &unwritable),
        }
    }

    /// A form.
    pub fn form<T: ToParameter + ?Sized>(self, status: StatusCode, value: &T) -> Answer {
        self.send(status, "application/x-www-form-urlencoded", write_form(value).into())
    }

    /// A form with styles for some members.
    pub fn form_with<T: ToParameter + ?Sized>(
        self,
        styles: &[(&str, FormStyle)],
        status: StatusCode,
        value: &T,
    ) -> Answer {
        self.send(status, "application/x-www-form-urlencoded", write_form_with(value, styles).into())
    }

    /// Text.
    pub fn text(self, status: StatusCode, text: impl Into<Bytes>) -> Answer {
        self.send(status, "text/plain", text.into())
    }

    /// A stream of bytes.
    pub fn download(self, status: StatusCode, download: Download) -> Answer {
        download.into_response(status, content_type(self.media_type, "application/octet-stream")).into()
    }

    pub(super) fn send(self, status: StatusCode, unless_named: &'static str, body: Bytes) -> Answer {
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status;
        if let Some(content_type) = content_type(self.media_type, unless_named) {
            response.headers_mut().insert(CONTENT_TYPE, content_type);
        }
        response.into()
    }
}

/// A status by its number.
pub fn status(code: u16) -> StatusCode {
    StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// The media type, or the fallback if it is none or a range such as `*/*`.
pub(super) fn named(media_type: &'static str, unless_named: &'static str) -> &'static str {
    if media_type.is_empty() || media_type.contains('*') { unless_named } else { media_type }
}

/// `Content-Type` for a media type of the description; for a range such as `*/*`, the fallback.
fn content_type(media_type: &'static str, unless_named: &'static str) -> Option<HeaderValue> {
    let media_type = named(media_type, unless_named);
    if media_type.starts_with("text/") && !media_type.contains(';') {
        // Without a charset, text counts as ASCII.
        HeaderValue::try_from(format!("{media_type}; charset=utf-8")).ok()
    } else {
        HeaderValue::from_maybe_shared(Bytes::from_static(media_type.as_bytes())).ok()
    }
}
