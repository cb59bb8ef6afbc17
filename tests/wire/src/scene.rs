//! The state of one call and the values that are made for it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::Value;

use crate::capture::Exchange;
use crate::document::{Document, Named};
use crate::frames;
use crate::make::{Maker, Written};
use crate::place::{Direction, Kind, Place};
use crate::schema::{self, Hidden, Reading};

/// How many values are tried before the schema is read as it was meant.
const ATTEMPTS: u64 = 40;

/// A validator, or the reason why there is none.
pub(crate) type Validator = Result<jsonschema::Validator, String>;

/// The state of one call.
#[derive(Default)]
pub(crate) struct Scene {
    pub(crate) document: Option<Arc<Document>>,
    pub(crate) operation: Option<Named>,
    pub(crate) random: Option<fastrand::Rng>,
    /// The index of the answer that the server has to give.
    pub(crate) choice: usize,
    pub(crate) sent: Vec<(String, String)>,
    pub(crate) received: Vec<(String, String)>,
    pub(crate) answered: Vec<(String, String)>,
    pub(crate) seen: Vec<(String, String)>,
    /// The operation that the server called.
    pub(crate) arrived: Option<&'static str>,
    /// The problems of the call.
    pub(crate) problems: Vec<Problem>,
    /// The places of the JSON bodies that were sent.
    pub(crate) bodies: Vec<Place>,
    pub(crate) exchange: Exchange,
    /// The validators by operation and place.
    validators: HashMap<(&'static str, Place, Reading, Hidden), Arc<Validator>>,
    /// Places whose schemas have no valid value as they are written, so that they are read as they were
    /// meant.
    meant: HashSet<(&'static str, Place)>,
}

/// A problem of one call.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) kind: &'static str,
    pub(crate) text: String,
}

impl Scene {
    pub(crate) fn begin(&mut self, operation: Named, seed: u64, choice: usize) {
        self.operation = Some(operation);
        self.random = Some(fastrand::Rng::with_seed(seed));
        self.choice = choice;
        self.arrived = None;
        self.exchange = Exchange::default();
        for list in [&mut self.sent, &mut self.received, &mut self.answered, &mut self.seen] {
            list.clear();
        }
        self.problems.clear();
        self.bodies.clear();
    }

    pub(crate) fn problem(&mut self, kind: &'static str, text: String) {
        self.problems.push(Problem { kind, text });
    }

    pub(crate) fn document(&self) -> Arc<Document> {
        // A stage has no document before the first call.
        self.document.clone().unwrap_or_else(|| Arc::new(Document::default()))
    }

    pub(crate) fn random(&mut self) -> &mut fastrand::Rng {
        self.random.get_or_insert_with(|| fastrand::Rng::with_seed(0))
    }

    pub(crate) fn bytes(&mut self) -> Vec<u8> {
        let random = self.random();
        (0..random.usize(1..40)).map(|_| random.u8(..)).collect()
    }

    /// The schema of a place, and whether its value is required.
    pub(crate) fn described(&self, place: Place) -> Option<(Value, bool)> {
        let described = self.document().describe(self.operation?, place)?;
        Some((described.schema, described.required))
    }

    /// Whether the parameter cannot be distinguished from another one.
    pub(crate) fn is_ambiguous(&self, place: Place) -> bool {
        self.operation.is_some_and(|operation| self.document().is_ambiguous(operation, place))
    }

