//! Multipart bodies of parts without names, which are told apart by their position.

use std::sync::Arc;

use fastrand::Rng;
use serde_json::{Map, Value, json};

use crate::check::Violation;
use crate::document::{Described, Document, Named};
use crate::media_type::{self, MULTIPART};
use crate::multipart::{self, Part, Received, UNKNOWN};
use crate::operation::Operation;
use crate::place::Place;
use crate::style::{Reading, Types, text, types};
use crate::values::Values;

/// Maximum number of parts beyond the required ones.
const MORE: usize = 2;

/// The parts of a body without names. The name of a part is its position, and that of the parts after the described
/// ones the position of the first.
#[derive(Clone, Debug)]
pub(crate) struct Positions {
    /// The schema of all parts.
    pub(crate) list: Value,
    /// The schemas of the parts that are described one by one.
    own: Vec<Value>,
    /// The schema of the parts after them.
    rest: Option<Value>,
    prefix_encoding: Vec<Value>,
    item_encoding: Option<Value>,
}

impl Positions {
    /// The names of the parts.
    pub(crate) fn names(&self) -> Vec<String> {
        (0..self.own.len() + usize::from(self.rest.is_some())).map(|index| index.to_string()).collect()
    }

    /// The name of the part at a position.
    fn name_at(&self, position: usize) -> String {
        position.min(self.own.len()).to_string()
    }

    /// Whether the part with this name is described on its own.
    pub(crate) fn is_own(&self, name: &str) -> bool {
        name.parse().is_ok_and(|position: usize| position < self.own.len())
    }

    /// The part with this name; those after the described ones are a list.
    pub(crate) fn part(&self, name: &str) -> Option<Described> {
        let position: usize = name.parse().ok()?;
        let required = self.bound("minItems").unwrap_or(0) > position;
        if let Some(schema) = self.own.get(position) {
            return Some(Described { schema: schema.clone(), required });
        }
        let mut schema = json!({ "type": "array", "items": self.rest.as_ref()? });
        for word in ["minItems", "maxItems"] {
            if let Some(bound) = self.bound(word) {
                schema[word] = bound.saturating_sub(self.own.len()).into();
            }
        }
        Some(Described { schema, required })
    }

    /// The encoding of the part with this name.
    pub(crate) fn encoding(&self, name: &str) -> Option<&Value> {
        let own = name.parse().ok().and_then(|position: usize| self.prefix_encoding.get(position));
        own.or(self.item_encoding.as_ref())
    }

    fn schema_at(&self, position: usize) -> &Value {
        self.own.get(position).or(self.rest.as_ref()).unwrap_or(&Value::Bool(true))
    }

    fn bound(&self, word: &str) -> Option<usize> {
        self.list.get(word).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok())
    }

    /// Number of parts to send.
    fn count(&self, random: &mut Rng) -> usize {
        let least = self.bound("minItems").unwrap_or(0);
        let most = self.own.len().max(least) + if self.rest.is_some() { MORE } else { 0 };
        let most = most.min(self.bound("maxItems").unwrap_or(usize::MAX));
        random.usize(least.min(most)..=most)
    }
}

impl Document {
    /// The parts of a body without names; `None` if they have names.
    pub(crate) fn positions(&self, named: Named<'_>, body: Place<'_>) -> Option<Positions> {
        self.positions_in(self.content_of(named, body)?, body.media_type())
    }

    /// The same for a content.
    pub(crate) fn positions_in(&self, content: &Value, media_type: &str) -> Option<Positions> {
        // The parts of a form always have names.
        if !media_type::is_multipart(media_type) || media_type::essence(media_type) == MULTIPART {
            return None;
        }
        let content = self.follow(content);
        let item = content.get("itemSchema");
        let schema = content.get("schema").map(|schema| self.follow(schema));
        let found = schema.map(|schema| types(self, schema, 0)).unwrap_or_default();
        let is_list = found == Types { array: true, ..Types::default() };
        if !is_list && (item.is_none() || found.object) {
            return None;
        }
        let mut list = schema.filter(|_| is_list).and_then(Value::as_object).cloned().unwrap_or_else(Map::new);
        list.insert("type".to_owned(), "array".into());
        list.extend(item.map(|item| ("items".to_owned(), item.clone())));
        let array = |node: Option<&Value>| node.and_then(Value::as_array).cloned().unwrap_or_default();
        let (prefix, items) = (array(list.get("prefixItems")), list.get("items").cloned());
        let prefix_encoding = array(content.get("prefixEncoding"));
        let item_encoding = content.get("itemEncoding").cloned();
        let is_closed = !prefix.is_empty() && items == Some(Value::Bool(false));
        let count = prefix.len().max(if is_closed { 0 } else { prefix_encoding.len() });
        let or_any = |schema: Option<&Value>| schema.cloned().unwrap_or(Value::Bool(true));
        let own = (0..count).map(|index| or_any(prefix.get(index).or(items.as_ref()))).collect();
        let is_described = items.is_some() || item_encoding.is_some() || count == 0;
        let rest = (is_described && !is_closed).then(|| or_any(items.as_ref()));
        Some(Positions { list: Value::Object(list), own, rest, prefix_encoding, item_encoding })
    }
}

