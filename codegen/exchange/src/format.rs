//! `format` as the generated server checks it in requests.

use std::net::Ipv6Addr;

use jsonschema::paths::Location;
use jsonschema::{Keyword, ValidationError, Validator};
use serde_json::{Map, Number, Value, json};

/// The formats of strings that are checked in requests only.
const OWN: &[&str] = &["byte", "date-time-local", "decimal", "duration", "hostname", "time"];

/// Whether the format is one of strings that only requests are checked for.
pub(crate) fn is_own(format: &str) -> bool {
    OWN.contains(&format)
}

/// The least and the largest integer of a format.
pub(crate) fn range(format: &str) -> Option<(i128, i128)> {
    Some(match format {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "int64" => (i64::MIN.into(), i64::MAX.into()),
        "uint8" => (0, u8::MAX.into()),
        "uint16" => (0, u16::MAX.into()),
        "uint32" => (0, u32::MAX.into()),
        "uint64" => (0, u64::MAX.into()),
        _ => return None,
    })
}

/// The format whose integers the server reads: the one that the schema says, unless its bounds need a wider one.
pub(crate) fn width(schema: &Map<String, Value>) -> &'static str {
    const ALL: [&str; 8] = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"];
    let format = schema.get("format").and_then(Value::as_str);
    let said = ALL.into_iter().find(|name| format == Some(*name)).unwrap_or("int64");
    let bound = |word: &str| schema.get(word).and_then(Value::as_f64);
    let lower = bound("minimum").or(bound("exclusiveMinimum"));
    let upper = bound("maximum").or(bound("exclusiveMaximum"));
    let fits = |name: &str| {
        range(name).is_some_and(|(least, most)| {
            let (least, most) = (float(least), float(most));
            lower.is_none_or(|bound| bound <= most) && upper.is_none_or(|bound| (least..=most).contains(&bound))
        })
    };
    let wider = if upper.or(lower).is_some_and(|bound| bound > 0.0) { "uint64" } else { "int64" };
    [said, "int64"].into_iter().find(|name| fits(name)).unwrap_or(wider)
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

#[expect(clippy::cast_precision_loss, reason = "the nearest is what numbers of JSON are compared with")]
fn float(whole: i128) -> f64 {
    whole as f64
}

/// The rest after digits with these separators; `0` stands for a digit.
fn after<'t>(text: &'t str, shape: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(shape.len())?;
    let fits = |(found, wanted): (u8, u8)| if wanted == b'0' { found.is_ascii_digit() } else { found == wanted };
    start.bytes().zip(shape.bytes()).all(fits).then_some(rest)
}

/// The number that two digits are.
fn two(text: &str, start: usize) -> u8 {
    text.get(start..start + 2).and_then(|digits| digits.parse().ok()).unwrap_or(u8::MAX)
}

/// The rest after a date.
fn after_date(text: &str) -> Option<&str> {
    let rest = after(text, "0000-00-00")?;
    let year: u16 = text[..4].parse().ok()?;
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match two(text, 5) {
        2 => 28 + u8::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&two(text, 8)).then_some(rest)
}

/// The rest after a time. `is_lax`: the seconds may be missing, and their fraction may have more than nine digits.
fn after_time(text: &str, is_lax: bool) -> Option<&str> {
    let rest = after(text, "00:00")?;
    if two(text, 0) > 23 || two(text, 3) > 59 {
        return None;
    }
    let Some(rest) = after(rest, ":00") else { return is_lax.then_some(rest) };
    if two(text, 6) > 60 {
        return None;
    }
    let Some(fraction) = rest.strip_prefix('.') else { return Some(rest) };
    let rest = fraction.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let digits = fraction.len() - rest.len();
    (digits > 0 && (is_lax || digits <= 9)).then_some(rest)
}

/// A date and a time in UTC, in another zone, or without one; decision 16 says why.
fn is_date_time(text: &str) -> bool {
    let Some(rest) = after_date(text) else { return false };
    let Some(time) = rest.strip_prefix(['T', 't', ' ']) else { return rest.is_empty() };
    let Some(zone) = after_time(time, true) else { return false };
    matches!(zone, "" | "Z" | "z") || zone.strip_prefix(['+', '-']).is_some_and(is_offset)
}

/// Hours, and minutes if there are some.
fn is_offset(text: &str) -> bool {
    let digits = text.replacen(':', "", 1);
    let is_shaped = ["00:00", "0000", "00"].into_iter().any(|shape| after(text, shape).is_some_and(str::is_empty));
    is_shaped && two(&digits, 0) < 24 && (digits.len() == 2 || two(&digits, 2) < 60)
}

/// A date and a time without a zone.
fn is_local(text: &str) -> bool {
    let time = after_date(text).and_then(|rest| rest.strip_prefix(['T', 't', ' ']));
    time.and_then(|time| after_time(time, false)).is_some_and(str::is_empty)
}

/// A time in UTC or without a zone.
fn is_time_of_day(text: &str) -> bool {
    after_time(text, false).is_some_and(|zone| matches!(zone, "" | "Z" | "z" | "+00:00" | "-00:00"))
}

/// ISO 8601 without a sign, and only the smallest unit of a time with a fraction.
fn is_duration(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['P', 'p']) else { return false };
    let (date, time) = rest.split_once(['T', 't']).map_or((rest, None), |(date, time)| (date, Some(time)));
    let is_date = date.is_empty() || has_units(date, "YMWD", "");
    let is_time = time.is_none_or(|time| has_units(time, "HMS", "HMS"));
    is_date && is_time && !rest.is_empty()
}

