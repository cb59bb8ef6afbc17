//! Responses of an operation, from its examples or from random values.

use std::sync::Arc;

use fastrand::Rng;
use serde_json::Value;

use crate::document::{Document, Named};
use crate::example;
use crate::frames;
use crate::hidden;
use crate::media_type::{self, FORM};
use crate::multipart;
use crate::operation::{Operation, Response};
use crate::place::{Direction, Place};
use crate::request::form;
use crate::schema::Hidden;
use crate::style::{properties, text};
use crate::values::Values;

/// The number of items of a stream.
const ITEMS: usize = 3;

/// Where the body of a response comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted<'w> {
    /// An example if there is one, else random values.
    Any,
    /// The example of this name in `examples`.
    Example(&'w str),
    /// Random values.
    Random,
}

/// A response as HTTP writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The headers, without those that belong to the connection.
    pub headers: Vec<(String, String)>,
    /// The body; empty if there is none.
    pub body: Vec<u8>,
    /// The value of the body, if it is JSON or XML.
    pub value: Option<Value>,
}

impl<'a> Values<'a> {
    /// Makes the response in one of its media types. `None`: nothing is valid for its schema, or the example does not
    /// exist.
    pub fn answer(
        &mut self,
        operation: &'a Operation,
        response: &'a Response,
        media_type: Option<&'a str>,
        wanted: Wanted<'_>,
        random: &mut Rng,
    ) -> Option<Answer> {
        let named = operation.named();
        let document = Arc::clone(self.document());
        let mut headers = Vec::new();
        for header in &response.headers {
            let place = Place::answer_header(&response.key, &header.name);
            if place.is_of_http() {
                continue;
            }
            let example = document.header_example(named, &response.key, &header.name);
            let value = match example {
                Some(example) if wanted != Wanted::Random => Some(example),
                _ => self.make(named, place, random),
            };
            match value {
                Some(value) => headers.push((header.name.clone(), header.style.line(&value))),
                None if header.required => return None,
                None => {}
            }
        }
        let Some(media_type) = media_type else { return Some(Answer { headers, body: Vec::new(), value: None }) };
        let concrete = media_type::concrete(media_type);
        if media_type::is_multipart(media_type) {
            let place = Place::answer(&response.key, media_type);
            let example = match wanted {
                Wanted::Random => None,
                Wanted::Example(name) => Some(self.example_of_parts(operation, place, Some(name))?),
                Wanted::Any => {
                    let example = self.example_of_parts(operation, place, None);
                    example.filter(|example| self.is_good(named, place, example))
                }
            };
            let parts = self.parts(operation, place, example.as_ref(), random)?;
            headers.insert(0, ("Content-Type".to_owned(), multipart::content_type(&concrete, &parts)));
            return Some(Answer { headers, body: multipart::written(&concrete, &parts), value: None });
        }
        let (body, value) = self.answer_body(operation, response, media_type, wanted, random)?;
        headers.insert(0, ("Content-Type".to_owned(), concrete));
        Some(Answer { headers, body, value })
    }

