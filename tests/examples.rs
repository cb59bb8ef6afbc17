//! The examples of the description satisfy its schemas, and every text and list in it is bounded.

use serde_json::{Value, json};
use tests::description;

#[test]
fn examples_are_valid() {
    let document = description::load();
    let mut examples = Vec::new();
    collect(&document, "#", &mut examples);
    assert!(examples.len() > 500, "only {} examples have been found", examples.len());

    let mut wrong = Vec::new();
    for (place, schema, example) in examples {
        let mut schema = schema.clone();
        schema["components"] = json!({ "schemas": document["components"]["schemas"] });
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .build(&schema)
            .unwrap_or_else(|error| panic!("{place}: {error}"));
        wrong.extend(validator.iter_errors(example).map(|error| format!("{place}{}: {error}", error.instance_path())));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn texts_and_lists_are_bounded() {
    let document = description::load();
    let mut unbounded = Vec::new();
    find_unbounded(&document, "#", &mut unbounded);
    assert!(unbounded.is_empty(), "{unbounded:#?}");
}

/// Every schema of texts without `maxLength`, and of lists without `maxItems`.
fn find_unbounded(node: &Value, place: &str, unbounded: &mut Vec<String>) {
    match node {
        Value::Object(members) => {
            let is = |name: &str| match members.get("type") {
                Some(Value::Array(types)) => types.iter().any(|ty| ty == name),
                ty => ty.is_some_and(|ty| ty == name),
            };
            // A part of `anyOf` speaks of a member that is bounded where it is described.
            let is_part = place.contains("/anyOf/");
            let says = |keywords: &[&str]| keywords.iter().any(|keyword| members.contains_key(*keyword));
            if is("string") && !says(&["maxLength", "enum", "format"]) && !is_part {
                unbounded.push(format!("{place} has no `maxLength`"));
            }
            if is("array") && !says(&["maxItems"]) {
                unbounded.push(format!("{place} has no `maxItems`"));
            }
            for (name, member) in members.iter().filter(|(name, _)| *name != "example") {
                find_unbounded(member, &format!("{place}/{name}"), unbounded);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                find_unbounded(item, &format!("{place}/{index}"), unbounded);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Every `example` with its schema: the `schema` next to it, or the schema that contains it.
fn collect<'a>(node: &'a Value, place: &str, examples: &mut Vec<(String, &'a Value, &'a Value)>) {
    match node {
        Value::Object(members) => {
            if let Some(example) = members.get("example") {
                examples.push((place.to_owned(), members.get("schema").unwrap_or(node), example));
            }
            for (name, member) in members.iter().filter(|(name, _)| *name != "example" && !name.starts_with("x-")) {
                collect(member, &format!("{place}/{name}"), examples);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, &format!("{place}/{index}"), examples);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
