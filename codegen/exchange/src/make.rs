//! Random values of a schema.

mod flat;
mod number;
mod pattern;
#[cfg(test)]
mod tests;
mod text;

pub use pattern::text as matching;
pub use text::formatted;

use serde_json::{Map, Value, json};

use crate::document::Document;
use crate::place::Direction;
use crate::schema::{BOTH, as_said, is_hidden};

/// The maximum depth of values.
const DEEPEST: usize = 40;

/// A marker of our own: the schema is one of several variants.
const SEVERAL: &str = "x-several";

/// The form in which a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// JSON, which can express every value.
    Json,
    /// A form or a parameter, in which empty and `null` items look like absent ones.
    Form,
    /// A header, which allows few characters.
    Header,
    /// A path, in which a text must not be empty.
    Path,
}

/// Makes values of schemas.
pub(crate) struct Maker<'d> {
    pub(crate) document: &'d Document,
    pub(crate) direction: Direction,
    pub(crate) written: Written,
    pub(crate) random: fastrand::Rng,
    /// Omits optional members.
    pub(crate) small: bool,
    /// Makes words and small numbers.
    pub(crate) plain: bool,
    /// The number of values that may still be made.
    pub(crate) fuel: u32,
    /// Depth of the schemas being merged, each a part or a variant of the one before.
    pub(crate) merging: u32,
}

