//! Checks made values with a validator that shares no code with the maker.

use serde_json::{Value, json};

use super::{Maker, Written};
use crate::document::Document;
use crate::place::Direction;
use crate::schema::{self, Hidden, Reading};

fn document(version: &str, schemas: &Value) -> Document {
    Document::of(json!({ "openapi": version, "paths": {}, "components": { "schemas": schemas } }))
}

fn made(document: &Document, schema: &Value, direction: Direction) -> Vec<Value> {
    let make = |seed| {
        let random = fastrand::Rng::with_seed(seed);
        let small = seed % 2 == 1;
        Maker { document, direction, written: Written::Json, random, small, plain: false, fuel: 4000, merging: 0 }
            .make(schema, 0)
    };
    (0..40).filter_map(make).collect()
}

#[test]
fn values_are_valid() {
    let schemas = json!({
        "Tree": {
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": { "type": "string" },
                "children": { "type": "array", "items": { "$ref": "openapi.json#/components/schemas/Tree" } }
            }
        },
        "Pet": {
            "oneOf": [{ "$ref": "openapi.json#/components/schemas/Cat" }, { "$ref": "openapi.json#/components/schemas/Dog" }],
            "discriminator": { "propertyName": "kind", "mapping": { "cat": "openapi.json#/components/schemas/Cat" } }
        },
        "Cat": {
            "type": "object",
            "required": ["kind", "lives"],
            "properties": { "kind": { "type": "string" }, "lives": { "type": "integer", "minimum": 1 } }
        },
        "Dog": {
            "type": "object",
            "required": ["kind", "name"],
            "properties": { "kind": { "type": "string" }, "name": { "type": "string" } }
        }
    });
    let document = document("3.0.3", &schemas);
    for schema in [
        json!({ "$ref": "openapi.json#/components/schemas/Tree" }),
        json!({ "$ref": "openapi.json#/components/schemas/Pet" }),
        json!({ "allOf": [{ "$ref": "openapi.json#/components/schemas/Cat" }, { "properties": { "lives": { "maximum": 3 } } }] }),
        json!({ "type": "string", "minLength": 3, "maxLength": 4 }),
        json!({ "type": "integer", "enum": [4, 5], "allOf": [{ "oneOf": [{ "const": 1 }, { "const": 4 }, { "const": 6 }] }] }),
        json!({ "type": "string", "pattern": r"^[A-Z]{3}-\d+$", "maxLength": 8 }),
        json!({ "type": "string", "pattern": r"^[\\w-]+$" }),
        json!({ "type": "string", "pattern": "[0-9]", "minLength": 24, "maxLength": 24 }),
        json!({ "type": "integer", "format": "int32", "exclusiveMinimum": true, "minimum": 3, "multipleOf": 7 }),
        json!({ "type": "number", "minimum": 0, "maximum": 1, "exclusiveMaximum": true }),
        json!({ "type": "array", "items": { "type": "boolean" }, "minItems": 2, "maxItems": 2, "uniqueItems": true }),
        json!({ "type": "object", "additionalProperties": { "type": "integer" }, "minProperties": 2 }),
        json!({ "type": "string", "format": "date-time", "nullable": true }),
        json!({ "type": "array", "items": { "type": "integer" }, "contains": { "minimum": 5 }, "minContains": 2 }),
        json!({
            "type": "object",
            "required": ["kind"],
            "properties": { "kind": { "enum": ["card", "cash"] }, "number": { "type": "string" } },
            "if": { "properties": { "kind": { "const": "card" } } },
            "then": { "required": ["number"], "properties": { "number": { "minLength": 9 } } },
            "else": { "properties": { "number": false } },
        }),
    ] {
        let validator = schema::validator(&document, &schema, Direction::Request, Reading::Strict, Hidden::Absent)
            .expect("it compiles");
        let values = made(&document, &schema, Direction::Request);
        assert!(values.len() > 30, "{schema}: only {} values", values.len());
        // A value may satisfy both variants if one allows the members of the other; the stage then tries again.
        let valid = values.iter().filter(|value| validator.is_valid(value)).count();
        assert!(valid * 2 > values.len(), "{schema}: {values:?}");
    }
}

