//! Bodies in XML.

use super::answer::Unreadable;
use super::request_error::RequestProblem;
use super::{Answer, Body, Request};
use crate::json::{Read, Write};
use crate::xml::{self, Root};

impl Request {
    /// Sets an XML body.
    pub fn xml<T: Write + ?Sized>(mut self, root: Root, content_type: &'static str, value: &T) -> Self {
        match xml::try_to_vec(root, value) {
            Ok(bytes) => self.body(content_type, Body::bytes(bytes)),
            Err(unwritable) => {
                self.parts.problem.get_or_insert(RequestProblem::Xml { reason: unwritable.to_string() });
                self
            }
        }
    }
}

impl Answer {
    /// Reads the body as XML.
    pub fn xml<T: Read>(&mut self, root: Root) -> Result<T, Unreadable> {
        xml::from_slice(root, &self.utf8()?).map_err(Unreadable::violated)
    }
}
