//! The codec against serde_json, on any value and on any text.

use proptest::prelude::*;
use specwright_runtime::json::{Value, from_slice, from_slice_strict, to_vec};

/// Any JSON, with the numbers, strings and names that are hard.
fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let number = prop_oneof![
        any::<i64>().prop_map(serde_json::Value::from),
        any::<u64>().prop_map(serde_json::Value::from),
        any::<f64>().prop_filter_map("finite", |number| serde_json::Number::from_f64(number).map(Into::into)),
    ];
    let text = prop_oneof![".{0,20}", "[\\x00-\\x7f]{0,40}", "[a-z\"\\\\/\u{7f}\u{2028}\u{1f600}]{0,12}"];
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        number,
        text.clone().prop_map(Into::into),
    ];
    leaf.prop_recursive(6, 64, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Into::into),
            prop::collection::btree_map(text.clone(), inner, 0..8)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Text that is nearly JSON.
fn near_json() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\"a\"",
        "\"\\u00e9\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud83d\"",
        "\\",
        "null",
        "true",
        "false",
        "nul",
        "NaN",
        "Infinity",
        "-Infinity",
        "0",
        "-0",
        "01",
        "1",
        "-",
        "1.5",
        "1.",
        ".5",
        "1e5",
        "1E+5",
        "1e-5",
        "1e",
        "12345678901234567890",
        "-12345678901234567890",
        " ",
        "\n",
        "\t",
        "\u{a0}",
        "\u{feff}",
        "\"\n\"",
        "\"\\u0000\"",
        "\0",
        "é",
        "//",
        "'a'",
    ]);
    let text = prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat().into_bytes());
    let mutated = (any_json(), any::<prop::sample::Index>(), any::<u8>()).prop_map(|(value, index, byte)| {
        let mut bytes = value.to_string().into_bytes();
        let index = index.index(bytes.len());
        bytes[index] = byte;
        bytes
    });
    prop_oneof![text, mutated, prop::collection::vec(any::<u8>(), 0..16)]
}

/// What serde_json makes of a text; the error is why the two may differ.
fn reference(bytes: &[u8]) -> Result<Option<serde_json::Value>, TestCaseError> {
    // Tolerant reading skips a byte order mark.
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        return Err(TestCaseError::reject("a byte order mark"));
    }
    match serde_json::from_slice(bytes) {
        Ok(value) => Ok(Some(value)),
        // Numbers beyond the range of an f64 are kept as text.
        Err(error) if error.to_string().contains("number out of range") => Err(TestCaseError::reject("a huge number")),
        Err(_) => Ok(None),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_value_survives(value in any_json()) {
        let text = value.to_string();
        let read: Value = from_slice(text.as_bytes()).map_err(|violations| TestCaseError::fail(format!("{violations:?}")))?;
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn indented_text_means_the_same(value in any_json()) {
        let compact: Option<Value> = from_slice(value.to_string().as_bytes()).ok();
        let indented: Option<Value> = from_slice(&serde_json::to_vec_pretty(&value)?).ok();
        prop_assert_eq!(compact, indented);
    }

    #[test]
    fn exactly_what_serde_json_accepts_is_accepted(bytes in near_json()) {
        let read = from_slice::<Value>(&bytes);
        if let Some(value) = reference(&bytes)? {
            let written = to_vec(&read.map_err(|violations| TestCaseError::fail(format!("{violations:?}")))?);
            prop_assert_eq!(serde_json::from_slice::<serde_json::Value>(&written)?, value);
        } else {
            // Of half a surrogate pair a tolerant reader makes another character.
            let read = from_slice_strict::<Value>(&bytes);
            prop_assert!(read.is_err(), "{:?}", read);
        }
    }

    #[test]
    fn what_is_skipped_must_be_json_too(bytes in near_json()) {
        let bytes = [b"[", bytes.as_slice(), b"]"].concat();
        let skipped = specwright_runtime::json::read_document(
            specwright_runtime::json::Reader::strict(&bytes),
            |json| { json.skip(); Some(()) },
        );
        let expected = reference(&bytes)?.is_some();
        prop_assert_eq!(skipped.is_ok(), expected, "{:?}", skipped);
    }
}

fn code(text: &str) -> &'static str {
    from_slice_strict::<Value>(text.as_bytes()).map_or_else(|violations| violations[0].code, |_| "accepted")
}

#[test]
fn numbers_are_kept_exactly() {
    for text in [
        "0",
        "-0.0",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "123456789012345678901234567890",
        "0.1",
        "0.12345678901234567890123",
        "1e400",
        "-1E-400",
        "1.50e3",
    ] {
        let value: Value = text.parse().unwrap();
        assert_eq!(value.to_string(), text);
    }
}

#[test]
fn nesting_is_limited_whether_read_or_skipped() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(code(&nested(128)), "accepted");
    assert_eq!(code(&nested(129)), "depth");
    assert_eq!(code(&"[".repeat(1_000_000)), "depth");
    assert_eq!(code(&"{\"a\":".repeat(1_000_000)), "depth");
    let skip = |text: &str| {
        specwright_runtime::json::read_document(specwright_runtime::json::Reader::strict(text.as_bytes()), |json| {
            json.skip();
            Some(())
        })
        .map_or_else(|violations| violations[0].code, |()| "accepted")
    };
    assert_eq!(skip(&nested(128)), "accepted");
    assert_eq!(skip(&nested(129)), "depth");
    assert_eq!(skip(&"[".repeat(1_000_000)), "depth");
    assert_eq!(skip(&"{\"a\":[".repeat(1_000_000)), "depth");
}

#[test]
fn members_given_twice_are_refused_when_strict() {
    assert_eq!(code("{\"a\": 1, \"a\": 2}"), "duplicate");
    assert_eq!(from_slice::<Value>(b"{\"a\": 1, \"a\": 2}").unwrap().to_string(), "{\"a\":2}");
    assert_eq!(code("{\"a\": 1, \"A\": 2}"), "accepted");
}

#[test]
fn a_byte_order_mark_is_skipped() {
    assert_eq!(code("\u{feff}1"), "accepted");
    assert_eq!(from_slice::<Value>("\u{feff}1".as_bytes()).unwrap().to_string(), "1");
}

#[test]
fn broken_text_is_one_violation_with_its_place() {
    let violations = from_slice::<Value>(b"{\n  \"a\": [1, 2,,]\n}").unwrap_err();
    assert_eq!(violations.len(), 1);
    assert_eq!(violations[0].to_string(), "body /a/2 is not JSON: expected a value at line 2 column 14");
}