/// Numbers, each with one of the units, which are in this order. `last`: the units whose number may have a fraction, if it
/// is the last.
fn has_units(text: &str, units: &str, last: &str) -> bool {
    let (mut rest, mut left) = (text, units);
    while let Some(end) = rest.find(|sign: char| sign.is_ascii_alphabetic()) {
        let (number, unit) = (&rest[..end], rest[end..=end].to_ascii_uppercase());
        let Some(index) = left.find(&unit) else { return false };
        (rest, left) = (&rest[end + 1..], &left[index + 1..]);
        let whole = number.split(['.', ',']).collect::<Vec<_>>();
        let may_have_fraction = rest.is_empty() && last.contains(&unit);
        let is_digits = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !whole.iter().all(is_digits) || whole.len() > 1 + usize::from(may_have_fraction) {
            return false;
        }
    }
    rest.is_empty() && left.len() < units.len()
}

/// The standard or the URL-safe alphabet, with or without padding.
fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    let is_url_safe = digits.contains(['-', '_']);
    let value = |byte: u8| {
        Some(match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' if !is_url_safe => 62,
            b'/' if !is_url_safe => 63,
            b'-' => 62,
            b'_' => 63,
            _ => return None,
        })
    };
    let values: Option<Vec<u8>> = digits.bytes().map(value).collect();
    let Some(values) = values else { return false };
    let last = values.last().copied().unwrap_or_default();
    // The bits that belong to no byte are zero.
    let (most, is_whole) = match digits.len() % 4 {
        0 => (0, true),
        2 => (2, last % 16 == 0),
        3 => (1, last % 4 == 0),
        _ => return false,
    };
    is_whole && text.len() - digits.len() <= most
}

/// A number of at most 28 digits.
fn is_decimal(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    let is_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.parse::<i32>().ok().filter(|exponent| (-28..=28).contains(exponent));
    let count = digits.trim_start_matches('0').len();
    is_digits && exponent.is_some() && count <= 28 && fraction.len() <= 28
}

/// RFC 5321 without quoted names, but with letters of any language.
fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.rsplit_once('@') else { return false };
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || !sign.is_ascii() || "!#$%&'*+-/=?^_`{|}~".contains(sign);
    let is_word = |word: &str| !word.is_empty() && word.chars().all(is_sign);
    let is_host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => match address.strip_prefix("IPv6:") {
            Some(address) => address.parse::<Ipv6Addr>().is_ok(),
            None => address.parse::<std::net::Ipv4Addr>().is_ok(),
        },
        None => has_labels(host, |sign| !sign.is_ascii()),
    };
    text.len() <= 254 && name.len() <= 64 && name.split('.').all(is_word) && is_host
}

/// RFC 1123.
fn is_hostname(text: &str) -> bool {
    has_labels(text, |_| false)
}

/// Whether the text is labels of letters, digits, hyphens and what else is allowed.
fn has_labels(text: &str, is_allowed: impl Fn(char) -> bool) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|sign| sign == '-' || sign.is_ascii_alphanumeric() || is_allowed(sign))
    };
    text.len() <= 253 && text.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_the_format_that_the_server_accepts() {
        for (is_valid, kept, broken) in [
            (
                is_date_time as fn(&str) -> bool,
                &["2024-02-29T12:00:00Z", "2024-02-29 12:00", "2024-02-29", "2024-02-29T12:00:00.5+0130"][..],
                &["2023-02-29", "2024-02-29T24:00:00Z", "2024-02-29T12:00:00+25:00", "2024-02-29T12:00:00+01:60"][..],
            ),
            (is_local, &["2024-02-29T12:00:00.5"], &["2024-02-29T12:00:00Z", "2024-02-29T12:00", "2024-02-29"]),
            (is_time_of_day, &["12:00:00", "12:00:00Z"], &["12:00", "24:00:00", "12:00:00+01:00", "T12:00:00"]),
            (is_duration, &["P1D", "p1w", "PT1.5S", "P1Y2M3DT4H5M6S"], &["P", "PT", "-P1D", "P1H", "P1.5D", "P1D1Y"]),
            (is_base64, &["", "YQ==", "YQ", "YWI=", "YW-_", "YWJj"], &["Y", "YR==", "YQ===", "YQ ==", "Y+-_", "===="]),
            (is_decimal, &["1.50", "+1", ".5", "1e5", "5."], &["", "-", "1_0", "1e400", "NaN"]),
            (is_email, &["a@b", "ü@b.c", "a@[1.2.3.4]"], &["a", "@b", "a..b@c", "\"a\"@b.c", "a@-b"]),
            (is_hostname, &["a.b", "a-b"], &["", "a_b", "-a", "a..b"]),
        ] {
            for text in kept {
                assert!(is_valid(text), "{text}");
            }
            for text in broken {
                assert!(!is_valid(text), "{text}");
            }
        }
    }

    #[test]
    fn bounds_may_need_a_wider_integer() {
        for (schema, expected) in [
            (json!({}), "int64"),
            (json!({ "format": "int32" }), "int32"),
            (json!({ "format": "int32", "maximum": 2_147_483_648_u64 }), "int64"),
            (json!({ "maximum": u64::MAX }), "uint64"),
            (json!({ "format": "uint8", "minimum": -1 }), "uint8"),
        ] {
            assert_eq!(width(schema.as_object().unwrap()), expected, "{schema}");
        }
    }
}
