//! The types and members that a schema describes.

use serde_json::{Map, Value};

use crate::document::Document;

/// The types that values of a schema may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Types {
    pub(crate) number: bool,
    /// Whether a number may have a fraction.
    pub(crate) fraction: bool,
    pub(crate) boolean: bool,
    pub(crate) string: bool,
    pub(crate) array: bool,
    pub(crate) object: bool,
}

/// The types of a schema; all scalars if it does not say.
pub(crate) fn types(document: &Document, schema: &Value, depth: usize) -> Types {
    let schema = document.follow(schema);
    let mut types = Types::default();
    if depth > 8 {
        return types;
    }
    let mut add = |name: &str| match name {
        "integer" => types.number = true,
        "number" => (types.number, types.fraction) = (true, true),
        "boolean" => types.boolean = true,
        "string" => types.string = true,
        "array" => types.array = true,
        "object" => types.object = true,
        _ => {}
    };
    match schema.get("type") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).for_each(add),
        Some(name) => add(name.as_str().unwrap_or_default()),
        None => {
            for value in schema.get("enum").and_then(Value::as_array).into_iter().flatten().chain(schema.get("const")) {
                add(match value {
                    Value::Number(_) => "number",
                    Value::Bool(_) => "boolean",
                    Value::Null => "null",
                    _ => "string",
                });
            }
            if schema.get("properties").or(schema.get("additionalProperties")).is_some() {
                add("object");
            }
            if schema.get("items").is_some() {
                add("array");
            }
            for word in ["allOf", "oneOf", "anyOf"] {
                for part in schema.get(word).and_then(Value::as_array).into_iter().flatten() {
                    types.add(self::types(document, part, depth + 1));
                }
            }
        }
    }
    types
}

impl Types {
    fn add(&mut self, other: Self) {
        self.number |= other.number;
        self.fraction |= other.fraction;
        self.boolean |= other.boolean;
        self.string |= other.string;
        self.array |= other.array;
        self.object |= other.object;
    }

    /// Whether a list is not among them, so that a parameter or a part is there once.
    pub(crate) fn is_one(self) -> bool {
        !self.array && (self.string || self.number || self.boolean || self.object)
    }

    /// The same without one of the kinds: several pieces, or one text.
    pub(crate) fn as_several(self, several: bool) -> Self {
        if several {
            Self { object: self.object && !self.array, ..self }
        } else {
            Self { array: false, object: false, ..self }
        }
    }
}

pub(super) fn items<'d>(document: &'d Document, schema: &'d Value) -> &'d Value {
    let schema = document.follow(schema);
    let variants = ["allOf", "oneOf", "anyOf"].into_iter().filter_map(|word| schema.get(word)?.as_array()).flatten();
    let found = || variants.into_iter().find_map(|variant| document.follow(variant).get("items"));
    schema.get("items").or_else(found).unwrap_or(&Value::Bool(true))
}

/// The schema of a member; any value if it is not described.
pub(crate) fn member<'d>(document: &'d Document, schema: &'d Value, name: &str, depth: usize) -> &'d Value {
    let schema = document.follow(schema);
    if let Some(found) = schema.get("properties").and_then(|members| members.get(name)) {
        return found;
    }
    let parts = ["allOf", "oneOf", "anyOf"].into_iter().filter_map(|word| schema.get(word)?.as_array()).flatten();
    let mut found = parts.filter(|_| depth < 8).map(|part| member(document, part, name, depth + 1));
    let found = found.find(|found| !found.is_boolean());
    found.or_else(|| schema.get("additionalProperties")).unwrap_or(&Value::Bool(true))
}

/// Collects the names of the members that a schema and its parts describe.
pub(crate) fn properties(document: &Document, schema: &Value, names: &mut Vec<String>, depth: usize) {
    let schema = document.follow(schema);
    names.extend(schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys).cloned());
    for word in ["allOf", "oneOf", "anyOf"] {
        for part in schema.get(word).and_then(Value::as_array).into_iter().flatten().filter(|_| depth < 8) {
            properties(document, part, names, depth + 1);
        }
    }
}

/// Whether a server reads the value at a JSON Pointer. It skips members that an object does not describe, unless it says
/// that it has others.
pub(crate) fn is_read(document: &Document, schema: &Value, pointer: &str) -> bool {
    let mut schema = schema;
    for step in pointer.split('/').skip(1) {
        let kinds = types(document, schema, 0);
        if kinds.array && !kinds.object {
            let index = step.parse::<usize>().unwrap_or_default();
            let at_index = document.follow(schema).get("prefixItems").and_then(|first| first.get(index));
            schema = at_index.unwrap_or_else(|| items(document, schema));
            continue;
        }
        let name = step.replace("~1", "/").replace("~0", "~");
        let mut described = Vec::new();
        properties(document, schema, &mut described, 0);
        if !described.is_empty() && !described.contains(&name) && !has_others(document, schema, 0) {
            return false;
        }
        schema = member(document, schema, &name, 0);
    }
    true
}

/// Whether a schema or one of its parts says what members have that it does not name.
fn has_others(document: &Document, schema: &Value, depth: usize) -> bool {
    let schema = document.follow(schema);
    let says = |word: &str| schema.get(word).is_some_and(|others| *others != Value::Bool(false));
    let parts = ["allOf", "oneOf", "anyOf"].into_iter().filter_map(|word| schema.get(word)?.as_array()).flatten();
    says("additionalProperties")
        || says("patternProperties")
        || parts.filter(|_| depth < 8).any(|part| has_others(document, part, depth + 1))
}
