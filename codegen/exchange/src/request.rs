//! Requests of an operation: their values, and how they are written.

use std::sync::Arc;

use fastrand::Rng;
use serde_json::{Map, Value};

use crate::document::Parameter;
use crate::frames;
use crate::media_type::{self, FORM};
use crate::multipart::{self, Part, UNKNOWN};
use crate::operation::Operation;
use crate::place::Place;
use crate::schema::is_hidden;
use crate::style::{Style, escaped, text};
use crate::values::Values;

/// The number of items of a stream.
const ITEMS: usize = 2;

/// A request of an operation.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is sent for each parameter of the operation.
    pub parameters: Vec<Sent>,
    /// The body.
    pub body: Option<Payload>,
}

/// What is sent for a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Sent {
    /// Nothing.
    Absent,
    /// A value in the style of the parameter.
    Value(Value),
    /// A text, whatever the style is.
    Text(String),
}

/// A body.
#[derive(Clone, Debug)]
pub struct Payload {
    /// The `Content-Type`.
    pub media_type: String,
    /// What it holds.
    pub content: Content,
}

/// What a body holds.
#[derive(Clone, Debug)]
pub enum Content {
    /// A JSON value.
    Json(Value),
    /// A value, and the document that says it in XML.
    Xml(Value, Vec<u8>),
    /// JSON values, one after the other.
    Items(Vec<Value>),
    /// The members of a form, each with its style.
    Form(Map<String, Value>, Vec<(String, Style)>),
    /// The parts of a multipart body.
    Parts(Vec<Part>),
    /// Anything else.
    Bytes(Vec<u8>),
}

/// A request as HTTP writes it.
#[derive(Clone, Debug)]
pub struct Message {
    /// The method.
    pub method: String,
    /// The path and the query.
    pub target: String,
    /// The headers, without those that belong to the connection.
    pub headers: Vec<(String, String)>,
    /// The body; empty if there is none.
    pub body: Vec<u8>,
}

impl Request {
    /// Writes the request.
    pub fn message(&self, operation: &Operation) -> Message {
        let sent = || std::iter::zip(&operation.parameters, &self.parameters);
        let mut path = operation.template.fill(|name| {
            let found = sent().find(|(parameter, _)| parameter.within == "path" && parameter.name == name);
            found.map_or_else(String::new, |(parameter, sent)| match sent {
                Sent::Absent => String::new(),
                Sent::Value(value) => parameter.style.segment(name, value),
                Sent::Text(text) => escaped(text),
            })
        });
        let mut query: Vec<String> = operation.fixed.iter().map(|(name, text)| format!("{name}={text}")).collect();
        let mut cookies = Vec::new();
        let mut headers = Vec::new();
        for (parameter, sent) in sent() {
            match (parameter.within.as_str(), sent) {
                (_, Sent::Absent) | ("path", _) => {}
                ("header", Sent::Value(value)) => headers.push((parameter.name.clone(), parameter.style.line(value))),
                ("header", Sent::Text(text)) => headers.push((parameter.name.clone(), text.clone())),
                ("querystring", sent) => query.push(whole_query(parameter, sent)),
                (within, sent) => {
                    let list = if within == "cookie" { &mut cookies } else { &mut query };
                    let pairs = match sent {
                        Sent::Value(value) => parameter.style.pairs(&parameter.name, value),
                        Sent::Text(text) => vec![(escaped(&parameter.name), escaped(text))],
                        Sent::Absent => Vec::new(),
                    };
                    list.extend(pairs.into_iter().map(|(name, text)| format!("{name}={text}")));
                }
            }
        }
        if !cookies.is_empty() {
            headers.push(("Cookie".to_owned(), cookies.join("; ")));
        }
        if !query.is_empty() {
            path = format!("{path}?{}", query.join("&"));
        }
        let mut body = Vec::new();
        if let Some(payload) = &self.body {
            headers.push(("Content-Type".to_owned(), payload.content_type()));
            body = payload.bytes();
        }
        Message { method: operation.method.clone(), target: path, headers, body }
    }
}

fn whole_query(parameter: &Parameter, sent: &Sent) -> String {
    match sent {
        Sent::Absent => String::new(),
        Sent::Text(text) => escaped(text),
        Sent::Value(value @ Value::Object(_)) if !parameter.style.is_json() => {
            let pairs = Style::form().pairs("", value);
            pairs.iter().map(|(name, text)| format!("{name}={text}")).collect::<Vec<_>>().join("&")
        }
        Sent::Value(value) if parameter.style.is_json() => escaped(&value.to_string()),
        Sent::Value(value) => escaped(&text(value)),
    }
}

