//! Text → tree.

use std::io;

use serde_json::Value;

/// Parses a file: JSON if it looks like it, else YAML.
pub(super) fn parse(path: &str, bytes: &[u8]) -> io::Result<Value> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}');
    let wrong = |error: &dyn std::fmt::Display| io::Error::new(io::ErrorKind::InvalidData, format!("{path}: {error}"));
    if text.trim_start().starts_with('{') {
        let parsed = serde_json::from_str(text);
        return parsed.or_else(|error| serde_yaml::from_str(text).map(json).map_err(|_| wrong(&error)));
    }
    serde_yaml::from_str(text).map(json).map_err(|error| wrong(&error))
}

/// Converts YAML to JSON: names that are numbers become strings.
fn json(value: serde_yaml::Value) -> Value {
    match value {
        serde_yaml::Value::Null => Value::Null,
        serde_yaml::Value::Bool(value) => Value::Bool(value),
        serde_yaml::Value::Number(number) => serde_json::to_value(number).unwrap_or(Value::Null),
        serde_yaml::Value::String(text) => Value::String(text),
        serde_yaml::Value::Sequence(items) => items.into_iter().map(json).collect(),
        serde_yaml::Value::Mapping(members) => {
            let name = |name: serde_yaml::Value| match json(name) {
                Value::String(text) => text,
                other => other.to_string(),
            };
            Value::Object(members.into_iter().map(|(key, value)| (name(key), json(value))).collect())
        }
        serde_yaml::Value::Tagged(tagged) => json(tagged.value),
    }
}
