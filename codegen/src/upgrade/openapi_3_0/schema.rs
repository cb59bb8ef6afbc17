//! The Schema Object of OpenAPI 3.0, with common mistakes.

use serde_json::{Map, Number, Value, json};

use super::{DESCRIPTION, EXTERNAL_DOCS};
use crate::location::Path;
use crate::upgrade::coerce::whole;
use crate::upgrade::repairs::Repairs;
use crate::upgrade::shape::{Object, Shape, detail, optional, required, since};
use crate::upgrade::version::Version::OpenApi3_2;

type Members = Map<String, Value>;

/// Types of OpenAPI 3.0 and 3.1.
pub(in crate::upgrade) const TYPES_OR_NULL: &[&str] =
    &["string", "number", "integer", "boolean", "array", "object", "null"];

pub(in crate::upgrade) static SCHEMA: Object = Object::new("Schema").rule(schema).referable().fields(&[
    detail(&["title"], Shape::String),
    optional(&["multipleOf", "maximum", "minimum"], Shape::Number),
    optional(
        &["exclusiveMaximum", "exclusiveMinimum", "uniqueItems", "nullable", "readOnly", "writeOnly", "deprecated"],
        Shape::Boolean,
    ),
    optional(&["maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties"], Shape::Count),
    optional(&["pattern", "format"], Shape::String),
    optional(&["required"], Shape::Array(&Shape::String)),
    optional(&["enum"], Shape::Array(&Shape::Any)),
    optional(&["type"], Shape::OneOrSeveral(TYPES_OR_NULL)),
    optional(&["allOf", "oneOf", "anyOf"], Shape::Array(&Shape::Schema)),
    optional(&["not", "items"], Shape::Schema),
    optional(&["properties"], Shape::Map(&Shape::Schema)),
    optional(&["additionalProperties"], Shape::BooleanOrSchema),
    DESCRIPTION,
    optional(&["default"], Shape::Any),
    optional(&["discriminator"], Shape::Object(&DISCRIMINATOR)),
    detail(&["xml"], Shape::Object(&XML)),
    EXTERNAL_DOCS,
    detail(&["example"], Shape::Any),
]);

pub(in crate::upgrade) static DISCRIMINATOR: Object = Object::new("Discriminator").fields(&[
    required(&["propertyName"], Shape::String),
    optional(&["mapping"], Shape::Map(&Shape::SchemaName)),
    since(OpenApi3_2, optional(&["defaultMapping"], Shape::SchemaName)),
]);

pub(in crate::upgrade) static XML: Object = Object::new("XML").fields(&[
    detail(&["name", "namespace", "prefix"], Shape::String),
    detail(&["attribute", "wrapped"], Shape::Boolean),
    since(OpenApi3_2, detail(&["nodeType"], Shape::String)),
]);

/// Repairs obvious mistakes in OpenAPI 3.0 and before.
pub(in crate::upgrade) fn schema(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    schema_as_type(members, repairs, path);
    types(members, repairs, path);
    for (bound, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        exclusive_bound(members, bound, exclusive, repairs, path);
    }
    repair(members, repairs, path);
}

/// Repairs obvious mistakes in every version.
pub(in crate::upgrade) fn repair(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    type_name(members, repairs, path);
    required_on_properties(members, repairs, path);
    required_booleans(members, repairs, path);
    enum_of_items(members, repairs, path);
    enum_values(members, repairs, path);
    items(members, repairs, path);
    negative_counts(members, repairs, path);
    pattern(members, repairs, path);
    multiple_of_nothing(members, repairs, path);
    if said_type(members) == Some("integer") {
        integer_bounds(members, repairs, path);
    }
    if let Some(Value::String(name)) = members.get("discriminator") {
        let meant = json!({"propertyName": name});
        repairs.repaired(&Path::Member(path, "discriminator"), format!("the property `{name}` is meant"));
        members.insert("discriminator".to_owned(), meant);
    }
    for name in ["allOf", "oneOf", "anyOf", "enum"] {
        if members.get(name).is_some_and(|list| list == &json!([])) {
            repairs.repaired(&Path::Member(path, name), format!("an empty `{name}` has no meaning; it was removed"));
            members.shift_remove(name);
        }
    }
}

