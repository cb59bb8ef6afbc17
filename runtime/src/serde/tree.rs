//! A JSON document that keeps the order of members.

use serde::ser::{Error as _, Serialize, SerializeMap as _, Serializer};

use crate::json::{Kind, Members, Number, Read, Reader};

/// Any value.
pub(super) enum Tree {
    Null,
    Boolean(bool),
    Number(Number),
    String(String),
    Array(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

impl Read for Tree {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        match json.kind() {
            Kind::Null => {
                json.null();
                Some(Self::Null)
            }
            Kind::Boolean => json.boolean().map(Self::Boolean),
            Kind::Number => Number::read(json).map(Self::Number),
            Kind::String => String::read(json).map(Self::String),
            Kind::Array => Vec::read(json).map(Self::Array),
            Kind::Object => {
                const NO_MEMBERS: Members = Members::exact(&[]);
                let mut members = Vec::new();
                json.object(&NO_MEMBERS, &mut |json, _| {
                    let name = json.member_name().into_owned();
                    members.extend(Self::read(json).map(|value| (name, value)));
                })?;
                Some(Self::Object(members))
            }
            Kind::Broken => None,
        }
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            // Formats without null omit the member.
            Self::Null => serializer.serialize_none(),
            Self::Boolean(value) => serializer.serialize_bool(*value),
            Self::Number(number) => self::number(&number.to_string(), serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

/// An integer stays one; any other number becomes the nearest `f64`.
fn number<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if let Ok(number) = text.parse() {
        return serializer.serialize_i64(number);
    }
    if let Ok(number) = text.parse() {
        return serializer.serialize_u64(number);
    }
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => serializer.serialize_f64(number),
        _ => Err(S::Error::custom(format_args!("{text} is beyond the numbers of the format"))),
    }
}
