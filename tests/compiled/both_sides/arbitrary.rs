//! Arbitrary values of models are valid, and broken ones break one rule.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use compiled_server::models::{Order, Pet, Receipt};
use compiled_server::runtime::arbitrary::{Arbitrary, Broken, Shaped, Unstructured, broken, value};
use compiled_server::runtime::json::{self, Read, Write};

/// Values of a model that is looked at closely.
const VALUES: u64 = 1000;

/// Values of each model.
const OF_EACH: usize = 250;

/// Models with a type of another crate that is written unusually, such as `12.50 EUR`.
const UNUSUAL: &[&str] = &["GermanTime", "GermanWeekday", "Money", "Shift", "Spot", "Wallet"];

/// Bytes that look random, for each value.
static DATA: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| (1..=VALUES).map(data).collect());

fn data(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    (0..256).flat_map(next).collect()
}

/// How many values of a model could be made; each that could is valid.
fn made<T: Read + Write + Shaped>(name: &str) -> usize {
    let is_made = |data: &&Vec<u8>| match value::<T>(&mut Unstructured::new(data)) {
        Ok(value) => {
            let checked = json::check(&value);
            assert!(checked.is_ok(), "{name}: {checked:?} {}", String::from_utf8_lossy(&json::to_vec(&value)));
            true
        }
        Err(_) => false,
    };
    DATA.iter().take(OF_EACH).filter(is_made).count()
}

/// The name of a model, and how many values of it could be made.
type Model = (&'static str, fn() -> usize);

macro_rules! made_of_each {
    ($($model:ident)*) => {
        [$((stringify!($model), || made::<compiled_server::models::$model>(stringify!($model)))),*]
    };
}

#[test]
fn values_of_every_model_are_valid() {
    let all: &[Model] = &compiled_server::every_model!(made_of_each);
    for (name, made) in all.iter().filter(|(name, _)| !UNUSUAL.contains(name)) {
        assert_eq!(made(), OF_EACH, "{name}");
    }
}

#[test]
fn values_differ_and_follow_from_the_data() {
    let order = |data: &Vec<u8>| format!("{:?}", Order::arbitrary(&mut Unstructured::new(data)).expect("a value"));
    let orders: BTreeSet<_> = DATA.iter().map(order).collect();
    assert!(orders.len() > 900, "{}", orders.len());
    assert_eq!(order(&DATA[0]), order(&DATA[0]));
    assert!(Receipt::arbitrary(&mut Unstructured::new(&[])).is_ok());
}

/// The codes of the violations of broken documents.
fn broken_rules<T: Read + Shaped>() -> BTreeSet<&'static str> {
    let found = DATA.iter().filter_map(|data| {
        let Broken { json, violation } = broken::<T>(&mut Unstructured::new(data)).ok()?;
        let violations = json::from_slice_strict::<T>(&json).err().expect("it is broken");
        assert_eq!(&violations[..], std::slice::from_ref(&violation), "{}", String::from_utf8_lossy(&json));
        Some(violation.code)
    });
    found.collect()
}

#[test]
fn every_rule_can_be_broken_by_itself() {
    let rules = broken_rules::<Order>();
    let expected = [
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "maxItems",
        "maxLength",
        "maximum",
        "minItems",
        "minLength",
        "minimum",
        "multipleOf",
        "pattern",
        "type",
        "uniqueItems",
        "unknown",
    ];
    for rule in expected {
        assert!(rules.contains(rule), "{rule} is not among {rules:?}");
    }
    assert!(broken_rules::<Receipt>().contains("required"));
    assert!(broken_rules::<Pet>().contains("type"));
}
