//! Multipart bodies of responses.

use super::answer::{Answer, Unreadable};
use crate::byte_stream;
use crate::multipart::{self, Limits, Parts, ReadError};

/// A multipart body that a server sends.
pub type MultipartReader = multipart::MultipartReader<ReadError>;

/// A part of a response, read while it arrives.
pub type FilePart = multipart::FilePart<ReadError>;

impl Answer {
    /// Returns the body as parts that are read while they arrive.
    pub fn multipart(&mut self, parts: &'static Parts) -> Result<MultipartReader, Unreadable> {
        let body = self.download()?;
        let boundary = multipart::boundary(body.content_type().unwrap_or_default());
        let boundary = boundary.map_err(|_| Unreadable::new("its `Content-Type` has no boundary"))?;
        let limits = Limits { part: self.limit(), parts: usize::MAX };
        Ok(MultipartReader::new(byte_stream::boxed(body), &boundary, parts, limits))
    }
}
