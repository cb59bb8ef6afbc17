//! An answer of an operation, ready to be sent.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{HeaderName, HeaderValue};

use crate::runtime::parameter::{Raw, Style, ToParameter};

/// An answer with its status, its headers and its body.
#[derive(Debug)]
pub struct Answer {
    response: Response,
}

impl Answer {
    /// An answer without a body.
    pub fn empty(status: StatusCode) -> Self {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = status;
        Self { response }
    }

    /// Sets a header.
    #[must_use]
    pub fn header<T: ToParameter + ?Sized>(self, name: &'static str, value: &T) -> Self {
        self.with(name, Style::SIMPLE, &value.to_parameter())
    }

    /// Sets a header, if there is something to say.
    #[must_use]
    pub fn optional_header<T: ToParameter>(self, name: &'static str, value: Option<&T>) -> Self {
        match value {
            Some(value) => self.header(name, value),
            None => self,
        }
    }

    /// Sets a header to an object with `explode: true`.
    #[must_use]
    pub fn header_exploded<T: ToParameter + ?Sized>(self, name: &'static str, value: &T) -> Self {
        self.with(name, Style::SIMPLE.explode(true), &value.to_parameter())
    }

    /// The same, if there is something to say.
    #[must_use]
    pub fn optional_header_exploded<T: ToParameter>(self, name: &'static str, value: Option<&T>) -> Self {
        match value {
            Some(value) => self.header_exploded(name, value),
            None => self,
        }
    }

    fn with(mut self, name: &'static str, style: Style, value: &Raw<'_>) -> Self {
        // A line break would start another header, so control characters do not get there.
        let text = style.write_header(value).replace(|character: char| character.is_control(), " ");
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(text)) {
            self.response.headers_mut().insert(name, value);
        }
        self
    }
}

impl From<Response> for Answer {
    fn from(response: Response) -> Self {
        Self { response }
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        self.response
    }
}
