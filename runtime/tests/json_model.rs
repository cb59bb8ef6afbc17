//! Models written as the generator writes them.

use std::collections::BTreeMap;

use proptest::prelude::*;
use specwright_runtime::decimal::DecimalNumber;
use specwright_runtime::json::{
    Json, Kind, Maybe, Read, Reader, Value, Write, from_slice, from_slice_strict, to_vec, try_to_vec,
};
use specwright_runtime::text::Base64;

#[derive(Clone, Debug, PartialEq, Json)]
#[json(any_case, closed)]
struct Account {
    #[json("Id", minimum = 1)]
    id: i32,
    #[json("Name", min_length = 1, max_length = 3)]
    name: String,
    #[json("Email", nullable, format = "email")]
    email: Option<String>,
    #[json("Parent")]
    parent: Option<Box<Account>>,
    #[json("Note")]
    note: Maybe<String>,
    #[json("Tags", max_items = 2, unique_items, items(pattern = "^[a-z]+$"))]
    tags: Option<Vec<String>>,
    #[json("Limits", max_properties = 1, values(multiple_of = 0.01))]
    limits: Option<BTreeMap<String, f64>>,
}

fn violations<T: Read + std::fmt::Debug>(text: &str) -> Vec<String> {
    let violations = from_slice_strict::<T>(text.as_bytes()).expect_err(text);
    violations
        .iter()
        .map(|violation| format!("{} {} {}", violation.pointer, violation.code, violation.detail))
        .collect()
}

#[test]
fn names_count_in_any_case_and_null_is_not_absent() {
    let text = r#"{"ID": 1, "name": "a", "EMail": null, "Note": null, "Parent": {"Id": 2.0, "Name": "\u00e9\ud83d\ude00", "Email": "a@b.c"}}"#;
    let account: Account = from_slice_strict(text.as_bytes()).unwrap();
    assert_eq!(account.note, Maybe::Null);
    assert_eq!(account.email, None);
    let written = String::from_utf8(to_vec(&account)).unwrap();
    assert_eq!(
        written,
        r#"{"Id":1,"Name":"a","Email":null,"Parent":{"Id":2,"Name":"é😀","Email":"a@b.c"},"Note":null}"#
    );
    assert_eq!(from_slice_strict::<Account>(written.as_bytes()).unwrap(), account);
}

#[test]
fn every_violation_is_found_in_one_pass() {
    let text = r#"{
        "Id": 0, "Name": "long", "Email": "nobody", "Emial": 1, "id": 3,
        "Tags": ["a", "a", "B", 4],
        "Parent": {"Id": 3000000000, "Name": null, "Note": 5, "Limits": {"a/b~c": 0.015}, "Tags": ["a", "b", "A"]}
    }"#;
    assert_eq!(
        violations::<Account>(text),
        [
            "/Id minimum is 0, at least 1",
            "/Name maxLength has 4 characters, at most 3",
            "/Email format is not an email address",
            "/Emial unknown is unknown; did you mean `Email`?",
            "/Id duplicate is given twice",
            "/Tags/3 type is a number, not a string",
            "/Parent/Id format is 3000000000, not between -2147483648 and 2147483647",
            "/Parent/Name type is null, not a string",
            "/Parent/Note type is a number, not a string",
            "/Parent/Limits/a~1b~0c multipleOf is 0.015, not a multiple of 0.01",
            "/Parent/Tags maxItems has 3 items, at most 2",
            "/Parent/Tags/2 pattern does not match `^[a-z]+$`",
            "/Parent/Email required is missing",
        ]
    );
}

#[test]
fn integers_are_exact() {
    let read = |text: &str| from_slice_strict::<i64>(text.as_bytes()).map_err(|violations| violations[0].code);
    assert_eq!(read("-9223372036854775808"), Ok(i64::MIN));
    assert_eq!(read("9223372036854775807"), Ok(i64::MAX));
    assert_eq!(read("9223372036854775808"), Err("format"));
    assert_eq!(read("0"), Ok(0));
    assert_eq!(read("-0"), Ok(0));
    assert_eq!(read("1.0"), Ok(1));
    assert_eq!(read("1.50e2"), Ok(150));
    assert_eq!(read("1500e-2"), Ok(15));
    assert_eq!(read("1.5"), Err("type"));
    assert_eq!(read("1e-1"), Err("type"));
    assert_eq!(read("0e999999999999999999999"), Ok(0));
    assert_eq!(read("1e999999999999999999999"), Err("format"));
    assert_eq!(read("1e-999999999999999999999"), Err("type"));
    assert_eq!(read("\"1\""), Err("type"));
    assert_eq!(from_slice_strict::<u64>(b"18446744073709551615").ok(), Some(u64::MAX));
    assert_eq!(
        from_slice_strict::<u8>(b"-1").map_err(|v| v[0].detail.clone()),
        Err("is -1, not between 0 and 255".into())
    );
}

