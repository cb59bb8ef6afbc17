//! What a strict reader refuses and a tolerant one overlooks, and which variant is taken for it.

use specwright_runtime::json::{Json, Members, Read, Reader, Value, from_slice, from_slice_strict};
use specwright_runtime::rule::{Bound, Rule, read_checked};
use specwright_runtime::unknown::Unknown;

#[derive(Clone, Debug, PartialEq, Json)]
#[json(tolerant)]
enum Level {
    #[json("low")]
    Low,
    #[json(other)]
    Unknown(Unknown<String>),
}

fn high() -> Level {
    Level::Unknown(Unknown::of("high"))
}

/// A closed object with a constant.
#[derive(Debug, PartialEq, Json)]
#[json(closed, read, constant("kind", "lamp", expected))]
struct Lamp {
    level: Level,
    label: Option<String>,
}

/// An open object with another constant.
#[derive(Debug, PartialEq, Json)]
#[json(read, constant("kind", "torch", expected))]
struct Torch {
    level: Level,
    on: Option<bool>,
}

#[derive(Debug, PartialEq, Json)]
#[json(read)]
enum Light {
    Level(Level),
    Text(String),
    Lamp(Lamp),
    Torch(Torch),
    #[json(other)]
    Unknown(Value),
}

fn lamp(level: Level) -> Light {
    Light::Lamp(Lamp { level, label: None })
}

fn torch(level: Level) -> Light {
    Light::Torch(Torch { level, on: None })
}

fn tolerant(text: &str) -> Light {
    from_slice(text.as_bytes()).unwrap_or_else(|violations| panic!("{text}: {violations:?}"))
}

fn strict<T: Read + std::fmt::Debug>(text: &str) -> Vec<String> {
    let violations = from_slice_strict::<T>(text.as_bytes()).expect_err(text);
    violations.iter().map(|violation| format!("{} {}", violation.pointer, violation.detail)).collect()
}

