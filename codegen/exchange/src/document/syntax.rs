//! Text → tree.

use std::{fmt, io};

use serde::de::{Deserialize, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde_json::{Map, Value};

/// Parses a file: JSON if it looks like it, else YAML.
pub(super) fn parse(path: &str, bytes: &[u8]) -> io::Result<Value> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}');
    let wrong = |error: &dyn fmt::Display| io::Error::new(io::ErrorKind::InvalidData, format!("{path}: {error}"));
    let yaml = || serde_yaml::from_str(text).map(|Tree(value)| value);
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).or_else(|error| yaml().map_err(|_| wrong(&error)));
    }
    yaml().map_err(|error| wrong(&error))
}

/// A value of YAML as JSON: names that are numbers become strings, integers beyond 64 bits floats, and tags are dropped.
struct Tree(Value);

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor).map(Self)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    #[expect(clippy::cast_precision_loss, reason = "JSON has no wider number")]
    fn visit_i128<E>(self, value: i128) -> Result<Value, E> {
        Ok((value as f64).into())
    }

    #[expect(clippy::cast_precision_loss, reason = "JSON has no wider number")]
    fn visit_u128<E>(self, value: u128) -> Result<Value, E> {
        Ok((value as f64).into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Value, A::Error> {
        let (_, content) = tagged.variant::<String>()?;
        content.newtype_variant::<Tree>().map(|Tree(value)| value)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Tree(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((Tree(name), Tree(value))) = members.next_entry()? {
            let name = match name {
                Value::String(text) => text,
                other => other.to_string(),
            };
            if object.contains_key(&name) {
                return Err(A::Error::custom(format_args!("the name `{name}` appears twice")));
            }
            object.insert(name, value);
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn yaml_becomes_json() {
        for (text, expected) in [
            ("{200: ok, true: [~, -1, 1.5]}", json!({ "200": "ok", "true": [null, -1, 1.5] })),
            (
                "most: 340282366920938463463374607431768211455",
                json!({ "most": 340_282_366_920_938_463_463_374_607_431_768_211_455_f64 }),
            ),
            ("least: -9223372036854775809", json!({ "least": -9_223_372_036_854_775_809_f64 })),
            ("tagged: !some [1]", json!({ "tagged": [1] })),
        ] {
            assert_eq!(parse("a.yaml", text.as_bytes()).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn names_that_appear_twice_are_refused() {
        let error = parse("a.yaml", b"a: 1\nb: { c: 1, c: 2 }\n").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert!(error.to_string().contains("the name `c` appears twice"), "{error}");
    }
}
