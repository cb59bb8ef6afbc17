//! The examples of the description satisfy its schemas.

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
