//! Write-only members, which responses do not have.

use serde_json::Value;

use crate::document::Document;
use crate::place::Direction;
use crate::schema::is_hidden;

/// The keyword.
pub(crate) const WRITE_ONLY: &str = "writeOnly";

/// The maximum depth of schemas in which they are looked for.
const DEEPEST: usize = 32;

/// Removes the write-only members of a value.
pub(crate) fn remove(document: &Document, schema: &Value, value: &mut Value, depth: usize) {
    let schema = document.follow(schema);
    if depth > DEEPEST || !(value.is_object() || value.is_array()) {
        return;
    }
    for word in ["allOf", "oneOf", "anyOf"] {
        for part in schema.get(word).and_then(Value::as_array).into_iter().flatten() {
            remove(document, part, value, depth + 1);
        }
    }
    match value {
        Value::Array(items) => {
            let Some(item) = schema.get("items") else { return };
            for value in items {
                remove(document, item, value, depth + 1);
            }
        }
        Value::Object(members) => {
            let properties = schema.get("properties");
            let additional = schema.get("additionalProperties");
            members.retain(|name, value| {
                let Some(member) = properties.and_then(|all| all.get(name)) else {
                    if let Some(additional) = additional {
                        remove(document, additional, value, depth + 1);
                    }
                    return true;
                };
                remove(document, member, value, depth + 1);
                !is_hidden(document, member, Direction::Response)
            });
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Whether a schema in a file has the keyword, which is `true`.
pub(crate) fn has_flag(node: &Value, keyword: &str) -> bool {
    match node {
        Value::Object(members) => {
            members.get(keyword) == Some(&Value::Bool(true)) || members.values().any(|member| has_flag(member, keyword))
        }
        Value::Array(items) => items.iter().any(|item| has_flag(item, keyword)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// The write-only members of a value, as JSON Pointers: those for which the schema has the annotation. An invalid value
/// has no annotations, so variants are left out there.
pub(crate) fn found(
    document: &Document,
    schema: &Value,
    validator: &jsonschema::Validator,
    value: &Value,
) -> Vec<String> {
    let mut found = Vec::new();
    if validator.is_valid(value) {
        let evaluation = validator.evaluate(value);
        let annotated = evaluation.iter_annotations().filter(|entry| entry.annotations.value()[WRITE_ONLY] == true);
        found.extend(annotated.map(|entry| entry.instance_location.to_string()));
    } else {
        find(document, schema, value, "", &mut found, 0);
    }
    found.sort();
    found.dedup();
    found
}

fn find(document: &Document, schema: &Value, value: &Value, pointer: &str, found: &mut Vec<String>, depth: usize) {
    let schema = document.follow(schema);
    if depth > DEEPEST {
        return;
    }
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        find(document, part, value, pointer, found, depth + 1);
    }
    match value {
        Value::Array(items) => {
            let Some(item) = schema.get("items") else { return };
            for (index, value) in items.iter().enumerate() {
                find(document, item, value, &format!("{pointer}/{index}"), found, depth + 1);
            }
        }
        Value::Object(members) => {
            for (name, value) in members {
                let Some(member) = schema.get("properties").and_then(|all| all.get(name)) else { continue };
                let inner = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
                if is_hidden(document, member, Direction::Response) {
                    found.push(inner);
                } else {
                    find(document, member, value, &inner, found, depth + 1);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
