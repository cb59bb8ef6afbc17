//! Checking values against rules.

use std::collections::HashSet;
use std::fmt::Debug;
use std::net::{Ipv4Addr, Ipv6Addr};

use jiff::civil::{Date, DateTime, Time};
use jiff::{SpanFieldwise, Timestamp};

use super::{Numeric, Rule};
use crate::json::{Base64, Maybe};
use crate::text;
use crate::violation::{Notes, Step};

/// Can be checked against rules.
pub trait Check {
    /// Notes each rule that is violated; `false` if there is one.
    fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        let _ = (rules, at);
        true
    }

    /// Checks the item at `index` of a tuple.
    #[doc(hidden)]
    fn check_place(&self, index: usize, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        at.enter(Step::Item(index));
        let kept = self.check(rules, at);
        at.leave();
        kept
    }

    /// Checks the further items of a tuple, which stand from `index` on.
    #[doc(hidden)]
    fn check_further_items(&self, index: usize, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        let _ = (index, rules, at);
        true
    }
}

/// Checks a string.
pub fn check_text(text: &str, rules: &[Rule<'_>], at: &mut Notes) -> bool {
    let mut kept = true;
    for rule in rules {
        let broken = match rule {
            Rule::MinLength(least) => {
                let length = length(text);
                (length < *least)
                    .then(|| ("minLength", format!("has {}, at least {least}", count(length, "character"))))
            }
            Rule::MaxLength(most) => {
                let length = length(text);
                (length > *most).then(|| ("maxLength", format!("has {}, at most {most}", count(length, "character"))))
            }
            Rule::Pattern(pattern) => {
                (!pattern.is_match(text)).then(|| ("pattern", format!("does not match `{}`", pattern.text())))
            }
            Rule::Format(format) => (!format.is_kept_by(text)).then(|| ("format", format!("is not {}", format.noun()))),
            Rule::OneOf(texts) => (!texts.contains(&text)).then(|| {
                let refusal = text::not_one_of(text, &mut texts.iter().copied());
                (refusal.code, refusal.detail)
            }),
            _ => None,
        };
        kept &= note(broken, at);
    }
    kept
}

/// Checks a number.
pub fn check_number(number: Numeric<'_>, rules: &[Rule<'_>], at: &mut Notes) -> bool {
    let mut kept = true;
    for rule in rules {
        let broken = match rule {
            Rule::Minimum(bound) => {
                number.compare(*bound).is_lt().then(|| ("minimum", format!("is {number}, at least {bound}")))
            }
            Rule::Maximum(bound) => {
                number.compare(*bound).is_gt().then(|| ("maximum", format!("is {number}, at most {bound}")))
            }
            Rule::ExclusiveMinimum(bound) => number
                .compare(*bound)
                .is_le()
                .then(|| ("exclusiveMinimum", format!("is {number}, not more than {bound}"))),
            Rule::ExclusiveMaximum(bound) => number
                .compare(*bound)
                .is_ge()
                .then(|| ("exclusiveMaximum", format!("is {number}, not less than {bound}"))),
            Rule::MultipleOf(bound) => (!number.is_multiple_of(*bound))
                .then(|| ("multipleOf", format!("is {number}, not a multiple of {bound}"))),
            Rule::Numbers(numbers) => numbers.iter().all(|bound| number.compare(*bound).is_ne()).then(|| {
                let numbers: Vec<_> = numbers.iter().map(ToString::to_string).collect();
                let refusal = text::not_one_of(&number.to_string(), &mut numbers.iter().map(String::as_str));
                (refusal.code, refusal.detail)
            }),
            _ => None,
        };
        kept &= note(broken, at);
    }
    kept
}

/// Notes too few or too many items.
pub fn check_items(size: usize, rules: &[Rule<'_>], at: &mut Notes) -> bool {
    let size = size as u64;
    let mut kept = true;
    for rule in rules {
        let broken = match rule {
            Rule::MinItems(least) => {
                (size < *least).then(|| ("minItems", format!("has {}, at least {least}", count(size, "item"))))
            }
            Rule::MaxItems(most) => {
                (size > *most).then(|| ("maxItems", format!("has {}, at most {most}", count(size, "item"))))
            }
            _ => None,
        };
        kept &= note(broken, at);
    }
    kept
}

pub(super) fn note(broken: Option<(&'static str, String)>, at: &mut Notes) -> bool {
    match broken {
        Some((code, detail)) => {
            at.note(code, detail);
            false
        }
        None => true,
    }
}

fn length(text: &str) -> u64 {
    text.chars().count() as u64
}

pub(super) fn count(number: u64, noun: &str) -> String {
    match number {
        0 => format!("no {noun}"),
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

impl Check for bool {
    fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        let mut kept = true;
        for rule in rules {
            let broken = match rule {
                Rule::Boolean(only) => (self != only).then(|| ("enum", format!("is {self}, not {only}"))),
                _ => None,
            };
            kept &= note(broken, at);
        }
        kept
    }
}

impl Check for String {
    fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        check_text(self, rules, at)
    }
}

macro_rules! integer {
    ($($type:ty),*) => {$(
        impl Check for $type {
            fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
                check_number(Numeric::Integer(i128::from(*self)), rules, at)
            }
        }
    )*};
}

integer!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Check for f64 {
    fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        check_number(Numeric::Double(*self), rules, at)
    }
}

impl Check for f32 {
    fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        check_number(Numeric::Single(*self), rules, at)
    }
}

impl<T: Check + Debug> Check for Vec<T> {
    fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        let mut kept = check_items(self.len(), rules, at);
        for rule in rules {
            match rule {
                Rule::UniqueItems => kept &= check_unique(self, at),
                Rule::Items(rules) => {
                    for (index, item) in self.iter().enumerate() {
                        at.enter(Step::Item(index));
                        kept &= item.check(rules, at);
                        at.leave();
                    }
                }
                _ => {}
            }
        }
        kept
    }
}

/// Compares items by their debug text: it works for every type, unlike hashing, and takes no quadratic time
/// that a sender could exploit.
fn check_unique<T: Debug>(items: &[T], at: &mut Notes) -> bool {
    let mut texts = HashSet::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        if !texts.insert(format!("{item:?}")) {
            at.enter(Step::Item(index));
            at.note("uniqueItems", "is in the list already");
            at.leave();
            return false;
        }
    }
    true
}

impl<T: Check> Check for Option<T> {
    fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        self.as_ref().is_none_or(|value| value.check(rules, at))
    }
}

impl<T: Check> Check for Maybe<T> {
    fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        self.value().is_none_or(|value| value.check(rules, at))
    }
}

impl<T: Check> Check for Box<T> {
    fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        T::check(self, rules, at)
    }
}

macro_rules! unruled {
    ($($type:ty),*) => {$(
        impl Check for $type {}
    )*};
}

unruled!((), Timestamp, Date, Time, DateTime, SpanFieldwise, Ipv4Addr, Ipv6Addr, Base64);
