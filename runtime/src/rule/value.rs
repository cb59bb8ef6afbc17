//! Checks values of any type.

use super::{Check, Numeric, Rule, check_number};
use crate::json::{Kind, Value};
use crate::text;
use crate::violation::Notes;

impl Check for Value {
    fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        let found = kind(self);
        for rule in rules {
            match rule {
                Rule::Kind(kind) if *kind != found => {
                    at.note("type", format!("is {}, not {}", found.noun(), kind.noun()));
                    return false;
                }
                Rule::Listed(texts) if !is_listed(self, texts) => {
                    let refusal = text::not_one_of(&self.to_string(), &mut texts.iter().copied());
                    at.note(refusal.code, refusal.detail);
                    return false;
                }
                _ => {}
            }
        }
        match self {
            Self::Null => true,
            Self::Bool(value) => value.check(rules, at),
            Self::Number(value) => check_number(Numeric::Decimal(&value.to_string()), rules, at),
            Self::String(value) => value.check(rules, at),
            Self::Array(items) => items.check(rules, at),
            Self::Object(members) => members.check(rules, at),
        }
    }
}

fn is_listed(value: &Value, texts: &[&str]) -> bool {
    texts.iter().filter_map(|text| text.parse().ok()).any(|listed: Value| is_same(value, &listed))
}

/// Numbers are compared by value, however written.
fn is_same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            Numeric::Decimal(&left.to_string()).is_same(Numeric::Decimal(&right.to_string()))
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| is_same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let is_in_both =
                |(name, value): (&String, &Value)| right.get(name).is_some_and(|other| is_same(value, other));
            left.len() == right.len() && left.iter().all(is_in_both)
        }
        (left, right) => left == right,
    }
}

fn kind(value: &Value) -> Kind {
    match value {
        Value::Null => Kind::Null,
        Value::Bool(_) => Kind::Boolean,
        Value::Number(_) => Kind::Number,
        Value::String(_) => Kind::String,
        Value::Array(_) => Kind::Array,
        Value::Object(_) => Kind::Object,
    }
}
