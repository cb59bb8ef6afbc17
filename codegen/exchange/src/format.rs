//! `format` as the generated server checks it in requests.

mod text;
mod width;

use jsonschema::paths::Location;
use jsonschema::{Keyword, ValidationError, Validator};
use serde_json::{Map, Number, Value, json};

use text::{is_base64, is_date_time, is_decimal, is_duration, is_email, is_hostname, is_local, is_time_of_day};
use width::float;
pub(crate) use width::{range, width};

/// The formats of strings that are checked in requests only.
const OWN: &[&str] = &["byte", "date-time-local", "decimal", "duration", "hostname", "time"];

/// Whether the format is one of strings that only requests are checked for.
pub(crate) fn is_own(format: &str) -> bool {
    OWN.contains(&format)
}

/// The keyword `format` in place of that of the validator.
#[expect(clippy::unnecessary_wraps, reason = "it is the signature of a keyword")]
pub(crate) fn keyword<'a>(
    _: &'a Map<String, Value>,
    name: &'a Value,
    _: Location,
) -> Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'a>> {
    let name = name.as_str().unwrap_or_default();
    let check = match name {
        "byte" => Check::Text(is_base64),
        "date-time" => Check::Text(is_date_time),
        "date-time-local" => Check::Text(is_local),
        "decimal" => Check::Decimal,
        "duration" => Check::Text(is_duration),
        "email" => Check::Text(is_email),
        "float" => Check::Single,
        "hostname" => Check::Text(is_hostname),
        "time" => Check::Text(is_time_of_day),
        _ => match range(name) {
            Some((least, most)) => Check::Whole(least, most),
            None => Check::Other(Box::new(usual(name))),
        },
    };
    Ok(Box::new(Format { name: name.to_owned(), check }))
}

/// The validator's own check.
fn usual(name: &str) -> Option<Validator> {
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .should_validate_formats(true)
        .build(&json!({ "format": name }))
        .ok()
}

/// A format and its check.
struct Format {
    name: String,
    check: Check,
}

enum Check {
    /// Of strings.
    Text(fn(&str) -> bool),
    /// Of numbers: these bounds.
    Whole(i128, i128),
    /// Of numbers: the range of 32 bits.
    Single,
    /// Of strings and of numbers.
    Decimal,
    /// The validator's own.
    Other(Box<Option<Validator>>),
}

impl<'i> Keyword<'i> for Format {
    fn validate(&self, value: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(value) {
            return Ok(());
        }
        let name = &self.name;
        Err(ValidationError::custom(match self.check {
            Check::Whole(least, most) => format!("{value} is not between {least} and {most}"),
            Check::Single => format!("{value} is beyond the range of \"{name}\""),
            Check::Text(_) | Check::Decimal | Check::Other(_) => format!("{value} is not a \"{name}\""),
        }))
    }

    fn is_valid(&self, value: &'i Value) -> bool {
        match (&self.check, value) {
            (Check::Text(is_valid), Value::String(text)) => is_valid(text),
            (Check::Whole(least, most), Value::Number(number)) => {
                let whole = number.as_i64().map(i128::from).or(number.as_u64().map(i128::from));
                match (whole, number.as_f64()) {
                    (Some(whole), _) => (*least..=*most).contains(&whole),
                    // Beyond 64 bits, or with a fraction, which `type` refuses.
                    (None, Some(number)) => {
                        let beyond = if *most > i128::from(i64::MAX) { BEYOND_64_BITS } else { BEYOND_63_BITS };
                        (float(*least)..=float(*most)).contains(&number) && number.abs() < beyond
                    }
                    (None, None) => true,
                }
            }
            (Check::Single, Value::Number(number)) => is_below(number, BEYOND_SINGLE),
            (Check::Decimal, Value::Number(number)) => is_below(number, BEYOND_DECIMAL),
            (Check::Decimal, Value::String(text)) => is_decimal(text),
            (Check::Other(validator), value) => {
                (**validator).as_ref().is_none_or(|validator| validator.is_valid(value))
            }
            _ => true,
        }
    }
}

/// The least number above the integers of 63 bits: the largest of them is rounded to it.
const BEYOND_63_BITS: f64 = 9_223_372_036_854_775_808.0;

/// The same for 64 bits.
const BEYOND_64_BITS: f64 = 18_446_744_073_709_551_616.0;

/// A number that no decimal of 96 bits is.
const BEYOND_DECIMAL: f64 = 79_228_162_514_264_337_593_543_950_336.0;

/// The least number that is rounded to an infinity of 32 bits.
const BEYOND_SINGLE: f64 = 3.402_823_567_797_336_6e38;

fn is_below(number: &Number, bound: f64) -> bool {
    number.as_f64().is_none_or(|number| number.abs() < bound)
}