    /// Makes a value that the validator accepts.
    pub(crate) fn value(&mut self, place: Place) -> Option<Value> {
        let mut schema = self.described(place).map_or(Value::Bool(true), |(schema, _)| schema);
        let document = self.document();
        if place.kind == Kind::Part {
            // A list is sent as one part per item.
            let target = document.follow(&schema);
            let is_list = match target.get("type") {
                Some(Value::Array(types)) => types.iter().all(|ty| ty == "array" || ty == "null"),
                ty => ty.is_some_and(|ty| ty == "array"),
            };
            if is_list && let Some(items) = target.get("items") {
                schema = items.clone();
            }
        }
        let operation = self.operation?;
        let delimiters = document.delimiters(operation, place);
        let id = operation.id;
        let readings: &[Reading] =
            if self.meant.contains(&(id, place)) { &[Reading::Meant] } else { &[Reading::Strict, Reading::Meant] };
        for &reading in readings {
            let validator = self.validator_of(place, &schema, reading, Hidden::Absent);
            for attempt in 0..ATTEMPTS {
                let random = self.random().fork();
                let written = match place.kind {
                    Kind::Path => Written::Path,
                    Kind::Header | Kind::AnswerHeader => Written::Header,
                    Kind::QueryString | Kind::Body { json: true } | Kind::Answer { json: true } | Kind::Part => {
                        Written::Json
                    }
                    Kind::Query | Kind::Cookie | Kind::Body { json: false } | Kind::Answer { json: false } => {
                        Written::Form
                    }
                };
                let direction = place.direction();
                let small = attempt > ATTEMPTS / 4;
                let mut maker = Maker { document: &document, direction, written, random, small, fuel: 4000 };
                let Some(value) = maker.make(&schema, 0) else { continue };
                // A `null` part looks like an absent part.
                if place.kind == Kind::Part && value.is_null() {
                    continue;
                }
                let list = |member: Option<&str>| member.map_or(Some(&value), |member| value.get(member));
                if delimiters.iter().any(|(member, it)| list(*member).is_some_and(|list| holds(list, *it))) {
                    continue;
                }
                match &*validator {
                    Ok(validator) if !validator.is_valid(&value) => {}
                    // If both are allowed, a text that is a number is read as a number.
                    Ok(validator) if written != Written::Json && is_other_than_text(validator, &value) => {}
                    Ok(_) | Err(_) => {
                        if reading == Reading::Meant {
                            self.meant.insert((id, place));
                        }
                        return Some(value);
                    }
                }
            }
        }
        None
    }

    /// The places of an operation whose schemas are read as they were meant, in a fixed order.
    pub(crate) fn meant_of(&self, id: &str) -> Vec<String> {
        let mut places: Vec<String> =
            self.meant.iter().filter(|(of, _)| *of == id).map(|(_, place)| place.to_string()).collect();
        places.sort();
        places
    }

    /// The reading of a place: strict, unless no value was found that way.
    pub(crate) fn reading(&self, place: Place) -> Reading {
        let meant = self.operation.is_some_and(|operation| self.meant.contains(&(operation.id, place)));
        if meant { Reading::Meant } else { Reading::Strict }
    }

    /// The validator of a place.
    pub(crate) fn validator(&mut self, place: Place, hidden: Hidden) -> Option<Arc<Validator>> {
        let (schema, _) = self.described(place)?;
        let reading = self.reading(place);
        Some(self.validator_of(place, &schema, reading, hidden))
    }

    fn validator_of(&mut self, place: Place, schema: &Value, reading: Reading, hidden: Hidden) -> Arc<Validator> {
        let document = self.document();
        let id = self.operation.map_or("", |operation| operation.id);
        let direction = place.direction();
        let validator = self
            .validators
            .entry((id, place, reading, hidden))
            .or_insert_with(|| Arc::new(schema::validator(&document, schema, direction, reading, hidden)));
        Arc::clone(validator)
    }

    /// Checks whether the JSON bodies that were sent are valid.
    pub(crate) fn validate(&mut self) {
        for place in std::mem::take(&mut self.bodies) {
            let (kind, bytes) = match place.direction() {
                Direction::Request => ("request schema", self.exchange.request_body.clone()),
                Direction::Response => ("response schema", self.exchange.response_body.clone()),
            };
            for text in frames::texts(place.media_type(), &bytes) {
                self.validate_text(place, kind, &text);
            }
        }
    }

    fn validate_text(&mut self, place: Place, kind: &'static str, text: &[u8]) {
        let value: Value = match serde_json::from_slice(text) {
            Ok(value) => value,
            Err(error) => {
                let text = String::from_utf8_lossy(text).into_owned();
                self.problem(kind, format!("{place} is not JSON: {error}: {text}"));
                return;
            }
        };
        let Some(validator) = self.validator(place, Hidden::Absent) else { return };
        match &*validator {
            Ok(validator) => {
                if let Some(error) = validator.iter_errors(&value).next() {
                    let text = format!("{place}: {}: {error}: {value}", error.instance_path());
                    self.problem(kind, text);
                }
            }
            Err(error) => {
                let text = format!("{place}: the validator refuses the schema: {error}");
                self.problem("unmade", text);
            }
        }
    }
}

/// Whether the text, parsed as JSON, is valid too.
fn is_other_than_text(validator: &jsonschema::Validator, value: &Value) -> bool {
    let other = value.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    other.is_some_and(|other| (other.is_number() || other.is_boolean()) && validator.is_valid(&other))
}

/// Whether an item or a member of the value contains the character.
fn holds(value: &Value, delimiter: char) -> bool {
    match value {
        Value::String(text) => text.contains(delimiter),
        Value::Array(items) => items.iter().any(|item| holds(item, delimiter)),
        Value::Object(members) => {
            members.iter().any(|(name, value)| name.contains(delimiter) || holds(value, delimiter))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