/// `type: { type: string }`, as in drafts of JSON Schema before draft 4.
pub(in crate::upgrade) fn schema_as_type(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    while let Some(Value::Object(schema)) = members.get_mut("type") {
        let schema = std::mem::take(schema);
        repairs.repaired(&Path::Member(path, "type"), "a schema is not a type; it is merged into the enclosing schema");
        members.shift_remove("type");
        for (name, value) in schema {
            members.entry(name).or_insert(value);
        }
    }
}

/// `type: [string, "null"]`, `type: "null"`
fn types(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    let at = Path::Member(path, "type");
    match members.get("type") {
        Some(Value::Array(types)) => {
            let is_nullable = types.iter().any(|ty| ty == "null");
            let mut others = types.iter().filter(|ty| *ty != "null");
            let (Some(ty), None) = (others.next().cloned(), others.next()) else {
                repairs.repaired(&at, "a list of types is OpenAPI 3.1, and is read as it is there");
                return;
            };
            repairs.repaired(&at, format!("a list of types is OpenAPI 3.1; {ty} is meant"));
            if is_nullable {
                members.insert("nullable".to_owned(), Value::Bool(true));
            }
            members.insert("type".to_owned(), ty);
        }
        Some(Value::String(ty)) if ty == "null" => {
            repairs.repaired(&at, "the type `null` is OpenAPI 3.1, and is read as it is there");
        }
        _ => {}
    }
}

/// `type: int`, `type: String`
fn type_name(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    let at = Path::Member(path, "type");
    let Some(Value::String(ty)) = members.get("type") else { return };
    let (meant, format) = match ty.to_ascii_lowercase().as_str() {
        name if TYPES_OR_NULL.contains(&name) => (name.to_owned(), None),
        "" | "any" | "mixed" | "undefined" | "unknown" => {
            repairs.repaired(&at, "any type is meant");
            members.shift_remove("type");
            return;
        }
        "enum" if members.contains_key("enum") => {
            repairs.repaired(&at, "the types of the values are meant");
            members.shift_remove("type");
            return;
        }
        "int" => ("integer".to_owned(), None),
        format @ ("int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32" | "uint64") => {
            ("integer".to_owned(), Some(format.to_owned()))
        }
        "long" | "bigint" => ("integer".to_owned(), Some("int64".to_owned())),
        "bool" => ("boolean".to_owned(), None),
        "str" | "text" | "char" | "varchar" => ("string".to_owned(), None),
        "decimal" | "numeric" => ("number".to_owned(), None),
        format @ ("float" | "double") => ("number".to_owned(), Some(format.to_owned())),
        format @ ("date" | "date-time" | "time" | "uuid" | "uri" | "email" | "binary") => {
            ("string".to_owned(), Some(format.to_owned()))
        }
        "datetime" | "timestamp" => ("string".to_owned(), Some("date-time".to_owned())),
        "guid" => ("string".to_owned(), Some("uuid".to_owned())),
        "url" => ("string".to_owned(), Some("uri".to_owned())),
        "file" => ("string".to_owned(), Some("binary".to_owned())),
        "list" => ("array".to_owned(), None),
        "dict" | "map" | "json" => ("object".to_owned(), None),
        _ => return,
    };
    if *ty == meant {
        return;
    }
    match format {
        Some(format) => {
            repairs.repaired(&at, format!("`type: {meant}` with `format: {format}` is meant"));
            members.entry("format").or_insert(format.into());
        }
        None => repairs.repaired(&at, format!("`type: {meant}` is meant")),
    }
    members.insert("type".to_owned(), meant.into());
}

