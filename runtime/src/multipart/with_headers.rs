//! A part of a multipart body with headers of its own.

use http::HeaderMap;

/// The value of a part, and the headers of the part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WithHeaders<T> {
    /// The value.
    pub value: T,
    /// The headers, without `Content-Disposition` and `Content-Type` when it is sent.
    pub headers: HeaderMap,
}

impl<T> From<T> for WithHeaders<T> {
    fn from(value: T) -> Self {
        Self { value, headers: HeaderMap::new() }
    }
}