#[test]
fn floats_are_nearest_and_finite() {
    let read = |text: &str| from_slice_strict::<f64>(text.as_bytes()).map_err(|violations| violations[0].code);
    assert_eq!(read("0.1"), Ok(0.1));
    assert_eq!(read("2.687598215536806e+60"), Ok(2.687_598_215_536_806e60));
    assert_eq!(read("1e-400"), Ok(0.0));
    assert_eq!(read("1e400"), Err("format"));
    assert_eq!(read("-0").map(f64::to_bits), Ok((-0.0_f64).to_bits()));
    assert_eq!(read("-0.00").map(f64::to_bits), Ok((-0.0_f64).to_bits()));
    for text in ["01", "-01.5", "1.", "-.5", "1.e5", "-", "1.2.3", "1234567890123456.", "1.5e"] {
        assert_eq!(read(text), Err("syntax"), "{text}");
    }
    assert_eq!(from_slice_strict::<f32>(b"0.1").ok(), Some(0.1));
    assert_eq!(from_slice_strict::<f32>(b"1e39").map_err(|v| v[0].code), Err("format"));
    assert_eq!(to_vec(&f64::NAN), b"null");
    assert_eq!(to_vec(&0.1_f32), b"0.1");
    assert_eq!(to_vec(&1e300), b"1e+300");
}

proptest! {
    #[test]
    fn floats_are_those_of_the_standard_library(text in "-?(0|[1-9][0-9]{0,18})(\\.[0-9]{1,18})?") {
        prop_assert_eq!(from_slice_strict::<f64>(text.as_bytes()).ok(), text.parse().ok());
    }
}

#[test]
fn times_are_read_leniently_and_written_in_utc() {
    let read = |text: &str| {
        let read = from_slice_strict::<jiff::Timestamp>(format!("{text:?}").as_bytes());
        read.map_or_else(|violations| violations[0].detail.clone(), |time| String::from_utf8(to_vec(&time)).unwrap())
    };
    assert_eq!(read("2025-01-31T12:00:00Z"), "\"2025-01-31T12:00:00Z\"");
    assert_eq!(read("2025-01-31T12:00:00.500+02:00"), "\"2025-01-31T10:00:00.5Z\"");
    assert_eq!(read("2025-01-31T12:00:00"), "\"2025-01-31T12:00:00Z\"");
    assert_eq!(read("2025-01-31"), "\"2025-01-31T00:00:00Z\"");
    assert_eq!(read("0001-01-01T00:00:00"), "\"0001-01-01T00:00:00Z\"");
    assert_eq!(read("yesterday"), "is `yesterday`, not a date and time such as `2025-01-31T12:00:00Z`");
}

#[test]
fn other_texts_survive() {
    fn survives<T: Read + Write>(text: &str) {
        let read: T = from_slice_strict(text.as_bytes()).unwrap_or_else(|violations| panic!("{text}: {violations:?}"));
        assert_eq!(String::from_utf8(to_vec(&read)).unwrap(), text);
    }
    survives::<jiff::civil::Date>("\"2025-01-31\"");
    survives::<jiff::civil::Time>("\"12:30:00\"");
    survives::<jiff::civil::DateTime>("\"2025-01-31T12:30:00\"");
    survives::<jiff::SpanFieldwise>("\"P1Y2M3DT4H\"");
    survives::<uuid::Uuid>("\"67e55044-10b1-426f-9247-bb680e5fe0c8\"");
    survives::<rust_decimal::Decimal>("\"1234567.10\"");
    survives::<DecimalNumber>("1234567.10");
    survives::<std::net::Ipv4Addr>("\"127.0.0.1\"");
    survives::<std::net::Ipv6Addr>("\"::1\"");
    survives::<Base64>("\"aGk=\"");
    survives::<Vec<Option<bool>>>("[true,null,false]");
    survives::<BTreeMap<String, Vec<u8>>>("{\"\":[],\"a\\\"\":[1]}");
    assert_eq!(*from_slice_strict::<Base64>(b"\"aGk\"").unwrap(), b"hi");
    assert_eq!(violations::<uuid::Uuid>("\"x\""), [" format is `x`, not a UUID"]);
    assert_eq!(violations::<rust_decimal::Decimal>("1.5"), [" type is a number, not a string"]);
    assert_eq!(violations::<DecimalNumber>("\"1.5\""), [" type is a string, not a number"]);
}

#[derive(Clone, Copy, Debug, PartialEq, Json)]
enum Color {
    #[json("red")]
    Red,
    #[json("green")]
    Green,
}

#[test]
fn choices_name_what_is_allowed() {
    assert_eq!(from_slice_strict::<Color>(b"\"red\"").unwrap(), Color::Red);
    assert_eq!(
        violations::<Vec<Color>>("[\"gren\", \"Red\", 1]"),
        [
            "/0 enum is `gren`, not one of `red`, `green`; did you mean `green`?",
            "/1 enum is `Red`, not one of `red`, `green`; did you mean `red`?",
            "/2 type is a number, not a string",
        ]
    );
}

#[derive(Debug, PartialEq, Json)]
#[json(closed)]
struct Cat {
    lives: i32,
}

#[derive(Debug, PartialEq, Json)]
#[json(constant("petType", "dog"))]
struct Dog {
    #[json(others)]
    others: BTreeMap<String, Value>,
}