/// `required: true` on a property moves to the enclosing object's `required`.
fn required_on_properties(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    let mut named = Vec::new();
    if let Some(Value::Object(properties)) = members.get_mut("properties") {
        let properties_path = Path::Member(path, "properties");
        for (name, property) in properties.iter_mut() {
            let Some(property) = property.as_object_mut() else { continue };
            if let Some(Value::Bool(flag)) = property.get("required") {
                let at = Path::Member(&properties_path, name);
                let message = if *flag {
                    format!("`{name}` belongs into the list `required` of the object around it")
                } else {
                    "`required: false` on a property has no meaning; it was removed".to_owned()
                };
                let flag = *flag;
                repairs.repaired(&Path::Member(&at, "required"), message);
                if flag {
                    named.push(Value::String(name.clone()));
                }
                property.shift_remove("required");
            }
        }
    }
    if let Some(Value::Bool(_)) = members.get("required") {
        repairs.repaired(&Path::Member(path, "required"), "`required` is a list of properties; it was left out");
        members.shift_remove("required");
    }
    if named.is_empty() {
        return;
    }
    if let Value::Array(required) = members.entry("required").or_insert_with(|| json!([])) {
        named.retain(|name| !required.contains(name));
        required.append(&mut named);
    }
}

/// `required: [on]`, which YAML 1.1 writers turn into `true`.
fn required_booleans(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    let Some(Value::Array(required)) = members.get("required") else { return };
    if !required.iter().any(Value::is_boolean) {
        return;
    }
    let properties = members.get("properties").and_then(Value::as_object);
    let spelt = |flag: bool| {
        let words: &[&str] = if flag { &["true", "on", "yes", "y"] } else { &["false", "off", "no", "n"] };
        let mut names = properties.into_iter().flat_map(Members::keys);
        names.find(|name| words.iter().any(|word| word.eq_ignore_ascii_case(name)))
    };
    let at = Path::Member(path, "required");
    let mut meant = Vec::new();
    for (index, name) in required.iter().enumerate() {
        match name {
            Value::Bool(flag) => match spelt(*flag) {
                Some(name) => {
                    let message = format!("the property `{name}` is meant, which YAML 1.1 reads as `{flag}`");
                    repairs.repaired(&Path::Item(&at, index), message);
                    meant.push(Value::String(name.clone()));
                }
                None => repairs.repaired(&Path::Item(&at, index), "no property has this name; it was left out"),
            },
            name => meant.push(name.clone()),
        }
    }
    members.insert("required".to_owned(), Value::Array(meant));
}

/// `exclusiveMinimum: 5` is OpenAPI 3.1.
fn exclusive_bound(members: &mut Members, bound: &str, exclusive: &str, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    if let Some(Value::Number(number)) = members.get(exclusive).cloned() {
        repairs.repaired(
            &Path::Member(path, exclusive),
            format!("a number is OpenAPI 3.1; `{bound}: {number}` with `{exclusive}: true` is meant"),
        );
        members.insert(bound.to_owned(), Value::Number(number));
        members.insert(exclusive.to_owned(), Value::Bool(true));
    }
}

/// `items: [a, b]` means in older drafts that the first item is `a` and the second `b`. Without a `type:
/// array`, authors mean `a` or `b`.
fn items(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    let is_array =
        ["type", "minItems", "maxItems", "uniqueItems", "anyOf"].iter().any(|name| members.contains_key(*name));
    let Some(Value::Array(list)) = members.get_mut("items") else { return };
    let at = Path::Member(path, "items");
    if !is_array && !list.is_empty() {
        repairs.repaired(&at, "`items` without `type: array` is about no other values; any of these is meant");
        let meant = Value::Array(std::mem::take(list));
        members.shift_remove("items");
        members.insert("anyOf".to_owned(), meant);
        return;
    }
    repairs.repaired(&at, "a schema for each item is not OpenAPI; every item may be any of them");
    let meant = match std::mem::take(list).as_mut_slice() {
        [] => json!({}),
        [only] => only.take(),
        several => json!({"anyOf": several}),
    };
    members.insert("items".to_owned(), meant);
}

/// `minLength: -1`
fn negative_counts(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    for name in ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"] {
        if members.get(name).and_then(Value::as_f64).is_some_and(|count| count < 0.0) {
            repairs.repaired(&Path::Member(path, name), format!("a negative `{name}` has no meaning; it was removed"));
            members.shift_remove(name);
        }
    }
}

/// `pattern: 00:01:00.000`, which YAML 1.1 reads as seconds.
fn pattern(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    if members.get("pattern").is_some_and(|pattern| pattern.is_number() || pattern.is_boolean()) {
        repairs.repaired(&Path::Member(path, "pattern"), "only a text is a pattern; it was left out");
        members.shift_remove("pattern");
    }
}