#[test]
fn ignored_deviations_are_violations_for_a_strict_reader() {
    let text = r#"{"kind":"torch","level":"high","label":null,"more":1}"#;
    assert_eq!(from_slice::<Lamp>(text.as_bytes()).unwrap(), Lamp { level: high(), label: None });
    assert_eq!(
        strict::<Lamp>(text),
        [
            "/kind is `torch`, not one of `lamp`",
            "/level is `high`, not a known value",
            "/label is null, not a string",
            "/more is unknown",
        ]
    );
    assert_eq!(from_slice::<Lamp>(br#"{"level":"low","kind":{}}"#).unwrap().level, Level::Low);
    assert_eq!(from_slice::<Lamp>(br#"{"level":"low"}"#).unwrap().level, Level::Low);
    assert_eq!(strict::<Lamp>(r#"{"level":"low"}"#), ["/kind is missing"]);
    assert!(from_slice::<Lamp>(br#"{"kind":"lamp"}"#).is_err());
}

#[test]
fn an_exact_variant_wins_over_one_with_deviations() {
    assert_eq!(tolerant(r#""low""#), Light::Level(Level::Low));
    assert_eq!(tolerant(r#""high""#), Light::Text("high".to_owned()));
    assert_eq!(tolerant(r#"{"kind":"lamp","level":"low"}"#), lamp(Level::Low));
    assert_eq!(tolerant(r#"{"kind":"torch","level":"low"}"#), torch(Level::Low));
    assert_eq!(tolerant(r#"{"level":"low"}"#), lamp(Level::Low), "both miss their constant");
    assert_eq!(tolerant(r#"{"level":"low","more":1}"#), torch(Level::Low), "a lamp has no more");
    assert_eq!(tolerant("[1]"), Light::Unknown(from_slice(b"[1]").unwrap()));
}

#[test]
fn the_variant_with_the_fewest_deviations_wins() {
    assert_eq!(tolerant(r#"{"kind":"torch","level":"high"}"#), torch(high()));
    assert_eq!(tolerant(r#"{"kind":"lamp","level":"high"}"#), lamp(high()));
    assert_eq!(tolerant(r#"{"kind":"lamp","level":"low","more":1}"#), lamp(Level::Low), "as much, and it is first");
    assert_eq!(tolerant(r#"{"kind":"lamp","level":"low","more":1,"most":2}"#), torch(Level::Low));
    let mixed: Vec<Light> = from_slice(br#"[{"kind":"torch","level":"high"},"low",{"level":"low"}]"#).unwrap();
    assert_eq!(mixed, [torch(high()), Light::Level(Level::Low), lamp(Level::Low)]);
}

#[test]
fn a_strict_reader_takes_the_first_variant_that_fits_and_says_why_none_does() {
    let read = |text: &str| from_slice_strict::<Light>(text.as_bytes()).unwrap();
    assert_eq!(read(r#""high""#), Light::Text("high".to_owned()));
    assert_eq!(read(r#"{"kind":"torch","level":"low","more":1}"#), torch(Level::Low));
    assert_eq!(
        strict::<Light>(r#"{"kind":"flame","level":"low"}"#),
        [concat!(
            " fits no variant: not Level, because it is an object, not a string; ",
            "not Text, because it is an object, not a string; ",
            "not Lamp, because /kind is `flame`, not one of `lamp`; ",
            "not Torch, because /kind is `flame`, not one of `torch`",
        )]
    );
}

#[test]
fn violations_shared_by_all_variants_are_noted_once() {
    let lights = |text: &str| from_slice_strict::<Lit>(text.as_bytes()).unwrap_err();
    let found = lights(r#"{"light":{"kind":"lamp","level":"high","more":1}}"#);
    let [violation] = &found[..] else { panic!("{found:?}") };
    assert_eq!((violation.pointer.as_str(), violation.code), ("/light/level", "enum"));
    let found = lights(r#"{"light":{"kind":"flame"}}"#);
    assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), ["body /light/level is missing"]);
    let found = lights(r#"{"light":7}"#);
    assert_eq!((found[0].pointer.as_str(), found[0].code), ("/light", "oneOf"));
}

/// One of two objects.
#[derive(Debug)]
struct Lit;

impl Read for Lit {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        const MEMBERS: Members = Members::exact(&["light"]);
        json.object(&MEMBERS, &mut |json, _| {
            json.first_of(&[
                ("Lamp", |json| Lamp::read(json).map(drop)),
                ("Torch", |json| Torch::read(json).map(drop)),
            ]);
        })?;
        Some(Self)
    }
}

/// Each level may be read in two ways, and each of them overlooks something.
#[derive(Debug)]
struct Nest;

impl Read for Nest {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        fn inner(json: &mut Reader<'_>) -> Option<Nest> {
            json.overlook();
            Vec::<Nest>::read(json).map(|_| Nest)
        }
        json.open_first_of(&[("One", inner), ("Other", inner)], |_| Self)
    }
}

#[test]
fn looking_for_the_best_variant_does_not_take_forever() {
    let text = format!("{}{}", "[".repeat(100), "]".repeat(100));
    assert!(from_slice::<Nest>(text.as_bytes()).is_ok());
}

#[derive(Debug, PartialEq, Json)]
enum Size {
    #[json(maximum = 9)]
    Small(i64),
    #[json(min_items = 1)]
    Large(Vec<i64>),
    #[json(minimum = 100, multiple_of = 10)]
    Huge(i64),
    #[json(other)]
    Unknown(Value),
}

#[test]
fn a_tolerant_reader_chooses_by_rules_that_it_does_not_demand() {
    for (text, size) in [
        ("9", Size::Small(9)),
        ("100", Size::Huge(100)),
        ("110", Size::Huge(110)),
        ("50", Size::Small(50)),
        ("101", Size::Small(101)),
        ("[]", Size::Large(Vec::new())),
    ] {
        assert_eq!(from_slice::<Size>(text.as_bytes()).unwrap(), size, "{text}");
    }
    assert!(from_slice_strict::<Size>(b"50").is_err());
    let checked = |text: &str| {
        let read = |json: &mut Reader<'_>| read_checked::<i64>(json, &[Rule::Maximum(Bound::Integer(9))]);
        specwright_runtime::json::read_document(Reader::tolerant(text.as_bytes()), read)
    };
    assert_eq!(checked("10"), Ok(10), "without a choice there is nothing to count");
}
