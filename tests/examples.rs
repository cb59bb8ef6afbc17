//! The examples of the description satisfy its schemas.

use serde_json::{Map, Value, json};
use tests::description;

#[test]
fn examples_are_valid() {
    let document = description::load();
    let schemas = json_schema(&document["components"]["schemas"]);
    let mut examples = Vec::new();
    collect(&document, "#", &mut examples);
    assert!(examples.len() > 500, "only {} examples have been found", examples.len());

    let mut wrong = Vec::new();
    for (place, schema, example) in examples {
        let mut schema = json_schema(schema);
        schema["components"] = json!({ "schemas": schemas });
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .build(&schema)
            .unwrap_or_else(|error| panic!("{place}: {error}"));
        wrong.extend(validator.iter_errors(example).map(|error| format!("{place}{}: {error}", error.instance_path())));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Every `example` with the schema it belongs to: the one beside it, or the one it stands in.
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

/// A schema of OpenAPI 3.0 in the words of JSON Schema.
fn json_schema(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let mut converted: Map<String, Value> = members
                .iter()
                .filter(|(name, _)| !matches!(name.as_str(), "nullable" | "example"))
                .map(|(name, member)| (name.clone(), json_schema(member)))
                .collect();
            if members.get("nullable") == Some(&Value::Bool(true)) {
                allow_null(&mut converted);
            }
            exclude_bound(&mut converted, "minimum", "exclusiveMinimum");
            exclude_bound(&mut converted, "maximum", "exclusiveMaximum");
            Value::Object(converted)
        }
        Value::Array(items) => items.iter().map(json_schema).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => schema.clone(),
    }
}

/// `nullable: true` becomes a second type; without a type any value is allowed already.
fn allow_null(schema: &mut Map<String, Value>) {
    if let Some(ty) = schema.get_mut("type") {
        *ty = json!([ty.take(), "null"]);
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.push(Value::Null);
    }
}

/// `exclusiveMinimum: true` takes the bound over; `false` says nothing.
fn exclude_bound(schema: &mut Map<String, Value>, bound: &str, exclusive: &str) {
    if let Some(Value::Bool(excluded)) = schema.get(exclusive) {
        let limit = if *excluded { schema.remove(bound) } else { None };
        match limit {
            Some(limit) => schema.insert(exclusive.to_owned(), limit),
            None => schema.remove(exclusive),
        };
    }
}
