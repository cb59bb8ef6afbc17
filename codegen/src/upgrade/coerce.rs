//! Values of the wrong type with one obvious meaning: `version: 1.0`, `required: "true"`, `tags: accounts`.

use serde_json::{Map, Number, Value};

use super::structure::Shape;

/// Makes the value what the shape wants, when that is obvious, and says so.
pub(super) fn coerce(value: &mut Value, shape: &Shape) -> Option<String> {
    let (meant, message) = match (shape, &*value) {
        (Shape::String, Value::Number(number)) => (Value::String(number.to_string()), read_as(number, "the string")),
        (Shape::String, Value::Bool(flag)) => (Value::String(flag.to_string()), read_as(flag, "the string")),
        (Shape::Boolean | Shape::BooleanOrSchema, Value::String(text)) => {
            (Value::Bool(text.parse().ok()?), read_as(text, "the boolean"))
        }
        (Shape::Count, Value::String(text)) => {
            (Value::Number(text.parse::<u64>().ok()?.into()), read_as(text, "the number"))
        }
        (Shape::Number, Value::String(text)) => (Value::Number(text.parse().ok()?), read_as(text, "the number")),
        (Shape::Array(Shape::String), Value::String(text)) => {
            (Value::Array(vec![Value::String(text.clone())]), format!("`{text}` was read as a list of one"))
        }
        (Shape::Array(_), Value::Null) => (Value::Array(Vec::new()), "an empty list is meant".to_owned()),
        // PHP writes an empty object as `[]`.
        (Shape::Map(_) | Shape::Object(_) | Shape::Schema, Value::Array(items)) if items.is_empty() => {
            (Value::Object(Map::new()), "an empty object is meant".to_owned())
        }
        (Shape::Array(Shape::Object(item)), Value::Object(members))
            if item.fields.iter().any(|field| members.contains_key(field.name)) =>
        {
            (Value::Array(vec![value.clone()]), "a list of one is meant".to_owned())
        }
        (Shape::Count, Value::Number(number)) => {
            // `3.0` is a whole number in JSON Schema, so there is nothing to say.
            *value = Value::Number(whole(number)?);
            return None;
        }
        (
            Shape::Any
            | Shape::Boolean
            | Shape::Number
            | Shape::Count
            | Shape::String
            | Shape::OneOf(_)
            | Shape::OneOrSeveral(_)
            | Shape::Array(_)
            | Shape::Map(_)
            | Shape::Object(_)
            | Shape::Schema
            | Shape::BooleanOrSchema
            | Shape::Reference(_),
            _,
        ) => return None,
    };
    *value = meant;
    Some(message)
}

/// A number with a zero fraction as an integer.
pub(super) fn whole(number: &Number) -> Option<Number> {
    let float = number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0)?;
    // The text of such a float is its digits and `.0`.
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
            (Shape::Boolean, json!("yes"), json!("yes"), false),
            (Shape::Count, json!(3.0), json!(3), false),
            (Shape::Count, json!("12"), json!(12), true),
            (Shape::Count, json!(-1), json!(-1), false),
            (Shape::Array(&Shape::String), json!("a"), json!(["a"]), true),
            (Shape::Any, json!(null), json!(null), false),
        ];
        for (shape, mut value, expected, said) in cases {
            assert_eq!(coerce(&mut value, &shape).is_some(), said, "{expected}");
            assert_eq!(value, expected);
        }
    }
}
