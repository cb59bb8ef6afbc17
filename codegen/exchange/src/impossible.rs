//! Schemas that no value satisfies, for instance if one part of an `allOf` requires `success` to be `true`
//! and another `false`.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::document::Document;
use crate::place::Direction;
use crate::schema::{as_said, is_hidden, nullable};

/// The maximum depth at which members and variants are examined. Deeper ones are assumed to be possible.
const DEEPEST: usize = 8;

/// Whether the schema certainly contradicts itself, so that it has no valid value.
pub fn is_impossible(document: &Document, schema: &Value, direction: Direction) -> bool {
    let mut parts = Parts::default();
    parts.add(document, schema, 0);
    parts.contradict(document, direction, 0)
}

/// Whether a value is certainly an object without members, because all of its members are hidden in this
/// direction. Such a value has no text in a path, so it cannot be sent.
pub fn is_empty(document: &Document, schema: &Value, direction: Direction) -> bool {
    let schema = document.follow(schema);
    let members = schema["properties"].as_object();
    schema["type"] == "object"
        && schema["additionalProperties"] == false
        && schema.get("patternProperties").is_none()
        && members.into_iter().flatten().all(|(_, member)| is_hidden(document, member, direction))
}

/// Schemas that a value must all satisfy, without references and combinations.
#[derive(Clone, Default)]
struct Parts<'d> {
    plain: Vec<&'d Value>,
    /// Lists of variants. A value must satisfy at least one variant of each list.
    unions: Vec<&'d [Value]>,
}

impl<'d> Parts<'d> {
    fn add(&mut self, document: &'d Document, schema: &'d Value, depth: usize) {
        let is_null_too = schema.as_object().is_some_and(nullable);
        if depth > DEEPEST || is_null_too && schema.get("type").is_none() {
            return;
        }
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            if let Some(target) = document.find(reference) {
                self.add(document, target, depth + 1);
            }
            if document.is_old {
                return;
            }
        }
        self.plain.push(schema);
        if is_null_too {
            return;
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            self.add(document, part, depth + 1);
        }
        let variants = ["oneOf", "anyOf"].iter().filter_map(|word| schema.get(*word)?.as_array());
        self.unions.extend(variants.filter(|variants| !variants.is_empty()).map(Vec::as_slice));
    }

    fn contradict(&self, document: &'d Document, direction: Direction, depth: usize) -> bool {
        let types = common(self.plain.iter().filter_map(|part| types(part)));
        let values = common(self.plain.iter().filter_map(|part| values(part)));
        if self.plain.contains(&&Value::Bool(false))
            || types.as_ref().is_some_and(BTreeSet::is_empty)
            || values.is_some_and(|values| !values.iter().any(|value| has_type(value, types.as_ref())))
        {
            return true;
        }
        if depth > DEEPEST {
            return false;
        }
        let is_object = types.is_some_and(|types| types == BTreeSet::from(["object"]));
        if is_object && self.required().any(|name| self.member_contradicts(name, document, direction, depth)) {
            return true;
        }
        self.unions.iter().any(|variants| {
            variants.iter().all(|variant| {
                let mut parts = Self { plain: self.plain.clone(), unions: Vec::new() };
                parts.add(document, variant, 0);
                parts.contradict(document, direction, depth + 1)
            })
        })
    }

    fn required(&self) -> impl Iterator<Item = &'d str> {
        let lists = self.plain.iter().filter_map(|part| part.get("required")?.as_array());
        lists.flatten().filter_map(Value::as_str)
    }

    fn member_contradicts(&self, name: &str, document: &'d Document, direction: Direction, depth: usize) -> bool {
        let described: Vec<&'d Value> =
            self.plain.iter().filter_map(|part| part.get("properties")?.get(name)).collect();
        if described.iter().any(|schema| is_hidden(document, schema, direction)) {
            return false;
        }
        let mut parts = Self::default();
        for schema in described {
            parts.add(document, schema, 0);
        }
        parts.contradict(document, direction, depth + 1)
    }
}

/// The intersection of the sets; `None` if there are no sets.
fn common<T: Ord>(sets: impl Iterator<Item = BTreeSet<T>>) -> Option<BTreeSet<T>> {
    sets.reduce(|mut one, other| {
        one.retain(|item| other.contains(item));
        one
    })
}

