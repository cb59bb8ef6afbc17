//! Random valid values of the places of operations, and the validators that check them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use fastrand::Rng;
use serde_json::Value;

use crate::document::{Described, Document, Named};
use crate::make::{Maker, Written};
use crate::place::{Kind, Place, Syntax};
use crate::schema::{self, Hidden, Reading};

/// Number of values tried before the schema is read as it was meant.
const ATTEMPTS: u64 = 40;

/// A validator, or the reason why there is none.
pub type Validator = Result<jsonschema::Validator, String>;

/// Makes values of the places of operations, and keeps their validators.
#[derive(Default)]
pub struct Values<'a> {
    document: Arc<Document>,
    /// What the places are, by operation.
    described: HashMap<(&'a str, Place<'a>), Option<Arc<Described>>>,
    /// The validators by operation and place.
    validators: HashMap<(&'a str, Place<'a>, Reading, Hidden), Arc<Validator>>,
    /// Places whose schemas have no valid value as they are written, so that they are read as they were
    /// meant.
    meant: HashSet<(&'a str, Place<'a>)>,
    /// Whether texts are words and numbers are small.
    plain: bool,
}

impl<'a> Values<'a> {
    /// Makes values of the document.
    pub fn new(document: Arc<Document>) -> Self {
        Self { document, ..Self::default() }
    }

    /// Makes values as people write them: words for texts, and small numbers. Other values are made to find faults.
    #[must_use]
    pub fn plain(self) -> Self {
        Self { plain: true, ..self }
    }

    /// The document.
    pub fn document(&self) -> &Arc<Document> {
        &self.document
    }

    /// Makes a value that the validator accepts.
    pub fn make(&mut self, operation: Named<'a>, place: Place<'a>, random: &mut Rng) -> Option<Value> {
        let document = Arc::clone(&self.document);
        let described = self.described(operation, place);
        let mut schema = described.map_or(Value::Bool(true), |described| described.schema.clone());
        let is_joined = place.is_part() && document.part_style(operation, place).is_some();
        let is_own = || document.positions(operation, place).is_some_and(|positions| positions.is_own(place.part));
        if place.is_part() && !is_joined && !is_own() {
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
        let delimiters = document.delimiters(operation, place);
        let id = operation.id;
        let readings: &[Reading] =
            if self.meant.contains(&(id, place)) { &[Reading::Meant] } else { &[Reading::Strict, Reading::Meant] };
        for &reading in readings {
            let validator = self.validator_of(operation, place, &schema, reading, Hidden::Absent);
            for attempt in 0..ATTEMPTS {
                let random = random.fork();
                let written = match place.kind {
                    Kind::Path => Written::Path,
                    Kind::Part | Kind::AnswerPart if is_joined => Written::Header,
                    Kind::Header | Kind::AnswerHeader => Written::Header,
                    Kind::Query | Kind::Cookie | Kind::Body(Syntax::Other) | Kind::Answer(Syntax::Other) => {
                        Written::Form
                    }
                    Kind::QueryString | Kind::Body(_) | Kind::Answer(_) | Kind::Part | Kind::AnswerPart => {
                        Written::Json
                    }
                };
                let direction = place.direction();
                let small = attempt > ATTEMPTS / 4;
                let plain = self.plain;
                let mut maker =
                    Maker { document: &document, direction, written, random, small, plain, fuel: 4000, merging: 0 };
                let Some(mut value) = maker.make(&schema, 0) else { continue };
                if place.is_xml() {
                    let Some(read) = document.through_xml(&schema, &value) else { continue };
                    value = read;
                }
                // A `null` part looks like an absent part.
                if place.is_part() && value.is_null() {
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
    pub fn meant_of(&self, id: &str) -> Vec<String> {
        let mut places: Vec<String> =
            self.meant.iter().filter(|(of, _)| *of == id).map(|(_, place)| place.to_string()).collect();
        places.sort();
        places
    }

    /// The validator of a place: strict, unless no value was found that way.
    pub fn validator(&mut self, operation: Named<'a>, place: Place<'a>, hidden: Hidden) -> Option<Arc<Validator>> {
        let described = self.described(operation, place)?;
        let reading = if self.meant.contains(&(operation.id, place)) { Reading::Meant } else { Reading::Strict };
        Some(self.validator_of(operation, place, &described.schema, reading, hidden))
    }

    /// The schema of a place, which is looked up once.
    pub(crate) fn described(&mut self, operation: Named<'a>, place: Place<'a>) -> Option<Arc<Described>> {
        let document = &self.document;
        let described = || document.describe(operation, place).map(Arc::new);
        self.described.entry((operation.id, place)).or_insert_with(described).clone()
    }

    /// Without hidden members, one validator is enough.
    fn hidden(&self, place: Place<'_>, hidden: Hidden) -> Hidden {
        if self.document.hides(place.direction()) { hidden } else { Hidden::Absent }
    }

    /// Whether the validator of a place has not been used yet.
    pub(crate) fn is_new(&self, operation: Named<'a>, place: Place<'a>, hidden: Hidden) -> bool {
        let hidden = self.hidden(place, hidden);
        let is_kept = |reading| self.validators.contains_key(&(operation.id, place, reading, hidden));
        !is_kept(Reading::Strict) && !is_kept(Reading::Meant)
    }

    fn validator_of(
        &mut self,
        operation: Named<'a>,
        place: Place<'a>,
        schema: &Value,
        reading: Reading,
        hidden: Hidden,
    ) -> Arc<Validator> {
        let hidden = self.hidden(place, hidden);
        let document = &self.document;
        let made = || Arc::new(schema::validator(document, schema, place.direction(), reading, hidden));
        Arc::clone(self.validators.entry((operation.id, place, reading, hidden)).or_insert_with(made))
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