impl Maker<'_> {
    /// Makes a value. Returns `None` if it would be too deep or if the schema contradicts itself.
    pub(crate) fn make(&mut self, schema: &Value, depth: usize) -> Option<Value> {
        self.fuel = self.fuel.checked_sub(1)?;
        if depth > DEEPEST {
            return None;
        }
        let flat = self.flat(schema, depth)?;
        self.of_flat(&flat, depth)
    }

    fn of_flat(&mut self, flat: &Map<String, Value>, depth: usize) -> Option<Value> {
        let may_be_null = self.written == Written::Json;
        let nullable = flat.get("nullable") == Some(&Value::Bool(true));
        if may_be_null && nullable && (self.chance(0.15) || self.small && depth > 3) {
            return Some(Value::Null);
        }
        if let Some(value) = flat.get("const") {
            return Some(value.clone());
        }
        // An empty list has no meaning (W0206).
        if let Some(values) = flat.get("enum").and_then(Value::as_array).filter(|values| !values.is_empty()) {
            let can_be_written = |value: &&Value| match self.written {
                Written::Json => true,
                Written::Form | Written::Header => !value.is_null(),
                Written::Path => !value.is_null() && *value != "",
            };
            let values: Vec<_> = values.iter().filter(can_be_written).collect();
            return Some(as_said(flat, self.random.choice(values)?));
        }
        match self.type_of(flat, may_be_null) {
            "null" => Some(Value::Null),
            "boolean" => Some(Value::Bool(self.random.bool())),
            "integer" => Some(number::integer(&mut self.random, flat, self.plain)),
            "number" => Some(number::number(&mut self.random, flat, self.plain)),
            "string" => Some(Value::String(self.told_apart(flat, depth)?)),
            "array" => self.array(flat, depth),
            "object" => self.object(flat, depth),
            _ => Some(self.anything(depth)),
        }
    }

    /// Makes a string. Where values are plain text and another variant exists, the string is not a value of
    /// that variant, since a form cannot distinguish `"5"` from `5`.
    fn told_apart(&mut self, flat: &Map<String, Value>, depth: usize) -> Option<String> {
        let several = flat.get(SEVERAL) == Some(&Value::Bool(true)) || flat.get("type").is_some_and(Value::is_array);
        if self.written == Written::Json || !several {
            return self.string(flat, depth);
        }
        let mut flat = flat.clone();
        if flat.get("format").and_then(Value::as_str).is_some_and(text::is_of_numbers) {
            // `oneOf: [{ type: integer }, { type: string }]` next to `format`: the format belongs to the other variant.
            flat.remove("format");
        }
        let mut texts = (0..8).filter_map(|_| self.string(&flat, depth));
        // A number in plain text may have leading zeros.
        texts.find(|text| serde_json::from_str::<Value>(text).is_err() && text.parse::<f64>().is_err())
    }

    fn type_of<'v>(&mut self, flat: &'v Map<String, Value>, may_be_null: bool) -> &'v str {
        match flat.get("type") {
            Some(Value::String(name)) => name,
            Some(Value::Array(names)) => {
                let names: Vec<&str> =
                    names.iter().filter_map(Value::as_str).filter(|name| may_be_null || *name != "null").collect();
                let heavy = |name: &&str| matches!(*name, "array" | "object");
                let light = names.iter().copied().find(|name| !heavy(name)).filter(|_| self.small);
                light.or_else(|| self.random.choice(names)).unwrap_or("null")
            }
            _ => {
                let has = |words: &[&str]| words.iter().any(|word| flat.contains_key(*word));
                if has(&["properties", "additionalProperties", "required", "minProperties", "patternProperties"]) {
                    "object"
                } else if has(&["items", "prefixItems", "minItems", "maxItems"]) {
                    "array"
                } else if has(&["minLength", "maxLength", "pattern", "format"]) {
                    "string"
                } else if has(&["minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"]) {
                    "number"
                } else {
                    "anything"
                }
            }
        }
    }

    fn object(&mut self, flat: &Map<String, Value>, depth: usize) -> Option<Value> {
        let empty = Map::new();
        let properties = flat.get("properties").and_then(Value::as_object).unwrap_or(&empty);
        let required: Vec<&str> =
            flat.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let at_least = length(flat, "minProperties").unwrap_or(0).max(usize::from(self.written != Written::Json));
        let at_most = length(flat, "maxProperties").unwrap_or(usize::MAX);
        let likely = match depth {
            _ if self.small => 0.0,
            0 | 1 => 0.6,
            2..=4 => 0.35,
            _ => 0.08,
        };
        let mut names: Vec<&String> = properties.keys().collect();
        self.random.shuffle(&mut names);
        let must = properties.keys().filter(|name| required.contains(&name.as_str())).count();
        let mut room = at_most.saturating_sub(must);
        let mut short = at_least.saturating_sub(must);
        let mut object = Map::new();
        for name in names {
            let schema = &properties[name];
            if is_hidden(self.document, schema, self.direction) || *schema == Value::Bool(false) {
                continue;
            }
            let must = required.contains(&name.as_str());
            // A member that only some schemas hide is sent if another schema requires it.
            let mut parts = schema
                .get("allOf")
                .filter(|_| schema.get(BOTH).is_some())
                .and_then(Value::as_array)
                .into_iter()
                .flatten();
            if parts.any(|part| is_hidden(self.document, part, self.direction)) && !(must && self.random.bool()) {
                continue;
            }
            if !must && (room == 0 || !(short > 0 || self.chance(likely))) {
                continue;
            }
            match self.make(schema, depth + 1) {
                Some(value) => {
                    object.insert(name.clone(), value);
                }
                None if must => return None,
                None => continue,
            }
            if !must {
                room -= 1;
                short = short.saturating_sub(1);
            }
        }
        let additional = match flat.get("additionalProperties") {
            Some(Value::Bool(allowed)) => allowed.then_some(&Value::Bool(true)),
            Some(schema) => Some(schema),
            // Its members are not described, but some are required.
            None => (properties.is_empty() && at_least > 0).then_some(&Value::Bool(true)),
        };
        for name in required.iter().filter(|name| !properties.contains_key(**name)) {
            let value = self.make(additional.unwrap_or(&Value::Bool(true)), depth + 1)?;
            object.insert((*name).to_owned(), value);
        }
        if let Some(schema) = additional {
            let more = if self.small || depth > 5 { 0 } else { self.random.usize(0..3) };
            let keys = flat.get("propertyNames").cloned();
            for index in 0..more.max(at_least.saturating_sub(object.len())) {
                if object.len() >= at_most {
                    break;
                }
                let name = match &keys {
                    Some(names) => self.make(names, depth + 1)?.as_str()?.to_owned(),
                    None => format!("x{index}{}", self.random.alphanumeric()),
                };
                if let Some(value) = self.make(schema, depth + 1) {
                    object.insert(name, value);
                }
            }
        }
        // In the order of the description.
        let mut sorted: Map<String, Value> = Map::new();
        for name in properties.keys() {
            if let Some(value) = object.remove(name) {
                sorted.insert(name.clone(), value);
            }
        }
        sorted.extend(object);
        Some(Value::Object(sorted))
    }

    fn array(&mut self, flat: &Map<String, Value>, depth: usize) -> Option<Value> {
        let contained = flat.get("contains").map(|schema| (schema, length(flat, "minContains").unwrap_or(1)));
        let at_least = length(flat, "minItems").unwrap_or(0).max(usize::from(self.written != Written::Json));
        let at_least = at_least.max(contained.map_or(0, |(_, count)| count));
        let at_most = length(flat, "maxItems").unwrap_or(usize::MAX).max(at_least);
        let more = if self.small || depth > 5 { 0 } else { self.random.usize(0..3) };
        let count = at_least.saturating_add(more).min(at_most);
        let unique = flat.get("uniqueItems") == Some(&Value::Bool(true));
        let prefix = flat.get("prefixItems").and_then(Value::as_array);
        let anything = Value::Bool(true);
        let items = flat.get("items").unwrap_or(&anything);
        let mut made: Vec<Value> = Vec::new();
        for index in 0..count.max(prefix.map_or(0, Vec::len)) {
            let schema = prefix.and_then(|schemas| schemas.get(index)).unwrap_or(items);
            let both =
                contained.filter(|(_, count)| index < *count).map(|(part, _)| json!({ "allOf": [schema, part] }));
            let value = (0..8).find_map(|_| {
                let value = self.make(both.as_ref().unwrap_or(schema), depth + 1);
                value.filter(|value| !unique || !made.contains(value))
            });
            match value {
                Some(value) => made.push(value),
                None if index < at_least => return None,
                None => break,
            }
        }
        Some(Value::Array(made))
    }

    fn anything(&mut self, depth: usize) -> Value {
        if self.written != Written::Json {
            let word = self.word(depth);
            // A text that looks like JSON is read as that.
            let is_json = serde_json::from_str::<Value>(&word).is_ok();
            return Value::String(if is_json { format!("a{word}") } else { word });
        }
        match self.random.u8(0..if depth > 4 { 4 } else { 6 }) {
            0 => json!(self.random.i32(..)),
            1 => json!(0.5),
            2 => json!(self.random.bool()),
            3 => Value::String(self.word(depth)),
            4 => json!([1, null, { "a": "b" }]),
            _ => json!({ "k": [], "l": { "m": -1 } }),
        }
    }

    fn chance(&mut self, likely: f64) -> bool {
        self.random.f64() < likely
    }
}

fn length(flat: &Map<String, Value>, word: &str) -> Option<usize> {
    flat.get(word)?.as_u64()?.try_into().ok()
}
