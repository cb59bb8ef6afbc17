//! Checking what could be any value.

use super::{Check, Numeric, Rule, check_number};
use crate::runtime::json::{Kind, Value};
use crate::runtime::violation::Notes;

impl Check for Value {
    fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        let found = kind(self);
        for rule in rules {
            if let Rule::Kind(kind) = rule
                && *kind != found
            {
                at.note("type", format!("is {}, not {}", found.noun(), kind.noun()));
                return false;
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
