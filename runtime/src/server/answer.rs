//! A response of an operation, ready to be sent.

use std::fmt::Display;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{HeaderName, HeaderValue, SET_COOKIE};

use super::Failure;
use crate::parameter::{Raw, Style, ToParameter};

/// A response with its status, headers and body.
#[derive(Debug)]
pub struct Answer {
    response: Response,
    /// Why it cannot be sent.
    problem: Option<String>,
}

impl Answer {
    /// A response without a body.
    pub fn empty(status: StatusCode) -> Self {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = status;
        response.into()
    }

    /// A response that cannot be sent, because `format` cannot represent its body.
    pub(super) fn unwritable(format: &str, problem: &dyn Display) -> Self {
        Self {
            response: Response::default(),
            problem: Some(format!("the body of the answer has no form in {format}: {problem}")),
        }
    }

    /// The response, or why it cannot be sent.
    pub(super) fn finish(self) -> Result<Response, Failure> {
        match self.problem {
            None => Ok(self.response),
            Some(problem) => Err(Failure::internal(problem).into()),
        }
    }

    /// Sets a header.
    #[must_use]
    pub fn header<T: ToParameter + ?Sized>(self, name: &'static str, value: &T) -> Self {
        self.with(name, Style::SIMPLE, &value.to_parameter())
    }

    /// Sets a header if there is a value.
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

    /// Sets an object header with `explode: true` if there is a value.
    #[must_use]
    pub fn optional_header_exploded<T: ToParameter>(self, name: &'static str, value: Option<&T>) -> Self {
        match value {
            Some(value) => self.header_exploded(name, value),
            None => self,
        }
    }

    fn with(mut self, name: &'static str, style: Style, value: &Raw<'_>) -> Self {
        let Ok(header) = HeaderName::try_from(name) else { return self };
        let texts = match value {
            // Each cookie needs its own header, because a cookie may contain commas (RFC 6265, section 3).
            Raw::List(cookies) if header == SET_COOKIE => cookies.iter().map(ToString::to_string).collect(),
            value if value.has_text() && style.keeps_header(value) => vec![style.write_header(value)],
            _ => {
                self.problem.get_or_insert(format!("the header `{name}` of the answer would arrive as another value"));
                return self;
            }
        };
        self.response.headers_mut().remove(&header);
        for text in texts {
            // A line break would start another header, so control characters are removed.
            if let Ok(value) = HeaderValue::try_from(text.replace(|character: char| character.is_control(), " ")) {
                self.response.headers_mut().append(&header, value);
            }
        }
        self
    }
}

impl From<Response> for Answer {
    fn from(response: Response) -> Self {
        Self { response, problem: None }
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        self.finish().unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
    }
}