#[test]
fn discriminators_name_the_variant() {
    let schemas = json!({
        "Cat": { "type": "object", "properties": { "kind": { "type": "string" } } },
        "Dog": { "type": "object", "properties": { "kind": { "type": "string" } } }
    });
    let schema = json!({
        "oneOf": [{ "$ref": "openapi.json#/components/schemas/Cat" }, { "$ref": "openapi.json#/components/schemas/Dog" }],
        "discriminator": { "propertyName": "kind", "mapping": { "meow": "openapi.json#/components/schemas/Cat" } }
    });
    let mut kinds: Vec<String> = made(&document("3.0.3", &schemas), &schema, Direction::Request)
        .iter()
        .map(|value| value["kind"].as_str().unwrap_or_default().to_owned())
        .collect();
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds, ["Dog", "meow"]);
}

#[test]
fn a_base_is_made_as_its_heirs_with_the_tags_they_say() {
    let schemas = json!({
        "Rule": {
            "required": ["kind"],
            "properties": { "kind": { "type": "string", "enum": ["Fusion", "Timed"] } },
            "discriminator": { "propertyName": "kind" }
        },
        "FusionRule": { "x-ms-discriminator-value": "Fusion", "allOf": [{ "$ref": "#/components/schemas/Rule" }] },
        "Timed": { "allOf": [{ "$ref": "#/components/schemas/Rule" }] }
    });
    let schema = json!({ "$ref": "openapi.json#/components/schemas/Rule" });
    for schema in [json!({ "description": "A rule.", "allOf": [schema.clone()] }), schema] {
        let values = made(&document("3.0.3", &schemas), &schema, Direction::Request);
        let mut kinds: Vec<_> = values.iter().map(|value| value["kind"].as_str().unwrap_or_default()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds, ["Fusion", "Timed"]);
    }
}

#[test]
fn read_only_members_are_not_sent() {
    let document = document("3.1.0", &json!({}));
    let schema = json!({
        "type": "object",
        "required": ["id", "secret"],
        "properties": { "id": { "type": "integer", "readOnly": true }, "secret": { "type": "string", "writeOnly": true } }
    });
    for (direction, there, absent) in [(Direction::Request, "secret", "id"), (Direction::Response, "id", "secret")] {
        for value in made(&document, &schema, direction) {
            assert!(value.get(there).is_some() && value.get(absent).is_none(), "{value}");
            let validator =
                schema::validator(&document, &schema, direction, Reading::Strict, Hidden::Absent).expect("it compiles");
            assert!(validator.is_valid(&value), "{value}");
        }
    }
    let sent = json!({ "id": "any", "secret": "a" });
    let accepts = |hidden| {
        let validator = schema::validator(&document, &schema, Direction::Request, Reading::Strict, hidden);
        validator.expect("it compiles").is_valid(&sent)
    };
    assert_eq!((accepts(Hidden::Absent), accepts(Hidden::Ignored)), (false, true));
}

#[test]
fn what_contradicts_itself_has_no_value() {
    let document = document("3.1.0", &json!({}));
    let schema = json!({ "allOf": [{ "type": "string" }, { "type": "integer" }] });
    assert_eq!(made(&document, &schema, Direction::Request), Vec::<Value>::new());
}

#[test]
fn texts_of_variants_are_told_apart_where_only_text_can_stand() {
    let document = document("3.0.3", &json!({}));
    let maker = |seed| Maker {
        document: &document,
        direction: Direction::Request,
        written: Written::Form,
        random: fastrand::Rng::with_seed(seed),
        small: false,
        plain: false,
        fuel: 4000,
        merging: 0,
    };
    let texts = |schema: &Value| {
        let values = (0..200).filter_map(|seed| maker(seed).make(schema, 0));
        values.filter(Value::is_string).collect::<Vec<_>>()
    };
    let letter = texts(&json!({ "anyOf": [{ "type": "string", "pattern": "^[0-9a]$" }, { "type": "integer" }] }));
    assert!(!letter.is_empty() && letter.iter().all(|text| *text == json!("a")), "{letter:?}");
    // The format belongs to the numbers, not to the texts.
    let any = texts(&json!({ "oneOf": [{ "type": "integer" }, { "type": "string" }], "format": "int64" }));
    assert!(any.len() > 100, "{any:?}");
    let untyped = (0..5000).filter_map(|seed| maker(seed).make(&json!({}), 0));
    let is_json = |text: &Value| serde_json::from_str::<Value>(text.as_str().expect("a text")).is_ok();
    assert_eq!(untyped.filter(is_json).collect::<Vec<_>>(), Vec::<Value>::new());
}

