//! Values of the wrong type with one obvious meaning: `version: 1.0`, `required: "true"`, `tags: accounts`.

use serde_json::{Map, Number, Value, json};

use super::shape::{Shape, TYPES};

/// Converts the value to the shape if that is obvious, and describes the repair.
pub(super) fn coerce(value: &mut Value, shape: &Shape) -> Option<String> {
    if let (Shape::Count, Value::Number(number)) = (shape, &*value) {
        // `3.0` is an integer in JSON Schema, so this is not a repair.
        *value = Value::Number(whole(number)?);
        return None;
    }
    let (meant, message) = meant(value, shape)?;
    *value = meant;
    Some(message)
}

fn meant(value: &Value, shape: &Shape) -> Option<(Value, String)> {
    Some(match (shape, value) {
        (Shape::String, Value::Number(number)) => (Value::String(number.to_string()), read_as(number, "the string")),
        (Shape::String, Value::Bool(flag)) => (Value::String(flag.to_string()), read_as(flag, "the string")),
        (Shape::Count, Value::String(text)) => {
            (Value::Number(text.parse::<u64>().ok()?.into()), read_as(text, "the number"))
        }
        (Shape::Number, Value::String(text)) => (Value::Number(text.parse().ok()?), read_as(text, "the number")),
        (Shape::OneOf(allowed) | Shape::OneOrSeveral(allowed), Value::String(text)) => {
            let name = allowed.iter().find(|name| **name != text && name.eq_ignore_ascii_case(text))?;
            (Value::String((*name).to_owned()), format!("`{name}` is meant"))
        }
        (Shape::Boolean | Shape::BooleanOrSchema | Shape::Schema, Value::String(text)) => match boolean(text) {
            Some(flag) if !matches!(shape, Shape::Schema) => (Value::Bool(flag), read_as(text, "the boolean")),
            _ if !matches!(shape, Shape::Boolean) && TYPES.contains(&text.as_str()) => {
                (json!({"type": text}), format!("a schema with `type: {text}` is meant"))
            }
            _ => return None,
        },
        (Shape::Map(_) | Shape::Object(_) | Shape::Schema, Value::Null) => {
            (Value::Object(Map::new()), "an empty object is meant".to_owned())
        }
        // PHP writes empty objects as `[]`, and empty lists as `{}`.
        (Shape::Map(_) | Shape::Object(_) | Shape::Schema, Value::Array(items)) if items.is_empty() => {
            (Value::Object(Map::new()), "an empty object is meant".to_owned())
        }
        (Shape::Array(_), Value::Null) => (Value::Array(Vec::new()), "an empty list is meant".to_owned()),
        (Shape::Array(_), Value::Object(members)) if members.is_empty() => {
            (Value::Array(Vec::new()), "an empty list is meant".to_owned())
        }
        (Shape::Array(Shape::String), Value::Array(items)) if items.iter().any(Value::is_null) => {
            let others = items.iter().filter(|item| !item.is_null()).cloned().collect();
            (Value::Array(others), "`null` is not a name; it was removed".to_owned())
        }
        (Shape::Array(item), value) if is_item(value, item) => {
            (Value::Array(vec![value.clone()]), "a list of one is meant".to_owned())
        }
        _ => return None,
    })
}

/// Whether a value in place of a list is a single item of it.
fn is_item(value: &Value, item: &Shape) -> bool {
    const SCHEMA_WORDS: &[&str] = &["$ref", "type", "properties", "items", "enum", "allOf", "oneOf", "anyOf"];
    match (item, value) {
        (Shape::Any, value) => !value.is_array() && !value.is_object(),
        (Shape::String, Value::String(_)) => true,
        (Shape::Map(_), Value::Object(members)) => members.values().all(Value::is_array),
        (Shape::Object(object), Value::Object(members)) => object.names().any(|name| members.contains_key(name)),
        (Shape::Schema, Value::Object(members)) => SCHEMA_WORDS.iter().any(|word| members.contains_key(*word)),
        _ => false,
    }
}

/// Booleans in the spelling of YAML 1.1, or in other letter case.
fn boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => Some(true),
        "false" | "no" | "off" => Some(false),
        _ => None,
    }
}

/// A number with a zero fraction as an integer.
pub(super) fn whole(number: &Number) -> Option<Number> {
    let float = number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0)?;
    // Such a float is formatted as its digits and `.0`.
    float.to_string().parse::<i64>().ok().map(Number::from)
}

fn read_as(value: &dyn std::fmt::Display, kind: &str) -> String {
    format!("{kind} `{value}` is meant")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_the_obvious_is_read_as_something_else() {
        let cases = [
            (Shape::String, json!(1.5), json!("1.5"), true),
            (Shape::Boolean, json!("true"), json!(true), true),
            (Shape::Boolean, json!("Yes"), json!(true), true),
            (Shape::Boolean, json!("maybe"), json!("maybe"), false),
            (Shape::Schema, json!("string"), json!({"type": "string"}), true),
            (Shape::Schema, json!("Account"), json!("Account"), false),
            (Shape::Schema, json!("true"), json!("true"), false),
            (Shape::BooleanOrSchema, json!("false"), json!(false), true),
            (Shape::BooleanOrSchema, json!("integer"), json!({"type": "integer"}), true),
            (Shape::OneOf(&["apiKey", "http"]), json!("apikey"), json!("apiKey"), true),
            (Shape::OneOf(&["apiKey", "http"]), json!("key"), json!("key"), false),
            (Shape::Map(&Shape::Any), json!(null), json!({}), true),
            (Shape::Count, json!(3.0), json!(3), false),
            (Shape::Count, json!("12"), json!(12), true),
            (Shape::Count, json!(-1), json!(-1), false),
            (Shape::Array(&Shape::String), json!("a"), json!(["a"]), true),
            (Shape::Array(&Shape::String), json!(["a", null]), json!(["a"]), true),
            (Shape::Array(&Shape::Any), json!("a"), json!(["a"]), true),
            (Shape::Array(&Shape::Any), json!({"a": 1}), json!({"a": 1}), false),
            (Shape::Array(&Shape::Schema), json!({"$ref": "#/a"}), json!([{"$ref": "#/a"}]), true),
            (Shape::Array(&Shape::Schema), json!({"a": {}}), json!({"a": {}}), false),
            (Shape::Array(&Shape::Map(&Shape::Any)), json!({"key": []}), json!([{"key": []}]), true),
            (Shape::Array(&Shape::Any), json!({}), json!([]), true),
            (Shape::Any, json!(null), json!(null), false),
        ];
        for (shape, mut value, expected, said) in cases {
            assert_eq!(coerce(&mut value, &shape).is_some(), said, "{expected}");
            assert_eq!(value, expected);
        }
    }
}
