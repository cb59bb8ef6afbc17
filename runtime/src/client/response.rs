//! Responses, as calls return them.

use std::borrow::Cow;
use std::fmt::{self, Debug, Formatter};

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use reqwest::Url;

/// A response: the value, status and headers.
#[derive(Clone, Debug)]
pub struct Response<T> {
    /// The value of the response.
    pub value: T,
    pub(super) raw: RawResponse,
    pub(super) url: Url,
}

impl<T> Response<T> {
    /// The status.
    pub fn status(&self) -> StatusCode {
        self.raw.status
    }

    /// The headers.
    pub fn headers(&self) -> &HeaderMap {
        &self.raw.headers
    }

    /// The URL that it came from, after redirections.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The body as it was sent; empty if the value is a stream.
    pub fn bytes(&self) -> &Bytes {
        &self.raw.bytes
    }
}

/// A response as it was sent.
#[derive(Clone)]
pub struct RawResponse {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body; empty if it was returned as a stream.
    pub bytes: Bytes,
}

impl RawResponse {
    /// The body as text; invalid UTF-8 is replaced by `U+FFFD`.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// The beginning of the body, for messages.
    pub(super) fn beginning(&self) -> String {
        const MOST: usize = 1000;
        let text = self.text();
        let text = text.trim();
        match text.char_indices().nth(MOST) {
            Some((end, _)) => format!("{}… ({} bytes)", &text[..end], self.bytes.len()),
            None if text.is_empty() => "(no body)".to_owned(),
            None => text.to_owned(),
        }
    }
}

impl Debug for RawResponse {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RawResponse")
            .field("status", &self.status)
            .field("headers", &self.headers)
            .field("bytes", &self.beginning())
            .finish()
    }
}
