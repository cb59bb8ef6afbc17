//! Multipart bodies of requests.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use super::incoming::Received;
use super::{BodyReader, Common, Failure};
use crate::byte_stream;
use crate::multipart::{self, Limits, PartError, Parts, ReadError};
use crate::rule::Rule;

/// A multipart body that a caller sends.
pub type MultipartReader = multipart::MultipartReader<Failure<Common>>;

/// A part of a request, read while it arrives.
pub type FilePart = multipart::FilePart<Failure<Common>>;

impl BodyReader<'_, '_> {
    /// The parts of a body.
    pub fn multipart(self, parts: &'static Parts) -> Option<MultipartReader> {
        let Received::Stream(_, body) = std::mem::replace(&mut self.request.body, Received::Nothing) else {
            return self.missing();
        };
        let limits = Limits { part: self.request.limits.body, parts: self.request.limits.parts };
        match multipart::boundary(body.content_type().unwrap_or_default()) {
            Ok(boundary) => Some(MultipartReader::new(byte_stream::boxed(body), &boundary, parts, limits)),
            Err(_) => self.broken("has no boundary in its `Content-Type`"),
        }
    }

    /// The parts of a body, checked against rules for which of them go together.
    pub fn multipart_checked(self, parts: &'static Parts, rules: &'static [Rule<'static>]) -> Option<MultipartReader> {
        self.multipart(parts).map(|reader| reader.checked(rules))
    }
}

/// Every deviation from the description is refused.
impl PartError for Failure<Common> {
    const IS_STRICT: bool = true;

    fn new(error: ReadError) -> Self {
        match error {
            ReadError::BrokenOff(source) => match source.downcast::<Carried>() {
                Ok(carried) => carried.0,
                Err(source) => Failure::internal(source),
            },
            ReadError::Malformed(_) => Failure::bad_request(error.to_string()),
            ReadError::TooLarge(reason) => Self::of(http::StatusCode::PAYLOAD_TOO_LARGE, reason),
            ReadError::Invalid(violations) => Failure::invalid(violations),
            // The service still holds a part while it asks for the next one.
            ReadError::PartHeld => Failure::internal(error),
        }
    }
}

/// A failure of a stream as an error, such as one that is passed on by [`Download::stream`](super::Download::stream).
impl From<Failure<Common>> for Box<dyn Error + Send + Sync> {
    fn from(failure: Failure<Common>) -> Self {
        Box::new(Carried(failure))
    }
}

/// A failure on its way through a stream of bytes.
#[derive(Debug)]
struct Carried(Failure<Common>);

impl Display for Carried {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.message())
    }
}

impl Error for Carried {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source().map(|source| source as &(dyn Error + 'static))
    }
}
