//! Reads the values of members.

use std::borrow::Cow;

use generated_server::runtime::{
    json,
    text::{FromText as _, nearest, quoted},
};
use jiff::Timestamp;

use crate::{
    domain::{moment, time_zone::NamedZone},
    store::record::{Kind, Resource, Value},
};

/// A value in a file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Given<'a> {
    /// A JSON value.
    Json(&'a json::Value),
    /// The cell of a table.
    Cell(&'a str),
}

impl<'a> Given<'a> {
    /// Whether it is empty.
    pub(super) fn is_nothing(self) -> bool {
        match self {
            Self::Json(value) => value.is_null(),
            Self::Cell(text) => text.is_empty(),
        }
    }

    /// The characters as they stand there.
    pub(super) fn shown(self) -> Cow<'a, str> {
        match self {
            Self::Json(value) => String::from_utf8_lossy(&json::to_vec(value)).into_owned().into(),
            Self::Cell(text) => text.into(),
        }
    }

    /// Text: a JSON string, or any cell.
    fn text(self) -> Option<&'a str> {
        match self {
            Self::Json(value) => value.as_str(),
            Self::Cell(text) => Some(text),
        }
    }

    /// The characters of what is not a string in JSON.
    fn bare(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Json(json::Value::String(_)) => None,
            Self::Json(_) => Some(self.shown()),
            Self::Cell(text) => Some(text.trim().into()),
        }
    }

    /// JSON, as long as it looks like it in a cell.
    pub(super) fn json(self) -> Option<json::Value> {
        match self {
            Self::Json(value) => Some(value.clone()),
            Self::Cell(text) if text.trim_start().starts_with(['[', '{']) => json::from_slice(text.as_bytes()).ok(),
            Self::Cell(_) => None,
        }
    }

    fn refuse(self, expected: &str) -> String {
        format!("is {}, not {expected}", quoted(&self.shown()))
    }
}

/// Reads a value of this kind; the error completes a sentence after the name of the member.
pub(super) fn read(kind: &Kind, given: Given<'_>) -> Result<Value, String> {
    match kind {
        Kind::Id => integer(given, 1, i32::MAX.into()),
        Kind::Reference(target) | Kind::Place(target) => read(key(target), given),
        Kind::Integer(least, most) => integer(given, *least, *most),
        Kind::Number => match given.bare().and_then(|text| text.parse::<f64>().ok()) {
            Some(number) if number.is_finite() => Ok(Value::Real(number)),
            _ => Err(given.refuse("a number")),
        },
        Kind::Amount => match read(&Kind::Number, given)? {
            Value::Real(number) if number < 0.0 => Err("is negative".into()),
            value => Ok(value),
        },
        Kind::Boolean => boolean(given),
        Kind::Text => given.text().map(|text| Value::Text(text.to_owned())).ok_or_else(|| given.refuse("text")),
        Kind::Moment => read_moment(given),
        Kind::Zone => match given.text() {
            Some(text) => match NamedZone::get(text) {
                Ok(zone) => Ok(Value::Text(zone.name)),
                Err(_) => Err(given.refuse("a time zone of the IANA database, such as `Europe/Berlin`")),
            },
            None => Err(given.refuse("a time zone of the IANA database, such as `Europe/Berlin`")),
        },
        Kind::Digits => match given.text() {
            Some(text) if (1..=26).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()) => {
                Ok(Value::Text(text.to_owned()))
            }
            _ => Err(given.refuse("text of 1 to 26 digits")),
        },
        Kind::Texts => texts(given),
        Kind::Json => Ok(any(given)),
        Kind::Object => match given.json() {
            Some(object @ json::Value::Object(_)) => Ok(compact(&object)),
            _ => Err(given.refuse("a JSON object")),
        },
        Kind::Choice(choices) => choice(choices, given),
        // These are not stored.
        Kind::Name(_) | Kind::TenantName | Kind::Sql | Kind::List => Ok(Value::Null),
    }
}

/// The kind of a resource's key.
fn key(target: &'static Resource) -> &'static Kind {
    target.keys().last().map_or(&Kind::Id, |(_, member)| &member.kind)
}

fn integer(given: Given<'_>, least: i64, most: i64) -> Result<Value, String> {
    let number = given.bare().and_then(|text| text.parse::<i64>().ok());
    match number {
        None => Err(given.refuse("a whole number")),
        Some(number) if number < least => Err(format!("is {number}, at least {least}")),
        Some(number) if number > most => Err(format!("is {number}, at most {most}")),
        Some(number) => Ok(Value::Integer(number)),
    }
}

fn boolean(given: Given<'_>) -> Result<Value, String> {
    let is_true = match given {
        Given::Json(value) => value.as_bool(),
        Given::Cell(text) => match text.trim() {
            "1" => Some(true),
            "0" => Some(false),
            text => bool::from_text(text).ok(),
        },
    };
    is_true.map(|is_true| Value::Integer(is_true.into())).ok_or_else(|| given.refuse("`true` or `false`"))
}

fn read_moment(given: Given<'_>) -> Result<Value, String> {
    let Some(text) = given.text() else { return Err(given.refuse("a moment such as `2024-03-05T09:30:00Z`")) };
    match Timestamp::from_text(text.trim()) {
        Ok(moment) => moment::kept(moment).map(Value::from).map_err(str::to_owned),
        Err(refusal) => Err(refusal.detail),
    }
}

fn texts(given: Given<'_>) -> Result<Value, String> {
    let texts = match (given.json(), given) {
        (Some(json::Value::Array(texts)), _) if texts.iter().all(|text| text.as_str().is_some()) => texts,
        (None, Given::Cell(text)) => vec![text.into()],
        _ => return Err(given.refuse("a list of texts")),
    };
    Ok(compact(&json::Value::Array(texts)))
}

/// In a cell, what is not JSON is text.
fn any(given: Given<'_>) -> Value {
    match given {
        Given::Json(value) => compact(value),
        Given::Cell(text) => compact(&json::from_slice(text.as_bytes()).unwrap_or_else(|_| text.into())),
    }
}

/// JSON text without blanks. Numbers keep their digits.
fn compact(value: &json::Value) -> Value {
    Value::Text(String::from_utf8_lossy(&json::to_vec(value)).into_owned())
}

fn choice(choices: &[(&str, i64)], given: Given<'_>) -> Result<Value, String> {
    let text = given.text().map_or_else(|| given.shown(), |text| text.trim().into());
    let number = text.parse::<i64>().ok();
    let is_meant = |(name, value): &&(&str, i64)| number == Some(*value) || text.eq_ignore_ascii_case(name);
    if let Some((_, value)) = choices.iter().find(is_meant) {
        return Ok(Value::Integer(*value));
    }
    let names: Vec<_> = choices.iter().map(|(name, value)| format!("{value} (`{name}`)")).collect();
    let hint = nearest(&text, &mut choices.iter().map(|(name, _)| *name));
    let hint = hint.map_or_else(String::new, |name| format!("; perhaps `{name}`"));
    Err(format!("{}{hint}", given.refuse(&format!("one of {}", names.join(", ")))))
}
