//! Responses that are streamed.

use std::fmt::Display;
use std::ops::RangeInclusive;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_core::TryStream;
use http::StatusCode;
use http::header::{CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

/// A body of bytes, sent as it is produced.
#[derive(Debug)]
pub struct Download {
    body: Body,
    status: Option<StatusCode>,
    headers: HeaderMap,
}

impl Download {
    /// Bytes in memory.
    pub fn bytes(bytes: impl Into<Bytes>) -> Self {
        Self { body: Body::from(bytes.into()), status: None, headers: HeaderMap::new() }
    }

    /// A stream of chunks; set [`content_length`](Self::content_length) if it is known.
    pub fn stream<S>(stream: S) -> Self
    where
        S: TryStream + Send + 'static,
        S::Ok: Into<Bytes>,
        S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        Self { body: Body::from_stream(stream), status: None, headers: HeaderMap::new() }
    }

    /// No bytes, with a status that explains it: `304 Not Modified`, `416 Range Not Satisfiable`.
    pub fn empty(status: StatusCode) -> Self {
        Self { body: Body::empty(), status: Some(status), headers: HeaderMap::new() }
    }

    /// Sets the media type; by default, the one that the description declares.
    #[must_use]
    pub fn content_type(self, content_type: impl Display) -> Self {
        self.header(CONTENT_TYPE, content_type)
    }

    /// Sets the number of bytes.
    #[must_use]
    pub fn content_length(self, length: u64) -> Self {
        self.header(CONTENT_LENGTH, length)
    }

    /// Marks the bytes as `range` out of `total`: `206 Partial Content`.
    #[must_use]
    pub fn partial(mut self, range: &RangeInclusive<u64>, total: u64) -> Self {
        self.status = Some(StatusCode::PARTIAL_CONTENT);
        self.header(CONTENT_RANGE, format_args!("bytes {}-{}/{total}", range.start(), range.end()))
    }

    /// Adds a header; an invalid value is left out.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: impl Display) -> Self {
        if let Ok(value) = HeaderValue::try_from(value.to_string()) {
            self.headers.insert(name, value);
        }
        self
    }

    /// The response with the declared status, unless another one is set.
    pub(super) fn into_response(self, status: StatusCode, media_type: Option<HeaderValue>) -> Response {
        let mut response = Response::new(self.body);
        *response.status_mut() = self.status.unwrap_or(status);
        *response.headers_mut() = self.headers;
        if let Some(media_type) = media_type {
            response.headers_mut().entry(CONTENT_TYPE).or_insert(media_type);
        }
        response
    }
}
