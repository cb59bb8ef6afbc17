//! Bodies in XML.

use http::StatusCode;

use super::incoming::Received;
use super::{Answer, BodyReader, Reply};
use crate::json::{Read, Reader, Write};
use crate::rule::{Check, Rule, read_checked};
use crate::xml::{self, Root};

impl BodyReader<'_, '_> {
    /// XML.
    pub fn xml<T: Read>(self, root: Root) -> Option<T> {
        self.xml_with(root, T::read)
    }

    /// XML, checked against rules.
    pub fn xml_checked<T: Read + Check>(self, root: Root, rules: &[Rule<'_>]) -> Option<T> {
        self.xml_with(root, |json| read_checked(json, rules))
    }

    fn xml_with<T>(self, root: Root, read: impl FnOnce(&mut Reader<'_>) -> Option<T>) -> Option<T> {
        let Received::Bytes(_, bytes) = &self.request.body else { return self.missing() };
        let read = xml::read_strict(root, bytes, read);
        self.note(read)
    }
}

impl Reply {
    /// A value as XML.
    pub fn xml<T: Write + ?Sized>(self, root: Root, status: StatusCode, value: &T) -> Answer {
        match xml::try_to_vec(root, value) {
            Ok(xml) => self.send(status, "application/xml", xml.into()),
            Err(unwritable) => Answer::unwritable("XML", &unwritable),
        }
    }
}
