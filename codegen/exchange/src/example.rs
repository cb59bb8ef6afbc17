//! Examples of schemas, and those of their members.

use std::ptr;

use serde_json::{Map, Value};

use crate::document::Document;
use crate::hidden::{each, members_of, with_parts};
use crate::place::Direction;
use crate::schema::is_hidden;

/// The maximum number of schemas that an example is composed of.
const MOST: usize = 2_000;

/// The example of a schema, also one that is composed of the examples of its members.
pub(crate) fn composed(document: &Document, schema: &Value) -> Option<Value> {
    Composer { document, around: Vec::new(), left: MOST }.example(schema)
}

/// The value of the schema, with the examples of its members in place of what it has there; `None` if none has one.
pub(crate) fn filled(document: &Document, schema: &Value, value: &Value) -> Option<Value> {
    let mut filled = value.clone();
    fill(document, &[schema], &mut filled).then_some(filled)
}

/// Composes examples.
struct Composer<'d> {
    document: &'d Document,
    /// The schemas around this one: none of them is in itself.
    around: Vec<&'d Value>,
    /// How many more schemas may be looked at.
    left: usize,
}

impl<'d> Composer<'d> {
    fn example(&mut self, schema: &'d Value) -> Option<Value> {
        let schema = self.document.follow(schema);
        if let Some(own) = own(schema) {
            return Some(own.clone());
        }
        if self.around.iter().any(|around| ptr::eq(*around, schema)) {
            return None;
        }
        self.left = self.left.checked_sub(1)?;
        self.around.push(schema);
        let example = self.composed(schema);
        self.around.pop();
        example
    }

    fn composed(&mut self, schema: &'d Value) -> Option<Value> {
        if let Some(parts) = schema.get("allOf").and_then(Value::as_array) {
            let mut whole = Map::new();
            for part in parts {
                let Value::Object(members) = self.example(part)? else { return None };
                whole.extend(members);
            }
            if let Some(Value::Object(members)) = self.members(schema) {
                whole.extend(members);
            }
            return Some(Value::Object(whole));
        }
        if schema["type"] == "array" {
            return Some(Value::Array(vec![self.example(schema.get("items")?)?]));
        }
        self.members(schema)
    }

    /// `None` if a required member has no example, or if no member has one.
    fn members(&mut self, schema: &'d Value) -> Option<Value> {
        let required =
            |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|it| it == name));
        let mut members = Map::new();
        for (name, member) in schema.get("properties")?.as_object()? {
            if is_hidden(self.document, member, Direction::Response) {
                continue;
            }
            match self.example(member) {
                Some(value) => {
                    members.insert(name.clone(), value);
                }
                None if required(name) => return None,
                None => {}
            }
        }
        (!members.is_empty()).then_some(Value::Object(members))
    }
}

/// The example that stands in the schema itself.
fn own(schema: &Value) -> Option<&Value> {
    let first = || schema.get("examples")?.as_array()?.first();
    schema.get("example").or_else(first).or(schema.get("default")).or(schema.get("const"))
}

/// Whether there was an example. Of a list whose items have examples, as many items remain as it must have, at least one.
fn fill(document: &Document, schemas: &[&Value], value: &mut Value) -> bool {
    let schemas = with_parts(document, schemas, &["allOf"]);
    if let Some(example) = schemas.iter().find_map(|schema| own(schema)) {
        value.clone_from(example);
        return true;
    }
    match value {
        Value::Array(items) => {
            let of_items = each(&schemas, "items");
            let has_example = items.iter_mut().fold(false, |found, item| fill(document, &of_items, item) | found);
            if has_example {
                let least = each(&schemas, "minItems").into_iter().filter_map(Value::as_u64).max().unwrap_or(0);
                items.truncate(usize::try_from(least).unwrap_or(usize::MAX).max(1));
            }
            has_example
        }
        Value::Object(members) => {
            let mut has_example = false;
            for (name, member) in members.iter_mut() {
                has_example |= fill(document, &members_of(&schemas, name), member);
            }
            let described = schemas.iter().filter_map(|schema| schema.get("properties")?.as_object()).flatten();
            for (name, member) in described {
                if !members.contains_key(name)
                    && !is_hidden(document, member, Direction::Response)
                    && let Some(example) = composed(document, member)
                {
                    members.insert(name.clone(), example);
                    has_example = true;
                }
            }
            has_example
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{composed, filled};
    use crate::document::Document;

    const TREE: &str = "openapi.json#/components/schemas/Tree";

    fn document_of(tree: &Value) -> Document {
        Document::of(json!({ "openapi": "3.0.3", "paths": {}, "components": { "schemas": { "Tree": tree } } }))
    }

    fn filled_of(schema: &Value, value: &Value) -> Option<Value> {
        filled(&document_of(&json!({})), schema, value)
    }

    #[test]
    fn members_without_an_example_keep_their_values() {
        let pet = json!({
            "type": "object",
            "required": ["name", "photos"],
            "properties": {
                "id": { "type": "integer", "example": 10 },
                "name": { "type": "string", "example": "doggie" },
                "secret": { "type": "string", "example": "s", "writeOnly": true },
                "photos": { "type": "array", "items": { "type": "string" } }
            }
        });
        let value = json!({ "name": "h%", "photos": ["?", "="] });
        let expected = json!({ "id": 10, "name": "doggie", "photos": ["?", "="] });
        assert_eq!(filled_of(&pet, &value), Some(expected.clone()));

        let composed = json!({ "allOf": [pet, { "properties": { "at": { "default": 3 } } }] });
        assert_eq!(filled_of(&composed, &value).map(|value| value["at"].clone()), Some(json!(3)));
        let list = json!({ "type": "array", "items": pet });
        assert_eq!(filled_of(&list, &json!([value, value])), Some(json!([expected])));
    }

    #[test]
    fn a_value_without_examples_is_left_alone() {
        let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
        assert_eq!(filled_of(&schema, &json!({ "name": "h%" })), None);
        assert_eq!(filled_of(&schema, &json!([1])), None);
    }

    #[test]
    fn a_schema_is_not_in_its_own_example() {
        let members: Map<_, _> = (0..30).map(|number| (format!("m{number}"), json!({ "$ref": TREE }))).collect();
        let mut tree = json!({ "type": "object", "properties": members });
        let example = |tree: &Value| composed(&document_of(tree), &json!({ "$ref": TREE }));
        assert_eq!(example(&tree), None);
        tree["properties"]["name"] = json!({ "type": "string", "example": "Oak" });
        assert_eq!(example(&tree), Some(json!({ "name": "Oak" })));
    }

    #[test]
    fn schemas_that_refer_to_each_other_end() {
        let name = |number: usize| format!("openapi.json#/components/schemas/S{number}");
        let members: Map<_, _> =
            (0..30).map(|number| (format!("m{number}"), json!({ "$ref": name(number) }))).collect();
        let schemas: Map<_, _> =
            (0..30).map(|number| (format!("S{number}"), json!({ "type": "object", "properties": members }))).collect();
        let document = Document::of(json!({ "openapi": "3.0.3", "paths": {}, "components": { "schemas": schemas } }));
        assert_eq!(composed(&document, &json!({ "$ref": name(0) })), None);
    }
}