impl Payload {
    fn content_type(&self) -> String {
        match &self.content {
            Content::Parts(parts) => multipart::content_type(&self.media_type, parts),
            _ => self.media_type.clone(),
        }
    }

    /// The bytes on the wire.
    pub fn bytes(&self) -> Vec<u8> {
        match &self.content {
            Content::Json(value) => value.to_string().into_bytes(),
            Content::Items(items) => frames::written(&self.media_type, items),
            Content::Form(members, styles) => form(members, styles).into_bytes(),
            Content::Parts(parts) => multipart::written(&self.media_type, parts),
            Content::Xml(_, bytes) | Content::Bytes(bytes) => bytes.clone(),
        }
    }
}

/// The text of a form.
pub(crate) fn form(members: &Map<String, Value>, styles: &[(String, Style)]) -> String {
    let own = |name: &str| styles.iter().find(|(styled, _)| styled == name).map(|(_, style)| style.clone());
    let pairs = members.iter().flat_map(|(name, value)| match own(name) {
        Some(style) => style.pairs(name, value),
        None if value.is_object() => vec![(escaped(name), escaped(&value.to_string()))],
        None => Style::form().pairs(name, value),
    });
    pairs.map(|(name, text)| format!("{name}={text}")).collect::<Vec<_>>().join("&")
}

impl<'a> Values<'a> {
    /// Makes a valid request; `None` if a required value cannot be made.
    pub fn request(&mut self, operation: &'a Operation, random: &mut Rng) -> Option<Request> {
        let mut parameters = Vec::new();
        for parameter in &operation.parameters {
            let place = parameter.place();
            // Members of exploded objects may have the name of another parameter.
            let is_left_out = !parameter.required
                && (random.bool() || self.document().is_ambiguous(operation.named(), place))
                && parameter.within != "path";
            let value = if is_left_out { None } else { self.make(operation.named(), place, random) };
            parameters.push(match value {
                // An empty list looks like an absent one.
                Some(Value::Array(items)) if items.is_empty() && !parameter.required => Sent::Absent,
                Some(value) => Sent::Value(value),
                None if parameter.required => return None,
                None => Sent::Absent,
            });
        }
        let body = match &operation.body {
            None => None,
            Some(body) if !body.required && random.u8(0..4) == 0 => None,
            Some(body) => {
                let document = Arc::clone(self.document());
                let is_made = |media_type: &&String| {
                    is_made(media_type) || document.body_place(operation.named(), media_type).is_xml()
                };
                let known: Vec<&String> = body.media_types.iter().filter(is_made).collect();
                let payload = random.choice(known).and_then(|media_type| self.payload(operation, media_type, random));
                if payload.is_none() && body.required {
                    return None;
                }
                payload
            }
        };
        Some(Request { parameters, body })
    }

    fn payload(&mut self, operation: &'a Operation, media_type: &'a str, random: &mut Rng) -> Option<Payload> {
        let named = operation.named();
        let of = |content| Some(Payload { media_type: media_type::concrete(media_type), content });
        if frames::is_stream(media_type) {
            let items = (0..ITEMS).map(|_| self.make(named, Place::json_body(media_type), random));
            return of(Content::Items(items.collect::<Option<_>>()?));
        }
        if media_type::is_json(media_type) {
            return of(Content::Json(self.make(named, Place::json_body(media_type), random)?));
        }
        let place = self.document().body_place(named, media_type);
        if place.is_xml() {
            let value = self.make(named, place, random)?;
            let schema = self.document().describe(named, place)?.schema;
            let bytes = self.document().to_xml(&schema, &value)?;
            return of(Content::Xml(value, bytes));
        }
        match media_type::essence(media_type).as_str() {
            FORM => {
                let Value::Object(members) = self.make(named, Place::body(media_type), random)? else { return None };
                of(Content::Form(members, self.document().encodings(named, media_type)))
            }
            essence if essence.starts_with("multipart/") => {
                of(Content::Parts(self.parts(operation, Place::body(media_type), None, random)?))
            }
            essence if essence.starts_with("text/") => {
                let value = self.make(named, Place::body(media_type), random)?;
                of(Content::Bytes(text(&value).into_bytes()))
            }
            _ => of(Content::Bytes(multipart::bytes(random))),
        }
    }