/// Whether a value, as JSON, has one of the types.
fn has_type(value: &str, types: Option<&BTreeSet<&str>>) -> bool {
    let own: &[&str] = match value.as_bytes().first() {
        Some(b'n') => &["null"],
        Some(b't' | b'f') => &["boolean"],
        Some(b'"') => &["string"],
        Some(b'[') => &["array"],
        Some(b'{') => &["object"],
        _ => &["number", "integer"],
    };
    types.is_none_or(|types| own.iter().any(|name| types.contains(name)))
}

/// The types of a schema; integers count as numbers.
fn types(schema: &Value) -> Option<BTreeSet<&str>> {
    let mut types: BTreeSet<&str> = match schema.get("type")? {
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        name => name.as_str().into_iter().collect(),
    };
    if types.contains("number") {
        types.insert("integer");
    }
    if schema.as_object().is_some_and(nullable) {
        types.insert("null");
    }
    Some(types)
}

/// The values that a schema lists, as JSON.
fn values(schema: &Value) -> Option<BTreeSet<String>> {
    let listed = schema.get("enum").and_then(Value::as_array).filter(|values| !values.is_empty());
    let said =
        |value: &Value| schema.as_object().map_or_else(|| value.clone(), |schema| as_said(schema, value)).to_string();
    let listed = listed.map(|values| values.iter().map(said).collect::<BTreeSet<_>>());
    let mut values = listed.or_else(|| Some(BTreeSet::from([schema.get("const")?.to_string()])))?;
    if schema.as_object().is_some_and(nullable) {
        values.insert(Value::Null.to_string());
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{is_empty, is_impossible};
    use crate::document::Document;
    use crate::place::Direction;

    fn impossible(schema: &Value) -> bool {
        let common = json!({ "type": "object", "required": ["success", "result"], "properties": {
            "success": { "type": "boolean", "enum": [true] },
            "result": { "anyOf": [{ "type": "object" }, { "type": "string" }] },
        } });
        let document = Document::of(json!({ "openapi": "3.0.0", "components": { "schemas": { "Common": common } } }));
        is_impossible(&document, schema, Direction::Response)
    }

    fn with(properties: &Value) -> Value {
        json!({ "allOf": [{ "$ref": "openapi.json#/components/schemas/Common" }, { "properties": properties }] })
    }

    #[test]
    fn what_contradicts_itself_is_found() {
        for schema in [
            with(&json!({ "success": { "enum": [false] } })),
            with(&json!({ "result": { "type": "integer" } })),
            with(&json!({ "result": { "allOf": [{ "type": "object" }, { "type": "array" }] } })),
            with(
                &json!({ "result": { "allOf": [{ "type": "object" }, { "type": "object", "enum": [null], "nullable": true }] } }),
            ),
            json!({ "oneOf": [with(&json!({ "success": { "const": 1 } })), false] }),
        ] {
            assert!(impossible(&schema), "{schema}");
        }
    }

    #[test]
    fn an_object_of_members_that_do_not_travel_is_empty() {
        let document = Document::of(json!({ "openapi": "3.0.0" }));
        let closed = |properties: &Value, more: &Value| json!({ "type": "object", "properties": properties, "additionalProperties": more });
        let (read, write) = (json!({ "readOnly": true }), json!({ "writeOnly": true }));
        let of = |schema: &Value| is_empty(&document, schema, Direction::Request);
        assert!(of(&closed(&json!({ "a": read }), &json!(false))) && of(&closed(&json!({}), &json!(false))));
        assert!(!of(&closed(&json!({ "a": read, "b": write }), &json!(false))));
        assert!(!of(&closed(&json!({ "a": read }), &json!(true))), "others may be there");
        assert!(!of(&json!({ "additionalProperties": false })), "it may be a text");
    }

    #[test]
    fn what_some_value_meets_is_possible() {
        for schema in [
            with(&json!({ "success": { "enum": [false, true] } })),
            with(&json!({ "result": { "type": "object" } })),
            with(&json!({ "other": { "allOf": [{ "type": "object" }, { "type": "array" }] } })),
            with(&json!({ "success": { "enum": [false], "writeOnly": true } })),
            json!({ "allOf": [{ "type": "number" }, { "type": "integer" }] }),
            json!({ "allOf": [{ "type": "object", "nullable": true }, { "type": "array", "nullable": true }] }),
            json!({ "oneOf": [with(&json!({ "success": { "const": 1 } })), true] }),
            json!({ "type": "object", "nullable": true, "allOf": [{ "type": "array" }] }),
            json!({ "type": "integer", "enum": ["1", "2"] }),
            json!({ "type": "string", "enum": [null] }),
        ] {
            assert!(!impossible(&schema), "{schema}");
        }
    }
}
