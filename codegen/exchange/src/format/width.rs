//! The widths of integers.

use serde_json::{Map, Value};

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

#[expect(clippy::cast_precision_loss, reason = "the nearest is what numbers of JSON are compared with")]
pub(super) fn float(whole: i128) -> f64 {
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