    /// Whether a successful response can be made. If not, the description contradicts itself.
    pub fn has_answer(&mut self, operation: &'a Operation) -> bool {
        let mut random = Rng::with_seed(0);
        let is_success = |response: &&Response| response.key.starts_with('2') || response.key == "default";
        operation.responses.iter().filter(is_success).any(|response| {
            let contents: Vec<Option<&'a str>> = match response.media_types.as_slice() {
                [] => vec![None],
                media_types => media_types.iter().map(|media_type| Some(media_type.as_str())).collect(),
            };
            let mut contents = contents.into_iter();
            contents.any(|media_type| self.answer(operation, response, media_type, Wanted::Any, &mut random).is_some())
        })
    }

    /// The names of the members that the body of a response may have.
    pub fn members(&self, operation: &Operation, response: &Response, media_type: &str) -> Vec<String> {
        let place = Place::json_answer(&response.key, media_type);
        let described = self.document().describe(operation.named(), place);
        let mut names = Vec::new();
        if let Some(described) = described {
            properties(self.document(), &described.schema, &mut names, 0);
        }
        names
    }

    /// The example of a multipart body, without its write-only members: the one of this name, or any.
    fn example_of_parts(&self, operation: &Operation, place: Place<'_>, name: Option<&str>) -> Option<Value> {
        let (document, named) = (self.document(), operation.named());
        let schema = document.describe(named, place)?.schema;
        let own = document.example(named, place.of, place.media_type(), name);
        let mut example = own.or_else(|| if name.is_none() { example::composed(document, &schema) } else { None })?;
        hidden::remove(document, &schema, Direction::Response, &mut example);
        Some(example)
    }

    fn answer_body(
        &mut self,
        operation: &'a Operation,
        response: &'a Response,
        media_type: &'a str,
        wanted: Wanted<'_>,
        random: &mut Rng,
    ) -> Option<(Vec<u8>, Option<Value>)> {
        let named = operation.named();
        let document = Arc::clone(self.document());
        let place = document.answer_place(named, &response.key, media_type);
        let is_checked = (place.is_json() || place.is_xml()) && !frames::is_stream(media_type);
        let described = document.describe(named, place);
        // An example may be that of a schema for both directions.
        let example = |name| {
            let mut example = document.example(named, &response.key, media_type, name)?;
            if let Some(described) = &described {
                hidden::remove(&document, &described.schema, Direction::Response, &mut example);
            }
            Some(example)
        };
        if let Wanted::Example(name) = wanted {
            return self.written(named, place, &example(Some(name))?);
        }
        if wanted == Wanted::Any
            && let Some(example) = example(None)
            && (!is_checked || self.is_good(named, place, &example))
        {
            return self.written(named, place, &example);
        }
        if frames::is_stream(media_type) {
            let items = (0..ITEMS).map(|_| self.make(named, place, random));
            return Some((frames::written(media_type, &items.collect::<Option<Vec<_>>>()?), None));
        }
        let composed = described.as_ref().and_then(|described| {
            let mut composed = example::composed(&document, &described.schema)?;
            hidden::remove(&document, &described.schema, Direction::Response, &mut composed);
            Some(composed)
        });
        if wanted == Wanted::Any
            && let Some(example) = composed
            && (!is_checked || self.is_good(named, place, &example))
        {
            return self.written(named, place, &example);
        }
        if is_checked || media_type::is_text(media_type) || media_type::essence(media_type) == FORM {
            let value = self.make(named, place, random)?;
            if wanted == Wanted::Any
                && let Some(described) = described.filter(|_| is_checked)
                && let Some(mut filled) = example::filled(&document, &described.schema, &value)
            {
                hidden::remove(&document, &described.schema, Direction::Response, &mut filled);
                if self.is_good(named, place, &filled) {
                    return self.written(named, place, &filled);
                }
            }
            return self.written(named, place, &value);
        }
        Some(((0..random.usize(1..40)).map(|_| random.u8(..)).collect(), None))
    }

    /// The body of a response with this value, without its write-only members; `None` if its media type cannot express it.
    pub fn body_of(
        &self,
        operation: &Operation,
        response: &Response,
        media_type: &str,
        value: &Value,
    ) -> Option<Vec<u8>> {
        let named = operation.named();
        let place = self.document().answer_place(named, &response.key, media_type);
        let mut value = value.clone();
        if let Some(described) = self.document().describe(named, place) {
            hidden::remove(self.document(), &described.schema, Direction::Response, &mut value);
        }
        Some(self.written(named, place, &value)?.0)
    }

    /// The body with this value, and the value that it has as JSON or XML.
    fn written(&self, named: Named<'_>, place: Place<'_>, value: &Value) -> Option<(Vec<u8>, Option<Value>)> {
        let media_type = place.media_type();
        if let (FORM, Value::Object(members)) = (media_type::essence(media_type).as_str(), value) {
            let styles = self.document().answer_encodings(named, place.of, media_type);
            return Some((form(members, &styles).into_bytes(), None));
        }
        if !place.is_xml() {
            let is_whole = place.is_json() && !frames::is_stream(media_type);
            return Some((written(media_type, value), is_whole.then(|| value.clone())));
        }
        let document = self.document();
        let schema = document.describe(named, place)?.schema;
        let body = match value {
            // Some authors write the example as a document.
            Value::String(text) if text.trim_start().starts_with('<') => text.trim_start().as_bytes().to_vec(),
            value => document.to_xml(&schema, value)?,
        };
        let read = document.from_xml(&schema, &body).ok().map(|read| read.value);
        Some((body, read))
    }

    fn is_good(&mut self, named: Named<'a>, place: Place<'a>, value: &Value) -> bool {
        let read = if place.is_xml() { self.written(named, place, value).and_then(|(_, read)| read) } else { None };
        let value = match &read {
            Some(read) => read,
            None if place.is_xml() => return false,
            None => value,
        };
        let validator = self.validator(named, place, Hidden::Absent);
        validator.is_none_or(|validator| validator.as_ref().as_ref().is_ok_and(|validator| validator.is_valid(value)))
    }
}

fn written(media_type: &str, value: &Value) -> Vec<u8> {
    if frames::is_stream(media_type) {
        return match value {
            Value::String(text) => text.clone().into_bytes(),
            Value::Array(items) => frames::written(media_type, items),
            value => frames::written(media_type, std::slice::from_ref(value)),
        };
    }
    if media_type::is_json(media_type) {
        return value.to_string().into_bytes();
    }
    text(value).into_bytes()
}

impl Document {
    /// An example of a response body: the one of this name, or the first.
    fn example(&self, named: Named<'_>, key: &str, media_type: &str, name: Option<&str>) -> Option<Value> {
        let (_, node) = self.operation(named)?;
        let response = self.response(node, key)?;
        // Swagger 2.0 has one example for each media type.
        let Some(content) = response.get("content") else {
            return response.get("examples")?.get(media_type).filter(|_| name.is_none()).cloned();
        };
        let content = self.follow(content.get(media_type)?);
        let named = |examples: &Value| {
            let examples = examples.as_object()?;
            let found = name.map_or_else(|| examples.values().next(), |name| examples.get(name))?;
            let found = self.follow(found);
            found.get("dataValue").or(found.get("value")).or(found.get("serializedValue")).cloned()
        };
        let own = content.get("example").filter(|_| name.is_none()).cloned();
        own.or_else(|| content.get("examples").and_then(named))
    }

    fn header_example(&self, named: Named<'_>, key: &str, name: &str) -> Option<Value> {
        let (_, node) = self.operation(named)?;
        let headers = self.response(node, key)?.get("headers")?.as_object()?;
        let header = self.follow(headers.iter().find(|(found, _)| found.eq_ignore_ascii_case(name))?.1);
        let first = || self.follow(header.get("examples")?.as_object()?.values().next()?).get("value").cloned();
        header.get("example").cloned().or_else(first).or_else(|| example::composed(self, header.get("schema")?))
    }
}