#[derive(Debug, PartialEq, Json)]
#[json(discriminator = "petType")]
enum Pet {
    #[json("cat", add_tag)]
    Cat(Cat),
    #[json("dog")]
    Dog(Dog),
}

#[derive(Debug, PartialEq)]
enum Either {
    Pet(Pet),
    Names(Vec<String>),
    Cat(Cat),
}

impl Read for Either {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        if json.kind() == Kind::Array {
            return Vec::read(json).map(Self::Names);
        }
        let mut failures = Vec::new();
        match json.attempt(Pet::read) {
            Ok(pet) => return Some(Self::Pet(pet)),
            Err(violations) => failures.push(("Pet", violations)),
        }
        match json.attempt(Cat::read) {
            Ok(cat) => return Some(Self::Cat(cat)),
            Err(violations) => failures.push(("Cat", violations)),
        }
        json.no_variant(&failures)
    }
}

#[test]
fn unions_are_told_apart_by_their_tag_which_is_written_again() {
    for text in [r#"{"petType":"cat","lives":9}"#, r#"{"petType":"dog","a":[1],"b":null}"#] {
        let pet: Pet = from_slice_strict(text.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(to_vec(&pet)).unwrap(), text);
    }
    assert!(from_slice_strict::<Pet>(br#"{"lives": 9, "petType": "cat"}"#).is_ok());
    assert_eq!(
        violations::<Vec<Pet>>(
            r#"[{"petType": "cow"}, {"lives": 9}, {"petType": {}}, 5, {"petType": "cat", "petTyp": 1}]"#
        ),
        [
            "/0/petType enum is `cow`, not one of `cat`, `dog`",
            "/1/petType required is missing",
            "/2/petType type is not a string",
            "/3 type is a number, not an object",
            "/4/petTyp unknown is unknown",
            "/4/lives required is missing",
        ]
    );
}

#[test]
fn an_additional_member_does_not_repeat_another_one() {
    let dog = |name: &str| Dog { others: [(name.to_owned(), Value::Null)].into() };
    let unwritable = try_to_vec(&vec![dog("a"), dog("petType")]).unwrap_err();
    assert_eq!(unwritable.to_string(), "the additional member at /1/petType has the name of a described member");
    assert_eq!(String::from_utf8(try_to_vec(&dog("petTyp")).unwrap()).unwrap(), r#"{"petType":"dog","petTyp":null}"#);
}

#[test]
fn a_union_that_fits_no_variant_says_why() {
    assert_eq!(from_slice_strict::<Either>(b"{\"lives\": 9}").unwrap(), Either::Cat(Cat { lives: 9 }));
    assert_eq!(from_slice_strict::<Either>(b"[]").unwrap(), Either::Names(Vec::new()));
    assert_eq!(
        violations::<BTreeMap<String, Either>>(r#"{"a": {"lives": "x"}, "b": true}"#),
        [
            "/a oneOf fits no variant: not Pet, because /petType is missing; not Cat, because /lives is a string, not a whole number",
            "/b oneOf fits no variant: not Pet, because it is a boolean, not an object; not Cat, because it is a boolean, not an object",
        ]
    );
}

#[derive(Debug)]
struct Nest;

impl Read for Nest {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        let inner = |json: &mut Reader<'_>| json.attempt(|json| Vec::<Nest>::read(json)).is_ok().then_some(Self);
        for _ in 0..2 {
            if inner(json).is_some() {
                return Some(Self);
            }
        }
        json.no_variant(&[])
    }
}

#[test]
fn ambiguous_unions_do_not_take_forever() {
    let text = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    assert_eq!(from_slice::<Nest>(text.as_bytes()).unwrap_err().last().unwrap().code, "oneOf");
}

#[test]
fn the_number_of_violations_is_limited() {
    let text = format!("[{}1]", "\"x\",".repeat(100_000));
    assert_eq!(violations::<Vec<i32>>(&text).len(), 100);
}

proptest::proptest! {
    #[test]
    fn no_text_makes_a_model_panic(
        index: proptest::sample::Index,
        piece in "[{}\\[\\],:\"a-z0-9.eE+-]{0,4}",
        length in 0..4_usize,
    ) {
        let mut text = r#"{"Id": 1, "Name": "a", "Email": null, "Note": null, "Tags": ["a"], "Limits": {"a": 0.5},
            "Parent": {"Id": 2, "Name": "é", "Email": "a@b.c"}}"#.as_bytes().to_vec();
        let start = index.index(text.len());
        let end = (start + length).min(text.len());
        text.splice(start..end, piece.bytes());
        if let Err(violations) = from_slice_strict::<Account>(&text) {
            proptest::prop_assert!(!violations.is_empty());
        }
        let is_json = serde_json::from_slice::<serde_json::Value>(&text).is_ok();
        let is_broken = from_slice::<Account>(&text).is_err_and(|violations| violations.iter().any(|v| v.code == "syntax"));
        proptest::prop_assert_eq!(is_json, !is_broken);
    }
}