    /// The parts of a multipart body, of this example or with random values.
    pub(crate) fn parts(
        &mut self,
        operation: &'a Operation,
        body: Place<'a>,
        example: Option<&Value>,
        random: &mut Rng,
    ) -> Option<Vec<Part>> {
        let document = Arc::clone(self.document());
        if let Some(positions) = document.positions(operation.named(), body) {
            return self.positional_parts(operation, body, &positions, example, random);
        }
        match document.part_names(operation, body).as_slice() {
            [] => self.parts_without_names(operation, body, random),
            names => self.named_parts(operation, body, names, example, random),
        }
    }

    /// Parts of a list, or one of any text.
    fn parts_without_names(
        &mut self,
        operation: &'a Operation,
        body: Place<'a>,
        random: &mut Rng,
    ) -> Option<Vec<Part>> {
        let place = body.in_json();
        let schema = self.document().describe(operation.named(), place).map(|described| described.schema);
        let is_list = schema.is_some_and(|schema| self.document().follow(&schema)["type"] == "array");
        let values = if is_list { self.make(operation.named(), place, random)? } else { Value::Null };
        let part = |value: &Value| Part {
            name: String::new(),
            media_type: Some(if value.is_string() { "text/plain" } else { media_type::JSON }.to_owned()),
            is_file: false,
            headers: Vec::new(),
            bytes: text(value).into_bytes(),
        };
        let parts: Vec<Part> = values.as_array().into_iter().flatten().map(part).collect();
        Some(if parts.is_empty() { vec![part(&Value::String("a".to_owned()))] } else { parts })
    }

    fn named_parts(
        &mut self,
        operation: &'a Operation,
        body: Place<'a>,
        names: &[&'a str],
        example: Option<&Value>,
        random: &mut Rng,
    ) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        let document = Arc::clone(self.document());
        let whole = document.describe(operation.named(), body)?.schema;
        let bound = |word: &str| document.follow(&whole).get(word).and_then(Value::as_u64);
        let (least, most) = (bound("minProperties").unwrap_or(0), bound("maxProperties").unwrap_or(u64::MAX));
        let mut members = 0;
        for &name in names {
            let place = body.part(name);
            let Some(described) = document.describe(operation.named(), place) else { continue };
            let given = example.and_then(|example| example.get(name));
            let is_left_out = match example {
                Some(_) => given.is_none(),
                None => !described.required && (members >= most || members >= least && random.bool()),
            };
            if is_left_out || is_hidden(&document, &described.schema, place.direction()) {
                continue;
            }
            members += 1;
            let headers = document.part_headers(operation.named(), place);
            let ranges = document.part_types(operation.named(), place);
            let said = ranges.first().map(|range| media_type::concrete(range));
            let style = document.part_style(operation.named(), place);
            let schema = document.follow(&described.schema);
            let items = schema.get("items").filter(|_| style.is_none()).map(|items| document.follow(items));
            let is_file = style.is_none() && multipart::is_file(items.unwrap_or(schema), said.as_deref());
            let values: Vec<Option<Value>> = match given {
                Some(Value::Array(given)) if items.is_some() => given.iter().cloned().map(Some).collect(),
                Some(given) => vec![Some(given.clone())],
                None if style.is_some() => vec![Some(self.make(operation.named(), place, random)?)],
                None => {
                    let count = schema.get("minItems").and_then(Value::as_u64).unwrap_or(1).clamp(1, 100);
                    let make =
                        |_| if is_file { Some(None) } else { self.make(operation.named(), place, random).map(Some) };
                    (0..count).map(make).collect::<Option<_>>()?
                }
            };
            for value in values {
                let (default, bytes) = match (value, &style) {
                    (Some(value), Some(style)) => (None, style.part(&value).into_bytes()),
                    (Some(value), None) if is_file => (Some(UNKNOWN), text(&value).into_bytes()),
                    (Some(value), None) => (value.is_object().then_some(media_type::JSON), text(&value).into_bytes()),
                    (None, _) => (Some(UNKNOWN), multipart::bytes(random)),
                };
                let media_type = said.clone().or(default.map(str::to_owned));
                parts.push(Part { name: name.to_owned(), media_type, is_file, headers: headers.clone(), bytes });
            }
        }
        Some(parts)
    }
}

impl Parameter {
    /// Where it is.
    pub fn place(&self) -> Place<'_> {
        match self.within.as_str() {
            "path" => Place::path(&self.name),
            "header" => Place::header(&self.name),
            "cookie" => Place::cookie(&self.name),
            "querystring" => Place::query_string(&self.name),
            _ => Place::query(&self.name),
        }
    }
}

/// Whether bodies of the media type are made here.
fn is_made(media_type: &str) -> bool {
    let essence = media_type::essence(media_type);
    !essence.ends_with("xml")
}
