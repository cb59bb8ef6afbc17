//! Reads any bytes as XML, by a table with each form of a member; a typed value that a strict reader accepts must
//! survive a round trip.
#![no_main]

use compiled_server::runtime::json::Value;
use compiled_server::runtime::xml::{Member, Name, Others, Root, Shape, from_slice, from_slice_strict, try_to_vec};
use libfuzzer_sys::fuzz_target;

static TEXT: Shape = Shape::Text;
static NUMBER: Shape = Shape::Number;
static BOOLEAN: Shape = Shape::Boolean;
static MAP: Shape = Shape::Object(&[], Others::Elements(&NODE));
static MIXED: Shape =
    Shape::Object(&[Member::attribute("a", &NUMBER), Member::text("t", &TEXT).required()], Others::Skipped);
static LIST: Shape = Shape::List(Name::new("i"), &LISTS);
static LISTS: Shape = Shape::List(Name::new("j"), &NUMBER);
static NODE: Shape = Shape::Object(
    &[
        Member::attribute("id", &NUMBER).named(Name::new("id").prefix("p").within("urn:a")),
        Member::attribute("on", &BOOLEAN),
        Member::element("name", &TEXT).named(Name::new("n").within("urn:b")),
        Member::element("list", &LIST).named(Name::new("l")),
        Member::items("items", &NODE).named(Name::new("o")).required(),
        Member::items("texts", &TEXT).named(Name::new("s")),
        Member::element("map", &MAP).named(Name::new("m").prefix("p").within("urn:a")),
        Member::element("mixed", &MIXED).named(Name::new("x")),
    ],
    Others::Skipped,
);

fuzz_target!(|bytes: &[u8]| {
    let roots: [(Root, fn(&Value) -> bool); 4] = [
        (Root::any(&NODE), is_node),
        (Root::new(Name::new("r"), &MAP), is_map),
        (Root::any(&LIST), is_list),
        (Root::any(&MIXED), is_mixed),
    ];
    for (root, is_typed) in roots {
        let _ = from_slice::<Value>(root, bytes);
        let Ok(value) = from_slice_strict::<Value>(root, bytes) else { continue };
        // The parser accepts names that XML does not have.
        let Ok(document) = try_to_vec(root, &value) else { continue };
        let again = from_slice_strict::<Value>(root, &document);
        // A model would refuse values of other types.
        if is_typed(&value) {
            assert_eq!(again.as_ref(), Ok(&value), "{}", String::from_utf8_lossy(&document));
        }
    }
});

fn is_node(value: &Value) -> bool {
    members(value, |name, value| match name {
        "id" => matches!(value, Value::Number(_)),
        "on" => matches!(value, Value::Bool(_)),
        "name" => is_text(value),
        "list" => is_list(value),
        "items" => items(value, is_node),
        "texts" => items(value, is_text),
        "map" => is_map(value),
        _ => is_mixed(value),
    })
}

fn is_map(value: &Value) -> bool {
    members(value, |_, value| is_node(value))
}

fn is_list(value: &Value) -> bool {
    items(value, |row| items(row, |cell| matches!(cell, Value::Null | Value::Number(_))))
}

fn is_mixed(value: &Value) -> bool {
    members(value, |name, value| match name {
        "a" => matches!(value, Value::Number(_)),
        _ => is_text(value),
    })
}

fn is_text(value: &Value) -> bool {
    matches!(value, Value::Null | Value::String(_))
}

fn members(value: &Value, is_fine: impl Fn(&str, &Value) -> bool) -> bool {
    match value {
        Value::Null => true,
        Value::Object(members) => members.iter().all(|(name, value)| is_fine(name, value)),
        _ => false,
    }
}

fn items(value: &Value, is_fine: impl Fn(&Value) -> bool) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().all(is_fine),
        _ => false,
    }
}