/// `multipleOf: 0`
fn multiple_of_nothing(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    if members.get("multipleOf").and_then(Value::as_f64).is_some_and(|factor| factor <= 0.0) {
        let at = Path::Member(path, "multipleOf");
        repairs.repaired(&at, "a `multipleOf` that is not positive has no meaning; it was removed");
        members.shift_remove("multipleOf");
    }
}

/// The only type apart from `null`.
fn said_type(members: &Members) -> Option<&str> {
    match members.get("type")? {
        Value::String(ty) => Some(ty),
        Value::Array(types) => {
            let mut others = types.iter().filter(|ty| *ty != "null");
            let only = others.next()?.as_str();
            if others.next().is_none() { only } else { None }
        }
        _ => None,
    }
}

/// `type: array, items: { type: string }, enum: [a, b]` lists items, not arrays.
fn enum_of_items(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    let is_scalar = |value: &Value| !value.is_array() && !value.is_object() && !value.is_null();
    let lists_none = |list: &Value| list.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(is_scalar));
    if said_type(members) != Some("array") || !members.get("enum").is_some_and(lists_none) {
        return;
    }
    let items = members.entry("items").or_insert_with(|| json!({}));
    let Value::Object(items) = items else { return };
    if said_type(items) == Some("array") {
        return;
    }
    if items.contains_key("$ref") {
        let items = std::mem::take(items);
        members.insert("items".to_owned(), json!({"allOf": [items]}));
    }
    repairs.repaired(&Path::Member(path, "enum"), "no array is among the values; those of the items are meant");
    // The items may have their own enum.
    let values = members.shift_remove("enum").unwrap_or_default();
    if let Some(Value::Object(items)) = members.get_mut("items") {
        items.entry("enum").or_insert(values);
    }
}

/// YAML reads `enum: [1, 2]` as numbers and `enum: ["1"]` as strings, whatever `type` says.
fn enum_values(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    let Some(ty) = said_type(members).map(str::to_owned) else { return };
    let Some(Value::Array(values)) = members.get_mut("enum") else { return };
    let list = Path::Member(path, "enum");
    for (index, value) in values.iter_mut().enumerate() {
        let meant = match (ty.as_str(), &*value) {
            ("string", Value::Number(number)) => Value::String(number.to_string()),
            ("string", Value::Bool(flag)) => Value::String(flag.to_string()),
            ("integer", Value::String(text)) => match text.parse::<i64>() {
                Ok(number) => Value::Number(number.into()),
                Err(_) => continue,
            },
            _ => continue,
        };
        repairs.repaired(&Path::Item(&list, index), format!("the {ty} {meant} is meant"));
        *value = meant;
    }
}

/// Rounds bounds of integers, and drops those beyond 64 bits.
fn integer_bounds(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    let is_unsigned = |number: &Number| number.is_u64() && !number.is_i64();
    let has_negative = members.get("minimum").and_then(Value::as_f64).is_some_and(|bound| bound < 0.0);
    let beyond = members.get("maximum").and_then(Value::as_number).filter(|number| is_unsigned(number)).cloned();
    if let (Some(beyond), true) = (&beyond, has_negative) {
        let message = format!("no signed 64-bit integer is beyond {beyond}; `maximum` was left out");
        repairs.repaired(&Path::Member(path, "maximum"), message);
        members.shift_remove("maximum");
    } else if beyond.is_some() && !members.contains_key("format") {
        repairs.repaired(&Path::Member(path, "maximum"), "`format: uint64` is meant, the only one that reaches so far");
        members.insert("format".to_owned(), "uint64".into());
    }
    for name in ["minimum", "maximum", "multipleOf"] {
        let Some(Value::Number(number)) = members.get(name) else { continue };
        if number.is_i64() || number.is_u64() {
            continue;
        }
        if let Some(integer) = whole(number) {
            members.insert(name.to_owned(), Value::Number(integer));
        } else if name != "multipleOf" && number.as_f64().is_some_and(|bound| bound.abs() > 9.2e18) {
            repairs.repaired(
                &Path::Member(path, name),
                format!("no 64-bit integer is beyond {number}; `{name}` was left out"),
            );
            members.shift_remove(name);
        }
    }
}
