//! Members that one direction does not have: write-only ones in responses, read-only ones in requests.

use serde_json::Value;

use crate::document::Document;
use crate::place::Direction;
use crate::schema::is_hidden;

/// The keyword.
pub(crate) const WRITE_ONLY: &str = "writeOnly";

/// Removes the members that a message of this direction does not have: the write-only ones of a response, the read-only
/// ones of a request.
pub(crate) fn remove(document: &Document, schema: &Value, direction: Direction, value: &mut Value) {
    remove_by(document, &[schema], direction, value);
}

fn remove_by(document: &Document, schemas: &[&Value], direction: Direction, value: &mut Value) {
    let schemas = with_parts(document, schemas, &["allOf", "oneOf", "anyOf"]);
    match value {
        Value::Array(items) => {
            let schemas = each(&schemas, "items");
            for value in items {
                remove_by(document, &schemas, direction, value);
            }
        }
        Value::Object(members) => members.retain(|name, value| {
            let declared = members_of(&schemas, name);
            if declared.iter().any(|member| is_hidden(document, member, direction)) {
                return false;
            }
            let others = || each(&schemas, "additionalProperties");
            remove_by(document, &if declared.is_empty() { others() } else { declared }, direction, value);
            true
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The schemas with their parts, each once: parents and variants may refer to each other.
pub(crate) fn with_parts<'d>(document: &'d Document, schemas: &[&'d Value], words: &[&str]) -> Vec<&'d Value> {
    let mut found: Vec<&Value> = Vec::new();
    let mut next = schemas.to_vec();
    while let Some(schema) = next.pop() {
        let schema = document.follow(schema);
        if !found.iter().any(|before| std::ptr::eq(*before, schema)) {
            found.push(schema);
            next.extend(words.iter().filter_map(|word| schema.get(word)?.as_array()).flatten());
        }
    }
    found
}

/// The schemas below this keyword.
pub(crate) fn each<'d>(schemas: &[&'d Value], word: &str) -> Vec<&'d Value> {
    schemas.iter().filter_map(|schema| schema.get(word)).collect()
}

/// The schemas of this member.
pub(crate) fn members_of<'d>(schemas: &[&'d Value], name: &str) -> Vec<&'d Value> {
    schemas.iter().filter_map(|schema| schema.get("properties")?.get(name)).collect()
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
        find(document, &[schema], value, "", &mut found);
    }
    found.sort();
    found.dedup();
    found
}

fn find(document: &Document, schemas: &[&Value], value: &Value, pointer: &str, found: &mut Vec<String>) {
    let schemas = with_parts(document, schemas, &["allOf"]);
    match value {
        Value::Array(items) => {
            let schemas = each(&schemas, "items");
            for (index, value) in items.iter().enumerate() {
                find(document, &schemas, value, &format!("{pointer}/{index}"), found);
            }
        }
        Value::Object(members) => {
            for (name, value) in members {
                let declared = members_of(&schemas, name);
                let inner = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
                if declared.iter().any(|member| is_hidden(document, member, Direction::Response)) {
                    found.push(inner);
                } else {
                    find(document, &declared, value, &inner, found);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A parent whose variants refer back to it, as descriptions with inheritance do.
    #[test]
    fn each_schema_is_looked_at_once() {
        let names: Vec<String> = (0..20).map(|number| format!("Pet{number}")).collect();
        let reference = |name: &String| json!({ "$ref": format!("#/components/schemas/{name}") });
        let pet = json!({
            "properties": { "secret": { "writeOnly": true }, "young": { "$ref": "#/components/schemas/Pet" } },
            "oneOf": names.iter().map(reference).collect::<Vec<_>>(),
        });
        let mut schemas = json!({ "Pet": pet });
        for name in &names {
            schemas[name] = json!({ "allOf": [{ "$ref": "#/components/schemas/Pet" }] });
        }
        let document = Document::of(json!({ "openapi": "3.1.0", "components": { "schemas": schemas } }));
        let mut value = json!({ "secret": 1, "name": "Bella", "young": { "secret": 2 } });
        let schema = json!({ "$ref": "openapi.json#/components/schemas/Pet" });
        let mut found = Vec::new();
        find(&document, &[&schema], &value, "", &mut found);
        assert_eq!(found, ["/secret", "/young/secret"]);
        remove(&document, &schema, Direction::Response, &mut value);
        assert_eq!(value, json!({ "name": "Bella", "young": {} }));
    }
}