impl<'a> Values<'a> {
    /// What is wrong with a body of parts without names.
    pub(crate) fn check_positions(
        &mut self,
        operation: &'a Operation,
        place: Place<'a>,
        positions: &Positions,
        content_type: &str,
        body: &[u8],
    ) -> Vec<Violation> {
        let document = Arc::clone(self.document());
        let Some(parts) = multipart::read(content_type, body) else {
            return vec![Violation::of_body("", "syntax", "is not a multipart body")];
        };
        let (mut violations, mut items, mut is_read) = (Vec::new(), Vec::new(), true);
        for (position, part) in parts.into_iter().enumerate() {
            let part = Received { name: positions.name_at(position), ..part };
            let pointer = format!("/{position}");
            if let Some((rule, detail)) = document.fault_of_part(operation.named(), place.part(&part.name), &part) {
                violations.push(Violation::of_body(&pointer, rule, &detail));
            }
            match document.value_of(positions.schema_at(position), &part) {
                Ok(value) => items.push(value),
                Err(error) => {
                    is_read = false;
                    violations.push(Violation::of_body(&pointer, "syntax", &format!("is not JSON: {error}")));
                }
            }
        }
        if is_read {
            violations.extend(self.check_whole(operation, place, &positions.list, &Value::Array(items)));
        }
        violations
    }

    /// Parts in their positions.
    pub(crate) fn positional_parts(
        &mut self,
        operation: &'a Operation,
        body: Place<'a>,
        positions: &Positions,
        example: Option<&Value>,
        random: &mut Rng,
    ) -> Option<Vec<Part>> {
        let document = Arc::clone(self.document());
        let names = document.part_names(operation, body);
        let mut parts = Vec::new();
        let given = example.and_then(Value::as_array);
        let count = given.map_or_else(|| positions.count(random), Vec::len);
        for position in 0..count {
            let name = names.iter().find(|name| **name == positions.name_at(position))?;
            let place = body.part(name);
            let ranges = document.part_types(operation.named(), place);
            let said = ranges.first().map(|range| media_type::concrete(range));
            let is_file = document.is_file(positions.schema_at(position), said.as_deref());
            let value = match given.and_then(|given| given.get(position)) {
                Some(given) => Some(given.clone()),
                None if is_file => None,
                None => Some(self.make(operation.named(), place, random)?),
            };
            let (default, bytes) = match value {
                None => (Some(UNKNOWN), multipart::bytes(random)),
                Some(value) if is_file => (Some(UNKNOWN), text(&value).into_bytes()),
                Some(value) => {
                    let is_json = said.as_deref().is_some_and(media_type::is_json);
                    let text = if is_json { value.to_string() } else { text(&value) };
                    ((value.is_object() || value.is_array()).then_some(media_type::JSON), text.into_bytes())
                }
            };
            let headers = document.part_headers(operation.named(), place);
            let media_type = said.or(default.map(str::to_owned));
            parts.push(Part { name: String::new(), media_type, is_file, headers, bytes });
        }
        Some(parts)
    }
}

impl Document {
    /// The value of a part.
    fn value_of(&self, schema: &Value, part: &Received) -> Result<Value, serde_json::Error> {
        let Some(text) = &part.text else { return Ok(Value::String("file".to_owned())) };
        if self.is_file(schema, part.media_type()) {
            return Ok(Value::String(text.clone()));
        }
        let all = types(self, schema, 0);
        let is_json = part.media_type().is_some_and(media_type::is_json);
        if is_json || (all.object || all.array) && !all.string {
            return serde_json::from_str(text);
        }
        Ok(Reading { document: self, schema, types: all, prefers_text: false }.scalar(text, all))
    }

    /// Whether a part is a file: its schema says so, or says nothing.
    fn is_file(&self, schema: &Value, said: Option<&str>) -> bool {
        let item = self.follow(schema);
        let is_json = said.is_some_and(media_type::is_json);
        multipart::is_file(item, said) || !is_json && types(self, item, 0) == Types::default()
    }
}
