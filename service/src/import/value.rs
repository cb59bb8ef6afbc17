//! Reads the values of members.

use generated_server::runtime::{
    json::{self, Value as Json},
    text::{FromText as _, nearest, quoted},
};
use jiff::Timestamp;

use crate::{
    domain::{moment, time_zone::NamedZone},
    store::record::{Kind, Resource, Value},
};

/// The JSON value that a cell stands for. What does not fit the kind stays text; without a kind it is a list of records.
pub(super) fn of_cell(kind: Option<&Kind>, cell: &str) -> Json {
    let parsed = |fits: fn(&Json) -> bool| json::from_slice::<Json>(cell.as_bytes()).ok().filter(fits);
    let text = || Json::from(cell);
    match kind {
        Some(Kind::Reference(target) | Kind::ReferenceWithin(target)) => of_cell(Some(key(target)), cell),
        Some(Kind::Id | Kind::Integer(..) | Kind::Number | Kind::Amount | Kind::Choice(_)) => {
            let whole = cell.trim().parse::<i64>().ok().map(Json::from);
            whole.or_else(|| parsed(|value| matches!(value, Json::Number(_)))).unwrap_or_else(text)
        }
        Some(Kind::Boolean) => match cell.trim() {
            "1" => true.into(),
            "0" => false.into(),
            word => bool::from_text(word).map_or_else(|_| text(), Json::from),
        },
        Some(Kind::Texts) => parsed(|value| value.as_array().is_some()).unwrap_or_else(|| Json::Array(vec![text()])),
        Some(Kind::Json) => parsed(|_| true).unwrap_or_else(text),
        Some(Kind::Object) | None => {
            parsed(|value| matches!(value, Json::Array(_) | Json::Object(_))).unwrap_or_else(text)
        }
        Some(_) => text(),
    }
}

fn refuse(value: &Json, expected: &str) -> String {
    format!("is {}, not {expected}", quoted(&value.to_string()))
}

/// Reads a value of this kind; the error completes a sentence after the name of the member.
pub(super) fn read(kind: &Kind, given: &Json) -> Result<Value, String> {
    match kind {
        Kind::Id => integer(given, 1, i32::MAX.into()),
        Kind::Reference(target) | Kind::ReferenceWithin(target) => read(key(target), given),
        Kind::Integer(least, most) => integer(given, *least, *most),
        Kind::Number => match bare(given).and_then(|text| text.parse::<f64>().ok()) {
            Some(number) if number.is_finite() => Ok(Value::Real(number)),
            _ => Err(refuse(given, "a number")),
        },
        Kind::Amount => match read(&Kind::Number, given)? {
            Value::Real(number) if number < 0.0 => Err("is negative".into()),
            value => Ok(value),
        },
        Kind::Boolean => match given.as_bool() {
            Some(is_true) => Ok(Value::Integer(is_true.into())),
            None => Err(refuse(given, "`true` or `false`")),
        },
        Kind::Text => given.as_str().map(|text| Value::Text(text.to_owned())).ok_or_else(|| refuse(given, "text")),
        Kind::Moment => read_moment(given),
        Kind::Zone => match given.as_str().map(NamedZone::get) {
            Some(Ok(zone)) => Ok(Value::Text(zone.name)),
            _ => Err(refuse(given, "a time zone of the IANA database, such as `Europe/Berlin`")),
        },
        Kind::Digits => match given.as_str() {
            Some(text) if (1..=26).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()) => {
                Ok(Value::Text(text.to_owned()))
            }
            _ => Err(refuse(given, "text of 1 to 26 digits")),
        },
        Kind::Texts => match given.as_array() {
            Some(texts) if texts.iter().all(|text| text.as_str().is_some()) => Ok(Value::Text(given.to_string())),
            _ => Err(refuse(given, "a list of texts")),
        },
        Kind::Json => Ok(Value::Text(given.to_string())),
        Kind::Object if matches!(given, Json::Object(_)) => Ok(Value::Text(given.to_string())),
        Kind::Object => Err(refuse(given, "a JSON object")),
        Kind::Choice(choices) => choice(choices, given),
        // These are not stored.
        Kind::Name(_) | Kind::TenantName | Kind::Sql | Kind::List => Ok(Value::Null),
    }
}

/// The characters of what is not text.
fn bare(given: &Json) -> Option<String> {
    given.as_str().is_none().then(|| given.to_string())
}

/// The kind of a resource's key.
fn key(target: &'static Resource) -> &'static Kind {
    target.keys().last().map_or(&Kind::Id, |(_, member)| &member.kind)
}

fn integer(given: &Json, least: i64, most: i64) -> Result<Value, String> {
    let number = bare(given).and_then(|text| text.parse::<i64>().ok());
    match number {
        None => Err(refuse(given, "a whole number")),
        Some(number) if number < least => Err(format!("is {number}, at least {least}")),
        Some(number) if number > most => Err(format!("is {number}, at most {most}")),
        Some(number) => Ok(Value::Integer(number)),
    }
}

fn read_moment(given: &Json) -> Result<Value, String> {
    let Some(text) = given.as_str() else { return Err(refuse(given, "a moment such as `2024-03-05T09:30:00Z`")) };
    match Timestamp::from_text(text.trim()) {
        Ok(moment) => moment::kept(moment).map(Value::from).map_err(str::to_owned),
        Err(refusal) => Err(refusal.detail),
    }
}

fn choice(choices: &[(&str, i64)], given: &Json) -> Result<Value, String> {
    let text = given.as_str().map_or_else(|| given.to_string(), |text| text.trim().to_owned());
    let number = text.parse::<i64>().ok();
    let is_meant = |(name, value): &&(&str, i64)| number == Some(*value) || text.eq_ignore_ascii_case(name);
    if let Some((_, value)) = choices.iter().find(is_meant) {
        return Ok(Value::Integer(*value));
    }
    let names: Vec<_> = choices.iter().map(|(name, value)| format!("{value} (`{name}`)")).collect();
    let hint = nearest(&text, &mut choices.iter().map(|(name, _)| *name));
    let hint = hint.map_or_else(String::new, |name| format!("; perhaps `{name}`"));
    Err(format!("{}{hint}", refuse(given, &format!("one of {}", names.join(", ")))))
}
