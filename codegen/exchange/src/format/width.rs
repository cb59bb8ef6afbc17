//! The widths of numbers.

use jsonschema::paths::Location;
use jsonschema::{Keyword, ValidationError};
use serde_json::{Map, Number, Value};

/// A keyword of our own: the format whose numbers the server reads.
pub(crate) const WIDTH: &str = "x-width";

/// The formats of integers, with the least and the largest one.
const INTEGERS: [(&str, i128, i128); 8] = [
    ("int8", i8::MIN as i128, i8::MAX as i128),
    ("int16", i16::MIN as i128, i16::MAX as i128),
    ("int32", i32::MIN as i128, i32::MAX as i128),
    ("int64", i64::MIN as i128, i64::MAX as i128),
    ("uint8", 0, u8::MAX as i128),
    ("uint16", 0, u16::MAX as i128),
    ("uint32", 0, u32::MAX as i128),
    ("uint64", 0, u64::MAX as i128),
];

/// The least number above the integers of 63 bits: the largest of them is rounded to it.
const BEYOND_63_BITS: f64 = 9_223_372_036_854_775_808.0;

/// The same for 64 bits.
const BEYOND_64_BITS: f64 = 18_446_744_073_709_551_616.0;

/// The least number that is beyond a decimal of 96 bits.
const BEYOND_DECIMAL: f64 = 79_228_162_514_264_337_593_543_950_336.0;

/// The least number that is rounded to an infinity of 32 bits.
const BEYOND_SINGLE: f64 = 3.402_823_567_797_336_6e38;

/// The least and the largest integer of a format.
pub(crate) fn range(format: &str) -> Option<(i128, i128)> {
    INTEGERS.iter().find(|(name, ..)| *name == format).map(|(_, least, most)| (*least, *most))
}

/// The format whose integers the server reads: the one that the schema says, unless its bounds need a wider one.
pub(crate) fn width(schema: &Map<String, Value>) -> &'static str {
    let format = schema.get("format").and_then(Value::as_str);
    let said = INTEGERS.iter().map(|(name, ..)| *name).find(|name| format == Some(name)).unwrap_or("int64");
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

/// The keyword [`WIDTH`].
#[expect(clippy::unnecessary_wraps, reason = "it is the signature of a keyword")]
pub(super) fn keyword<'a>(
    _: &'a Map<String, Value>,
    format: &'a Value,
    _: Location,
) -> Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'a>> {
    Ok(Box::new(Width(format.as_str().unwrap_or_default().to_owned())))
}

struct Width(String);

impl<'i> Keyword<'i> for Width {
    fn validate(&self, value: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(value) {
            return Ok(());
        }
        Err(ValidationError::custom(match range(&self.0) {
            Some((least, most)) => format!("{value} is not between {least} and {most}"),
            None => format!("{value} is beyond the range of \"{}\"", self.0),
        }))
    }

    fn is_valid(&self, value: &'i Value) -> bool {
        let Value::Number(number) = value else { return true };
        match (self.0.as_str(), range(&self.0)) {
            (_, Some((least, most))) => is_within(number, least, most),
            ("float", None) => is_below(number, BEYOND_SINGLE),
            ("decimal", None) => is_below(number, BEYOND_DECIMAL),
            _ => true,
        }
    }
}

fn is_within(number: &Number, least: i128, most: i128) -> bool {
    if let Some(whole) = number.as_i64().map(i128::from).or(number.as_u64().map(i128::from)) {
        return (least..=most).contains(&whole);
    }
    // Beyond 64 bits, or with a fraction, which `type` refuses.
    let beyond = if most > i128::from(i64::MAX) { BEYOND_64_BITS } else { BEYOND_63_BITS };
    is_below(number, beyond) && number.as_f64().is_none_or(|number| (float(least)..=float(most)).contains(&number))
}

fn is_below(number: &Number, bound: f64) -> bool {
    number.as_f64().is_none_or(|number| number.abs() < bound)
}

#[expect(clippy::cast_precision_loss, reason = "the nearest is what numbers of JSON are compared with")]
fn float(whole: i128) -> f64 {
    whole as f64
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