#[test]
fn numbers_with_a_format_of_integers_are_whole() {
    let document = document("3.0.3", &json!({}));
    let schema = json!({ "oneOf": [{ "type": "string" }, { "type": "number", "format": "int32" }] });
    let numbers: Vec<_> = made(&document, &schema, Direction::Response).into_iter().filter(Value::is_number).collect();
    assert!(!numbers.is_empty() && numbers.iter().all(Value::is_i64), "{numbers:?}");
}

#[test]
fn what_one_part_hides_is_sent_if_another_one_says_so() {
    let base = json!({ "type": "object", "properties": { "id": { "type": "string", "readOnly": true }, "kind": { "type": "string", "readOnly": true } } });
    let document = document("3.0.3", &json!({ "Base": base }));
    let schema = json!({ "allOf": [
        { "$ref": "openapi.json#/components/schemas/Base" },
        { "required": ["kind"], "properties": { "kind": { "enum": ["a"] } } }
    ] });
    let validator = |reading| {
        schema::validator(&document, &schema, Direction::Request, reading, Hidden::Absent).expect("it compiles")
    };
    let (strict, meant) = (validator(Reading::Strict), validator(Reading::Meant));
    let values = made(&document, &schema, Direction::Request);
    assert!(values.iter().all(|value| !strict.is_valid(value)), "{values:?}");
    assert!(values.iter().any(|value| meant.is_valid(value)), "{values:?}");
    assert!(!meant.is_valid(&json!({ "kind": "a", "id": "b" })), "no part requires it");
    assert!(!meant.is_valid(&json!({})), "it is required");

    let schema = json!({ "allOf": [{ "$ref": "openapi.json#/components/schemas/Base" }, { "required": ["id"] }] });
    let meant =
        schema::validator(&document, &schema, Direction::Request, Reading::Meant, Hidden::Absent).expect("it compiles");
    assert!(made(&document, &schema, Direction::Request).iter().all(|value| meant.is_valid(value)));
    assert!(!meant.is_valid(&json!({ "id": "a" })), "no part requires the hidden member");
}

