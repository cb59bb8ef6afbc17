//! Bodies in XML, as the JSON of the same value.
//!
//! The form of a value follows from the `xml` of its schemas. It is derived here while a document is read or written,
//! not from the table of the generator, so that each finds mistakes of the other.

mod element;
mod form;
mod parts;
mod read;
#[cfg(test)]
mod tests;
mod union;
mod write;

use serde_json::Value;

use crate::document::{Document, Named};
use crate::fault::Fault;
use crate::frames;
use crate::hidden;
use crate::media_type;
use crate::operation::Operation;
use crate::place::{Direction, Place};
use crate::values::Values;

/// What a document says.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Its value.
    pub value: Value,
    /// What it does not keep of its form; rules of the schema are not among it.
    pub faults: Vec<Fault>,
}

/// Whether bodies of the media type are XML.
pub fn is_xml(media_type: &str) -> bool {
    let essence = media_type::essence(media_type);
    essence.ends_with("/xml") || essence.ends_with("+xml")
}

impl Values<'_> {
    /// The value of a request body that is JSON or XML.
    pub fn value_of_request(&self, operation: &Operation, content_type: &str, body: &[u8]) -> Option<Value> {
        let media_type = media_type::best(&operation.body.as_ref()?.media_types, content_type)?;
        let place = self.document().body_place(operation.named(), media_type);
        let mut value = self.value_at(operation, place, body)?;
        if let Some(described) = self.document().describe(operation.named(), place) {
            hidden::remove(self.document(), &described.schema, Direction::Request, &mut value);
        }
        Some(value)
    }

    /// The value of the body of a response that is JSON or XML.
    pub fn value_of_answer(
        &self,
        operation: &Operation,
        status: u16,
        content_type: &str,
        body: &[u8],
    ) -> Option<Value> {
        let response = operation.response(status)?;
        let media_type = media_type::best(&response.media_types, content_type)?;
        self.value_at(operation, self.document().answer_place(operation.named(), &response.key, media_type), body)
    }

    fn value_at(&self, operation: &Operation, place: Place<'_>, body: &[u8]) -> Option<Value> {
        if place.is_xml() {
            let schema = self.document().describe(operation.named(), place)?.schema;
            return Some(self.document().from_xml(&schema, body).ok()?.value);
        }
        serde_json::from_slice(body).ok().filter(|_| place.is_json())
    }
}

impl Document {
    /// Whether values of the schema have a form in XML. Otherwise a body is text or bytes.
    pub(crate) fn has_xml(&self, schema: &Value) -> bool {
        form::is_complete(self, schema)
    }

    /// The place of a request body in this media type.
    pub(crate) fn body_place<'a>(&self, operation: Named<'_>, media_type: &'a str) -> Place<'a> {
        if media_type::is_json(media_type) || frames::is_stream(media_type) {
            return Place::json_body(media_type);
        }
        let place = Place::xml_body(media_type);
        if self.is_written_as_xml(operation, place) { place } else { Place::body(media_type) }
    }

    /// The same for a response.
    pub(crate) fn answer_place<'a>(&self, operation: Named<'_>, key: &'a str, media_type: &'a str) -> Place<'a> {
        if media_type::is_json(media_type) || frames::is_stream(media_type) {
            return Place::json_answer(key, media_type);
        }
        let place = Place::xml_answer(key, media_type);
        if self.is_written_as_xml(operation, place) { place } else { Place::answer(key, media_type) }
    }

    fn is_written_as_xml(&self, operation: Named<'_>, place: Place<'_>) -> bool {
        is_xml(place.media_type())
            && self.describe(operation, place).is_some_and(|described| self.has_xml(&described.schema))
    }

    /// The value as a reader sees it: an empty list without an element around it is absent, for instance. `None` if XML
    /// cannot express it.
    pub(crate) fn through_xml(&self, schema: &Value, value: &Value) -> Option<Value> {
        let read = self.from_xml(schema, &self.to_xml(schema, value)?).ok()?;
        read.faults.is_empty().then_some(read.value)
    }

    /// The document of a value with this schema; `None` if XML cannot express it.
    pub fn to_xml(&self, schema: &Value, value: &Value) -> Option<Vec<u8>> {
        write::document(self, schema, value)
    }

    /// The value of a document with this schema, or what its syntax breaks.
    pub fn from_xml(&self, schema: &Value, bytes: &[u8]) -> Result<Reading, Fault> {
        let root = element::parse(bytes)?;
        Ok(read::document(self, schema, &root))
    }
}
