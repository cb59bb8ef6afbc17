//! Schemas: the few differences between Swagger 2.0 and OpenAPI 3.0, recursively.

use serde_json::{Value, json};

use super::Members;

/// Converts a schema to OpenAPI 3.0; idempotent.
pub(super) fn schema(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    if members.contains_key("$ref") {
        // Siblings of `$ref` are ignored, but authors mean this one.
        spell(members, "x-nullable", "nullable");
        return;
    }
    words(members);
    for name in ["items", "not", "additionalProperties"] {
        members.get_mut(name).into_iter().for_each(self::schema);
    }
    for name in ["allOf", "oneOf", "anyOf"] {
        members.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten().for_each(self::schema);
    }
    let properties = members.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flatten().for_each(|(_, property)| self::schema(property));
}

/// Renames keywords that OpenAPI 3.0 spells differently.
pub(super) fn words(members: &mut Members) {
    if let Some(Value::String(name)) = members.get("discriminator") {
        let object = json!({"propertyName": name});
        members.insert("discriminator".to_owned(), object);
    }
    if members.get("type").is_some_and(|ty| ty == "file") {
        members.insert("type".to_owned(), "string".into());
        members.insert("format".to_owned(), "binary".into());
    }
    spell(members, "x-nullable", "nullable");
    spell(members, "x-example", "example");
}

/// Replaces an extension by a keyword.
fn spell(members: &mut Members, extension: &str, word: &str) {
    if let Some(value) = members.get(extension).cloned()
        && (word != "nullable" || value.is_boolean())
    {
        members.entry(word).or_insert(value);
    }
}
