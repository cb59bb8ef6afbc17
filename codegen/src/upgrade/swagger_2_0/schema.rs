//! The Schema Object of Swagger 2.0, with common keywords of later versions.

use serde_json::{Map, Value};

use super::{COUNTS, DEFAULT, ENUM, FLAGS, NUMBERS, TEXTS};
use crate::diagnostic::Code;
use crate::location::Path;
use crate::upgrade::openapi_3_0::schema::{XML, schema as schema_3_0, schema_as_type};
use crate::upgrade::openapi_3_0::{DESCRIPTION, EXTERNAL_DOCS};
use crate::upgrade::repairs::Repairs;
use crate::upgrade::shape::{Object, Shape, TYPES, detail, optional};

type Members = Map<String, Value>;

pub(in crate::upgrade) static SCHEMA: Object = Object::new("Schema").rule(schema).referable().fields(&[
    TEXTS,
    NUMBERS,
    COUNTS,
    FLAGS,
    DEFAULT,
    ENUM,
    detail(&["title"], Shape::String),
    DESCRIPTION,
    optional(&["maxProperties", "minProperties"], Shape::Count),
    optional(&["required"], Shape::Array(&Shape::String)),
    optional(&["type"], Shape::OneOf(&["string", "number", "integer", "boolean", "array", "object", "file"])),
    optional(&["items", "not"], Shape::Object(&SCHEMA)),
    optional(&["allOf", "oneOf", "anyOf"], Shape::Array(&Shape::Object(&SCHEMA))),
    optional(&["properties"], Shape::Map(&Shape::Object(&SCHEMA))),
    optional(&["additionalProperties"], Shape::BooleanOrSchema),
    // A string; the rule checks it.
    optional(&["discriminator"], Shape::Any),
    optional(&["readOnly", "nullable", "writeOnly", "deprecated"], Shape::Boolean),
    detail(&["xml"], Shape::Object(&XML)),
    EXTERNAL_DOCS,
    detail(&["example"], Shape::Any),
]);

/// Keywords of OpenAPI 3.0 that are common in Swagger 2.0, with the same meaning.
const WORDS_OF_3_0: &[&str] = &["oneOf", "anyOf", "not", "nullable", "writeOnly", "deprecated"];

fn schema(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    for word in WORDS_OF_3_0.iter().filter(|word| members.contains_key(**word)) {
        repairs.repaired(
            &Path::Member(path, word),
            format!("`{word}` is a word of OpenAPI 3.0, and is read as it is there"),
        );
    }
    schema_as_type(members, repairs, path);
    discriminator(members, repairs, path);
    null(members, repairs, path);
    several_types(members, repairs, path);
    // Two keywords that are valid here and mistakes there.
    let own = [("type", "file"), ("discriminator", "")].map(|(name, value)| {
        let is_own = members.get(name).is_some_and(|found| found == value || (value.is_empty() && found.is_string()));
        is_own.then(|| members.shift_remove_entry(name)).flatten()
    });
    schema_3_0(members, repairs, path);
    members.extend(own.into_iter().flatten());
}

/// The name of a property; OpenAPI 3.0 has an object.
fn discriminator(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    let Some(value) = members.get("discriminator") else { return };
    let at = Path::Member(path, "discriminator");
    match value {
        Value::String(_) => {}
        Value::Object(object) if object.get("propertyName").is_some_and(Value::is_string) => {
            repairs.repaired(&at, "an object is OpenAPI 3.0, and is read as it is there");
        }
        _ => {
            repairs.report(Code::WrongType, &at, "the name of a property is required here");
        }
    }
}

/// `type: "null"` among several types.
fn null(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    let is_null = |schema: &Value| schema.get("type").is_some_and(|ty| ty == "null");
    let mut found = false;
    for name in ["oneOf", "anyOf"] {
        if let Some(Value::Array(variants)) = members.get_mut(name)
            && variants.iter().any(is_null)
        {
            variants.retain(|variant| !is_null(variant));
            repairs.repaired(&Path::Member(path, name), "the type `null` is OpenAPI 3.1; `x-nullable: true` is meant");
            found = true;
        }
    }
    if members.get("type").is_some_and(|ty| ty == "null") {
        repairs.repaired(&Path::Member(path, "type"), "the type `null` is OpenAPI 3.1; any value or `null` is taken");
        members.shift_remove("type");
        found = true;
    }
    if found {
        members.insert("nullable".to_owned(), Value::Bool(true));
    }
}

/// `type: [string, array]` becomes a union. A single type, with or without `null`, is handled elsewhere.
fn several_types(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    let Some(Value::Array(types)) = members.get("type") else { return };
    let is_known = |ty: &Value| ty.as_str().is_some_and(|name| TYPES.contains(&name) || name == "null");
    let named: Vec<Value> = types.iter().filter(|ty| *ty != "null").cloned().collect();
    if named.len() == 1 || !types.iter().all(is_known) {
        return;
    }
    let is_nullable = named.len() < types.len();
    repairs.repaired(&Path::Member(path, "type"), "a list of types is OpenAPI 3.1; any of them is meant");
    members.shift_remove("type");
    if is_nullable {
        members.insert("nullable".to_owned(), Value::Bool(true));
    }
    let mut variants = Vec::new();
    for ty in named {
        let mut variant = Map::new();
        let own: &[&str] = match ty.as_str() {
            Some("array") => &["items", "minItems", "maxItems", "uniqueItems"],
            Some("object") => &["properties", "required", "additionalProperties", "minProperties", "maxProperties"],
            Some("string") => &["format", "pattern", "minLength", "maxLength"],
            _ => &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
        };
        variant.extend(own.iter().filter_map(|name| members.shift_remove_entry(*name)));
        variant.insert("type".to_owned(), ty);
        variants.push(Value::Object(variant));
    }
    if !variants.is_empty() {
        members.insert("anyOf".to_owned(), Value::Array(variants));
    }
}
