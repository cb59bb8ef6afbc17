//! What `#[derive(Json)]` makes of attributes that other tests have no use for.

use std::collections::BTreeMap;

use specwright_runtime::json::{Json, Maybe, Value, from_slice, from_slice_strict, to_vec};
use specwright_runtime::parameter::{FromParameter, Raw, Shape, ToParameter};
use specwright_runtime::text::{FromText, ToText};
use specwright_runtime::unknown::Unknown;
use specwright_runtime::violation::{Location, Notes};

/// Names that mean something else in the code that is derived.
#[derive(Debug, PartialEq, Json)]
#[json(any_case, together(one(has("json"), has("raw"))), min_properties = 2)]
struct Names {
    json: Option<i32>,
    raw: Option<i32>,
    r#type: String,
    #[json("\"quoted\"\n")]
    quoted: Maybe<bool>,
    #[json(skip_read)]
    only_written: Option<i32>,
    #[json(skip_write)]
    only_read: Option<i32>,
    #[json(expected)]
    anything: Value,
    #[json(others, names(max_length = 1))]
    fields: BTreeMap<String, i32>,
}

#[test]
fn members_have_the_names_and_ways_that_they_say() {
    let text = r#"{"Type":"a","json":1,"\"quoted\"\n":null,"only_read":4,"anything":[],"x":5}"#;
    let names: Names = from_slice_strict(text.as_bytes()).unwrap();
    assert_eq!((names.json, names.quoted, names.only_read), (Some(1), Maybe::Null, Some(4)));
    let written = String::from_utf8(to_vec(&Names { only_written: Some(3), ..names })).unwrap();
    assert_eq!(written, r#"{"json":1,"type":"a","\"quoted\"\n":null,"only_written":3,"anything":[],"x":5}"#);

    let found = from_slice_strict::<Names>(br#"{"type":"a","json":1,"raw":2,"long":1}"#).unwrap_err();
    let found: Vec<_> = found.iter().map(ToString::to_string).collect();
    let expected = ["body /long has 4 characters, at most 1", "body /anything is missing"];
    assert_eq!(found, expected);
    let found = from_slice_strict::<Names>(br#"{"type":"a","json":1,"raw":2,"anything":1}"#).unwrap_err();
    assert_eq!(found[0].detail, "has to have exactly one of: `json`; `raw`");
    assert_eq!(from_slice::<Names>(br#"{"type":"a","json":1}"#).unwrap().anything, Value::Null);
}

#[derive(Debug, PartialEq, Json)]
struct Escaped {
    #[json("a\"b")]
    quoted: Option<i32>,
    plain: Option<i32>,
}

#[derive(Debug, PartialEq, Json)]
struct Plain {
    first: Option<i32>,
    second: Option<i32>,
}

#[test]
fn names_are_compared_without_escapes() {
    let escaped = |text: &str| from_slice::<Escaped>(text.as_bytes()).map_err(|found| found[0].code);
    assert_eq!(escaped(r#"{"a\"b":1,"\u0070lain":2}"#), Ok(Escaped { quoted: Some(1), plain: Some(2) }));
    assert_eq!(escaped(r#"{"a"b":1}"#), Err("syntax"));
    let plain = |text: &str| from_slice::<Plain>(text.as_bytes()).map_err(|found| found[0].code);
    let both = || Ok(Plain { first: Some(1), second: Some(2) });
    assert_eq!(plain(r#"{"\u0066irst":1,"second":2}"#), both());
    assert_eq!(plain(r#" { "second" : 2 , "first" : 1 } "#), both());
    for text in [r#"{"first"1}"#, r#"{"first":1,}"#, r#"{"first":1 "second":2}"#, r#"{,"first":1}"#, r#"{"first":1"#] {
        assert_eq!(plain(text), Err("syntax"), "{text}");
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Json)]
#[json(i8, names)]
enum Level {
    #[json(-1)]
    Broken,
    #[json(2)]
    Bright,
}

#[derive(Clone, Debug, PartialEq, Json)]
#[json(u16, tolerant)]
enum Port {
    #[json(80)]
    Http,
    #[json(other)]
    Other(Unknown<u16>),
}

#[test]
fn numbers_are_choices_too() {
    assert_eq!(Level::Broken.as_i8(), -1);
    assert_eq!(Level::from_text("bright").unwrap(), Level::Bright);
    assert_eq!(from_slice::<Level>(b"2").unwrap(), Level::Bright);
    assert!(Level::try_from(0).is_err());
    assert_eq!(from_slice::<Port>(b"80").unwrap(), Port::Http);
    let other: Port = from_slice(b"81").unwrap();
    assert_eq!((other.as_u16(), other.to_text().into_owned(), to_vec(&other)), (81, "81".to_owned(), b"81".to_vec()));
    assert!(from_slice_strict::<Port>(b"81").is_err());
    assert_eq!(Port::from_text("81").unwrap(), other);
}

#[derive(Debug, PartialEq, Json)]
#[json(parameter, shape = "array", order(1, 0))]
enum Codes {
    #[json(kind = "array", min_items = 1)]
    Array(Vec<String>),
    #[json(kind = "number", exact)]
    Number(i64),
}

#[derive(Debug, PartialEq, Json)]
enum Account {
    #[json(member = "iban")]
    Iban(Iban),
    #[json(member = "number")]
    Number(Box<Number>),
}

/// The same as `anyOf`.
#[derive(Debug, PartialEq, Json)]
#[json(any_of)]
enum AnyAccount {
    #[json(member = "iban")]
    Iban(Iban),
    #[json(member = "number")]
    Number(Box<Number>),
}

#[derive(Debug, PartialEq, Json)]
struct Iban {
    iban: String,
}

#[derive(Debug, PartialEq, Json)]
struct Number {
    number: i64,
}

#[test]
fn variants_are_told_apart_by_types_and_members() {
    assert_eq!(from_slice_strict::<Codes>(b"7").unwrap(), Codes::Number(7));
    let found = from_slice_strict::<Codes>(b"true").unwrap_err();
    assert_eq!(found[0].detail, "is a boolean, not an array or a number");
    assert_eq!(Codes::SHAPE, Shape::Array);
    let mut notes = Notes::new(Location::Body);
    let read = |text: &str, notes: &mut Notes| Codes::from_parameter(Raw::Text(text.to_owned().into()), notes);
    assert_eq!(read("7", &mut notes), Some(Codes::Number(7)));
    assert_eq!(read("007", &mut notes), Some(Codes::Array(vec!["007".to_owned()])));
    assert_eq!(Codes::Number(7).to_parameter(), Raw::Text("7".into()));

    let account: Account = from_slice_strict(br#"{"number":1}"#).unwrap();
    assert_eq!(account, Account::Number(Box::new(Number { number: 1 })));
    assert_eq!(to_vec(&account), br#"{"number":1}"#);
    let found = from_slice_strict::<Account>(b"{}").unwrap_err();
    assert_eq!(found[0].detail, "has none of `iban`, `number`");
}

#[test]
fn an_object_may_have_the_members_of_several_variants_of_any_of() {
    let both = br#"{"iban":"x","number":1}"#;
    let found = from_slice_strict::<Account>(both).unwrap_err();
    assert_eq!(found[0].code, "oneOf");
    let read = |text: &[u8]| from_slice_strict::<AnyAccount>(text);
    assert_eq!(read(both).unwrap(), AnyAccount::Iban(Iban { iban: "x".into() }));
    let number = AnyAccount::Number(Box::new(Number { number: 1 }));
    assert_eq!(read(br#"{"iban":5,"number":1}"#).unwrap(), number);
    assert_eq!(read(br#"{"number":1}"#).unwrap(), number);
    assert!(read(br#"{"iban":5,"number":"1"}"#).is_err());
    assert_eq!(read(br#"{"iban":5}"#).unwrap_err()[0].pointer, "/iban");
}
