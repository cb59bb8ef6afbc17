//! Any JSON value as a member of parameters and forms: a string is its own text, everything else is JSON.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{FromParameter, Raw, Shape, ToParameter};
use crate::json::{Entries, Members, Read, Reader, Value, read_document};
use crate::violation::Notes;

impl FromParameter for Value {
    const SHAPE: Shape = Shape::Several;

    fn from_parameter(raw: Raw<'_>, at: &mut Notes) -> Option<Self> {
        const NO_MEMBERS: Members = Members::exact(&[]).nesting();
        match raw {
            Raw::Text(text) => Some(of_text(text)),
            Raw::List(texts) => Some(texts.into_iter().map(of_text).collect::<Vec<_>>().into()),
            // `name[]=a`
            Raw::Fields(fields) if !fields.is_empty() && fields.iter().all(|field| field.name.is_empty()) => {
                Some(fields.into_iter().map(|field| of_text(field.text)).collect::<Vec<_>>().into())
            }
            Raw::Fields(_) => {
                let mut entries = Entries::new();
                at.members(raw, &NO_MEMBERS, &mut [], &mut entries)?;
                entries.finish().map(of_entries)
            }
        }
    }
}

/// `name[0]=a&name[1]=b` is a list, as PHP and Express write and read it.
fn of_entries(mut entries: BTreeMap<String, Value>) -> Value {
    let names = || (0..entries.len()).map(|index| index.to_string());
    if entries.is_empty() || !names().all(|name| entries.contains_key(&name)) {
        return Value::Object(entries);
    }
    let names: Vec<_> = names().collect();
    Value::Array(names.iter().filter_map(|name| entries.remove(name)).collect())
}

/// JSON, unless it is a string: those have no quotes. A number that is written in another way, such as `1e3`, is a text.
fn of_text(text: Cow<'_, str>) -> Value {
    match read_document(Reader::strict(text.as_bytes()), Value::read) {
        Ok(value @ (Value::Array(_) | Value::Object(_))) => value,
        Ok(value @ (Value::Null | Value::Bool(_) | Value::Number(_))) if value.to_string() == text => value,
        Ok(_) | Err(_) => Value::String(text.into_owned()),
    }
}

impl ToParameter for Value {
    fn to_parameter(&self) -> Raw<'_> {
        match self {
            Self::String(text) => Raw::Text(Cow::Borrowed(text)),
            other => Raw::json(other),
        }
    }
}