#[test]
fn a_list_has_several_items_where_one_would_look_like_a_text() {
    let document = document("3.0.3", &json!({}));
    let schema = json!({ "oneOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] });
    for seed in 0..100 {
        let (random, direction) = (fastrand::Rng::with_seed(seed), Direction::Request);
        let written = Written::Form;
        let value = Maker {
            document: &document,
            direction,
            written,
            random,
            small: true,
            plain: false,
            fuel: 4000,
            merging: 0,
        }
        .make(&schema, 0);
        assert!(value.as_ref().and_then(Value::as_array).is_none_or(|items| items.len() > 1), "{value:?}");
    }
}

#[test]
fn a_tag_is_a_value_that_the_member_lists() {
    let document = document(
        "3.0.3",
        &json!({
            "Cat": { "type": "object", "properties": { "kind": { "type": "string", "enum": ["meow"] } } },
            "Dog": { "type": "object", "properties": { "kind": { "type": "string", "enum": ["Dog", "Hound"] } } }
        }),
    );
    let one_of = |name: &str| json!({ "oneOf": [{ "$ref": format!("openapi.json#/components/schemas/{name}") }], "discriminator": { "propertyName": "kind" } });
    for (name, tag) in [("Cat", "meow"), ("Dog", "Dog")] {
        let values = made(&document, &one_of(name), Direction::Request);
        assert!(!values.is_empty() && values.iter().all(|value| value["kind"] == tag), "{name}: {values:?}");
    }
}

#[test]
fn an_heir_that_lists_its_tags_has_one_of_them() {
    let base = json!({ "required": ["kind"], "properties": { "kind": { "type": "string" } }, "discriminator": { "propertyName": "kind" } });
    let part = json!({ "$ref": "openapi.json#/components/schemas/Base" });
    let own = json!({ "properties": { "kind": { "type": "string", "enum": ["meow"] } } });
    let document =
        document("3.0.3", &json!({ "Base": base, "Cat": { "allOf": [part, own] }, "Dog": { "allOf": [part] } }));
    for (name, tag) in [("Cat", "meow"), ("Dog", "Dog")] {
        let schema = json!({ "$ref": format!("openapi.json#/components/schemas/{name}") });
        let (values, _) = all_valid(&document, &schema);
        assert!(values.iter().all(|value| value["kind"] == tag), "{name}: {values:?}");
    }
}

/// Checks that values are made, and that each is valid in both readings.
fn all_valid(document: &Document, schema: &Value) -> (Vec<Value>, jsonschema::Validator) {
    let values = made(document, schema, Direction::Request);
    assert!(!values.is_empty(), "{schema}");
    let validator = |reading| {
        schema::validator(document, schema, Direction::Request, reading, Hidden::Absent).expect("it compiles")
    };
    for reading in [Reading::Meant, Reading::Strict] {
        let validator = validator(reading);
        assert!(values.iter().all(|value| validator.is_valid(value)), "{reading:?} {schema}: {values:?}");
    }
    (values, validator(Reading::Strict))
}

#[test]
fn listed_values_are_of_the_type_that_is_said() {
    for version in ["3.0.3", "3.1.0"] {
        let document = document(version, &json!({}));
        let (values, strict) = all_valid(&document, &json!({ "type": "integer", "enum": ["1", "2", 3] }));
        assert!(values.iter().all(Value::is_i64), "{values:?}");
        assert!(!strict.is_valid(&json!("1")) && !strict.is_valid(&json!(4)));
        let (values, strict) = all_valid(&document, &json!({ "type": "string", "enum": [1, true, "a"] }));
        assert!(values.iter().all(Value::is_string), "{values:?}");
        assert!(!strict.is_valid(&json!(1)) && !strict.is_valid(&json!("b")));
    }
}

#[test]
fn null_among_the_values_is_meant_whatever_type_says() {
    for (version, ty) in [("3.0.3", json!("string")), ("3.1.0", json!("string")), ("3.1.0", json!(["string", "null"]))]
    {
        let document = document(version, &json!({}));
        let (values, strict) = all_valid(&document, &json!({ "type": ty, "enum": ["red", null] }));
        assert!(values.contains(&Value::Null) && values.contains(&json!("red")), "{values:?}");
        assert!(!strict.is_valid(&json!("blue")) && !strict.is_valid(&json!(1)));
        let (_, strict) = all_valid(&document, &json!({ "type": "string", "enum": ["red"] }));
        assert!(!strict.is_valid(&Value::Null));
    }
}

#[test]
fn a_variant_that_only_allows_null_is_null() {
    let variants = json!([{ "nullable": true }, { "$ref": "#/components/schemas/Hen" }]);
    let hen = json!({ "type": "object", "required": ["age"], "properties": { "age": { "type": "integer" } } });
    let document = document("3.0.3", &json!({ "Nest": { "oneOf": variants }, "Hen": hen }));
    let (values, strict) = all_valid(&document, &json!({ "$ref": "openapi.json#/components/schemas/Nest" }));
    assert!(values.contains(&Value::Null) && values.iter().any(Value::is_object), "{values:?}");
    assert!(!strict.is_valid(&json!("a text")));
}

#[test]
fn formats_count_where_some_listed_value_has_them() {
    let document = document("3.0.3", &json!({}));
    for format in ["date-time", "datetime"] {
        let (values, strict) = all_valid(&document, &json!({ "type": "string", "format": format }));
        assert!(values.iter().all(|value| value.as_str().is_some_and(|text| text.contains('T'))), "{values:?}");
        assert!(!strict.is_valid(&json!("now")));
        let (values, _) = all_valid(&document, &json!({ "type": "string", "format": format, "enum": ["now"] }));
        assert!(values.iter().all(|value| value == "now"), "{values:?}");
        let schema = json!({ "type": "string", "format": format, "enum": ["now", "2020-01-01T00:00:00Z"] });
        let strict = schema::validator(&document, &schema, Direction::Request, Reading::Strict, Hidden::Absent);
        assert!(!strict.expect("it compiles").is_valid(&json!("now")), "the other one has the format");
    }
}

#[test]
fn texts_of_a_type_keep_to_no_pattern_and_no_length_where_none_could() {
    let document = document("3.1.0", &json!({}));
    for ty in [json!({ "contentEncoding": "base64" }), json!({ "format": "date" }), json!({ "format": "datetime" })] {
        let mut schema = json!({ "type": "string", "pattern": "^.$", "maxLength": 1 });
        schema.as_object_mut().expect("it is one").extend(ty.as_object().expect("it is one").clone());
        let validator = |reading| {
            schema::validator(&document, &schema, Direction::Request, reading, Hidden::Absent).expect("it compiles")
        };
        let values = made(&document, &schema, Direction::Request);
        assert!(
            !values.is_empty() && values.iter().all(|value| validator(Reading::Meant).is_valid(value)),
            "{values:?}"
        );
        let is_checked = ty.get("format").is_some();
        assert!(values.iter().all(|value| validator(Reading::Strict).is_valid(value) != is_checked), "{values:?}");
    }
}

#[test]
fn anchors_of_other_languages_are_those_of_ecma_262() {
    let document = document("3.0.3", &json!({}));
    let (values, strict) = all_valid(&document, &json!({ "type": "string", "pattern": r"\A[a-z]{2}\\Z\Z" }));
    assert!(values.iter().all(|value| value.as_str().is_some_and(|text| text.len() == 4)), "{values:?}");
    assert!(
        strict.is_valid(&json!(r"ab\Z")) && !strict.is_valid(&json!(r"-ab\Z")) && !strict.is_valid(&json!(r"ab\Z-"))
    );
}

#[test]
fn a_schema_that_is_a_part_of_its_own_parts_has_no_value_and_no_end() {
    let reference = |name: &str| json!({ "$ref": format!("openapi.json#/components/schemas/{name}") });
    let fuel = json!({ "type": "object", "allOf": [reference("Diesel")] });
    let document = document("3.0.3", &json!({ "Fuel": fuel, "Diesel": { "allOf": [reference("Fuel")] } }));
    assert_eq!(made(&document, &reference("Fuel"), Direction::Request), [] as [Value; 0]);
}

#[test]
fn an_heir_has_the_members_of_a_base_that_lists_it() {
    let reference = |name: &str| json!({ "$ref": format!("openapi.json#/components/schemas/{name}") });
    let heir = |member: &str, least: u8| json!({ "allOf": [reference("Pet"), { "required": [member], "properties": { member: { "minimum": least } } }] });
    let document = document(
        "3.0.3",
        &json!({
            "Pet": {
                "type": "object",
                "required": ["kind"],
                "properties": { "kind": { "type": "string" }, "friend": reference("Pet") },
                "discriminator": { "propertyName": "kind" },
                "oneOf": [reference("Cat"), reference("Dog")],
            },
            "Cat": heir("lives", 1),
            "Dog": heir("legs", 3),
            "Kitten": { "allOf": [reference("Cat"), { "required": ["age"] }] },
        }),
    );
    for (name, kinds) in [("Pet", &["Cat", "Dog"][..]), ("Cat", &["Cat"]), ("Kitten", &["Kitten"])] {
        let schema = reference(name);
        let validator =
            schema::validator(&document, &schema, Direction::Response, Reading::Strict, Hidden::Absent).unwrap();
        let all = made(&document, &schema, Direction::Response);
        assert!(all.len() > 20, "{name}: {}", all.len());
        for value in all {
            assert!(validator.is_valid(&value), "{name}: {value}");
            assert!(kinds.iter().any(|kind| value["kind"] == *kind), "{name}: {value}");
        }
    }
}

#[test]
fn an_empty_list_of_values_has_no_meaning() {
    let document = document("3.0.3", &json!({}));
    let all = made(&document, &json!({ "type": "string", "enum": [] }), Direction::Request);
    assert!(!all.is_empty() && all.iter().all(Value::is_string));
}

#[test]
fn plain_values_are_words_and_small_numbers() {
    let document = Document::default();
    let make = |schema: &Value, seed| {
        let (direction, written, random) = (Direction::Response, Written::Json, fastrand::Rng::with_seed(seed));
        Maker { document: &document, direction, written, random, small: false, plain: true, fuel: 4000, merging: 0 }
            .make(schema, 0)
            .expect("a value")
    };
    for seed in 0..200 {
        let text = make(&json!({ "type": "string" }), seed);
        let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b' ');
        assert!(text.as_str().is_some_and(|text| text.len() >= 4 && is_plain(text)), "{text}");
        let text = make(&json!({ "type": "string", "minLength": 7, "maxLength": 9 }), seed);
        assert!(text.as_str().is_some_and(|text| (7..=9).contains(&text.len()) && text.trim() == text), "{text}");
        let number = make(&json!({ "type": "integer", "format": "int64" }), seed);
        assert!(number.as_i64().is_some_and(|number| (1..1000).contains(&number)), "{number}");
        assert_eq!(make(&json!({ "type": "integer", "minimum": 5000 }), seed), json!(5000));
    }
}
