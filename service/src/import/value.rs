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
    Json(&'a str),
    /// The cell of a table.
    Cell(&'a str),
}

impl<'a> Given<'a> {
    /// Whether it is empty.
    pub(super) fn is_nothing(self) -> bool {
        match self {
            Self::Json(text) => text == "null",
            Self::Cell(text) => text.is_empty(),
        }
    }

    /// The raw characters, without the quotation marks of a JSON string.
    fn plain(self) -> Cow<'a, str> {
        match self {
            Self::Json(text) if text.starts_with('"') => {
                serde_json::from_str(text).map_or(Cow::Borrowed(text), Cow::Owned)
            }
            Self::Json(text) => Cow::Borrowed(text),
            Self::Cell(text) => Cow::Borrowed(text.trim()),
        }
    }

    /// Text: a JSON string, or any cell.
    fn text(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Json(text) if text.starts_with('"') => Some(self.plain()),
            Self::Json(_) => None,
            Self::Cell(text) => Some(Cow::Borrowed(text)),
        }
    }

    /// The text of a JSON value that is not a string.
    fn bare(self) -> Option<&'a str> {
        match self {
            Self::Json(text) if text.starts_with('"') => None,
            Self::Json(text) => Some(text),
            Self::Cell(text) => Some(text.trim()),
        }
    }

    /// JSON; for a cell, if it looks like JSON.
    fn json(self) -> Option<&'a str> {
        match self {
            Self::Json(text) => Some(text),
            Self::Cell(text) => text.trim_start().starts_with(['[', '{']).then_some(text),
        }
    }

    fn refuse(self, expected: &str) -> String {
        let (Self::Json(text) | Self::Cell(text)) = self;
        format!("is {}, not {expected}", quoted(text))
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
        Kind::Text => given.text().map(|text| Value::Text(text.into_owned())).ok_or_else(|| given.refuse("text")),
        Kind::Moment => read_moment(given),
        Kind::Zone => match given.text() {
            Some(text) => match NamedZone::get(&text) {
                Ok(zone) => Ok(Value::Text(zone.name)),
                Err(_) => Err(given.refuse("a time zone of the IANA database, such as `Europe/Berlin`")),
            },
            None => Err(given.refuse("a time zone of the IANA database, such as `Europe/Berlin`")),
        },
        Kind::Digits => match given.text() {
            Some(text) if (1..=26).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()) => {
                Ok(Value::Text(text.into_owned()))
            }
            _ => Err(given.refuse("text of 1 to 26 digits")),
        },
        Kind::Texts => texts(given),
        Kind::Json => any(given),
        Kind::Object => match given.json().map(compact) {
            Some(Ok(text)) if text.starts_with('{') => Ok(Value::Text(text)),
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
        Given::Json(text) => Some(text == "true").filter(|is_true| *is_true || text == "false"),
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
    let texts: Vec<String> = match (given.json(), given) {
        (Some(text), _) => serde_json::from_str(text).map_err(|_| given.refuse("a list of texts"))?,
        (None, Given::Json(text) | Given::Cell(text)) => vec![text.to_owned()],
    };
    serde_json::to_string(&texts).map(Value::Text).map_err(|error| error.to_string())
}

/// In a cell, text that is not JSON is a string.
fn any(given: Given<'_>) -> Result<Value, String> {
    let (Given::Json(text) | Given::Cell(text)) = given;
    match (compact(text), given) {
        (Ok(text), _) => Ok(Value::Text(text)),
        (Err(()), Given::Cell(text)) => serde_json::to_string(text).map(Value::Text).map_err(|error| error.to_string()),
        (Err(()), Given::Json(_)) => Err(given.refuse("JSON")),
    }
}

/// The JSON text without white space. Numbers keep their digits.
fn compact(text: &str) -> Result<String, ()> {
    let value: json::Value = json::from_slice(text.as_bytes()).map_err(|_| ())?;
    String::from_utf8(json::to_vec(&value)).map_err(|_| ())
}

fn choice(choices: &[(&str, i64)], given: Given<'_>) -> Result<Value, String> {
    let text = given.plain();
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
