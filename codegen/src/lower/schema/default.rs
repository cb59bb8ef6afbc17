//! `default`, checked against its type and rules.

use std::cmp::Ordering;

use serde_json::Value as Json;

use super::alias::{resolved_kind, without_aliases};
use super::primitive::compare;
use super::reader::Reader;
use super::{build_model, pattern};
use crate::diagnostic::Code;
use crate::ir::{Default, ForeignForm, ModelKind, Rule, Type, Value};
use crate::lower::node::Node;

/// The default, unless it has the wrong type or breaks a rule.
pub(crate) fn read_default<'a>(reader: &mut Reader<'a>, node: &Node<'a>, value: &Value) -> Option<Default> {
    if node.value.is_null() {
        return None;
    }
    let value = without_aliases(reader, value);
    let message = match typed_default(reader, node.value, &value.ty) {
        Found::Default(default) => match value.rules.iter().find(|rule| keeps(rule, &default) == Some(false)) {
            None => return Some(default),
            Some(rule) => format!("the default breaks `{rule}`"),
        },
        Found::Wrong(expected) => format!("the default is not {expected}"),
        Found::Undocumented => return None,
    };
    reader.report(Code::InvalidDefault, &node.location, message).label("left out");
    None
}

/// Whether the default can be written as a literal of its type. Whether a text is a valid date and the like
/// is not known here.
pub(crate) fn has_literal(reader: &mut Reader<'_>, default: &Default, value: &Value) -> bool {
    let value = without_aliases(reader, value);
    !value.boxed
        && match default {
            Default::Boolean(_) => value.ty == Type::Boolean,
            Default::Number(_) => matches!(value.ty, Type::Integer(_) | Type::Float | Type::Double),
            Default::String(_) => value.ty == Type::String,
            Default::Variant(_) => true,
            Default::Array(items) => match &value.ty {
                Type::Array(item) => {
                    items.is_empty() || !item.nullable && items.iter().all(|own| has_literal(reader, own, item))
                }
                _ => false,
            },
            Default::OfVariant(rust, own) => match resolved_kind(reader, &value.ty) {
                Some(ModelKind::Union(union)) => {
                    let variant = union.variants.iter().find(|variant| variant.rust == *rust);
                    variant.is_some_and(|variant| has_literal(reader, own, &variant.value))
                }
                _ => false,
            },
        }
}

fn typed_default(reader: &mut Reader<'_>, default: &Json, ty: &Type) -> Found {
    match ty {
        Type::Boolean => match default {
            Json::Bool(value) => Found::Default(Default::Boolean(*value)),
            Json::String(text) if text == "true" || text == "false" => Found::Default(Default::Boolean(text == "true")),
            _ => Found::Wrong("a boolean"),
        },
        Type::Integer(kind) => match default.as_i64().map(i128::from).or_else(|| default.as_u64().map(i128::from)) {
            Some(number) if crate::lower::schema::primitive::holds(*kind, number) => {
                Found::Default(Default::Number(number.to_string()))
            }
            Some(_) | None => Found::Wrong("an integer that its format has room for"),
        },
        Type::Float | Type::Double | Type::DecimalNumber => match default {
            Json::Number(number) => Found::Default(Default::Number(number.to_string())),
            _ => Found::Wrong("a number"),
        },
        Type::Array(item) => match default {
            Json::Array(items) => {
                let mut defaults = Vec::new();
                for own in items {
                    match typed_default(reader, own, &item.ty) {
                        Found::Default(default) => defaults.push(default),
                        Found::Wrong(_) => return Found::Wrong("a list of such items"),
                        Found::Undocumented => return Found::Undocumented,
                    }
                }
                Found::Default(Default::Array(defaults))
            }
            _ => Found::Wrong("an array"),
        },
        Type::Map(_) => {
            if default.is_object() {
                Found::Undocumented
            } else {
                Found::Wrong("an object")
            }
        }
        Type::Tuple(_) if !default.is_array() => Found::Wrong("an array"),
        Type::Tuple(_) | Type::Any => Found::Undocumented,
        Type::Foreign(foreign) => match (foreign.form(), default) {
            (ForeignForm::Text, Json::String(text)) => Found::Default(Default::String(text.clone())),
            (ForeignForm::Text, _) => Found::Wrong("a string"),
            (ForeignForm::Number, Json::Number(number)) => Found::Default(Default::Number(number.to_string())),
            (ForeignForm::Number, _) => Found::Wrong("a number"),
            (ForeignForm::Json, _) => Found::Undocumented,
        },
        Type::Model(id) => {
            build_model(reader, *id);
            let Some(kind) = reader.models.kind(*id) else { return Found::Undocumented };
            match kind {
                ModelKind::Struct(_) if !default.is_object() => Found::Wrong("an object"),
                // A remaining alias is a cycle.
                ModelKind::Struct(_) | ModelKind::Alias(_) => Found::Undocumented,
                ModelKind::Union(union) => {
                    let variants = union.variants.clone();
                    let mut found = variants.iter().filter_map(|variant| {
                        let ty = without_aliases(reader, &variant.value).ty;
                        match typed_default(reader, default, &ty) {
                            Found::Default(own) => Some(Default::OfVariant(variant.rust.clone(), Box::new(own))),
                            Found::Wrong(_) | Found::Undocumented => None,
                        }
                    });
                    found.next().map_or(Found::Undocumented, Found::Default)
                }
                ModelKind::Enum(enum_) => {
                    let text = match default {
                        Json::String(text) if enum_.integer.is_none() => Some(text.clone()),
                        Json::Number(number) if enum_.integer.is_some() => {
                            number.as_i64().map(|number| number.to_string())
                        }
                        _ => None,
                    };
                    let index = enum_.variants.iter().position(|variant| text.as_ref() == Some(&variant.value));
                    index.map_or(Found::Wrong("one of the values of its `enum`"), |index| {
                        Found::Default(Default::Variant(index))
                    })
                }
            }
        }
        // The others are texts.
        _ => match default {
            Json::String(text) => Found::Default(Default::String(text.clone())),
            _ => Found::Wrong("a string"),
        },
    }
}

/// Whether the default keeps the rule, if that is known. Text formats are left to the server.
fn keeps(rule: &Rule, default: &Default) -> Option<bool> {
    Some(match (rule, default) {
        (Rule::Minimum(least), Default::Number(number)) => compare(number, least)?.is_ge(),
        (Rule::Maximum(most), Default::Number(number)) => compare(number, most)?.is_le(),
        (Rule::ExclusiveMinimum(bound), Default::Number(number)) => compare(number, bound)?.is_gt(),
        (Rule::ExclusiveMaximum(bound), Default::Number(number)) => compare(number, bound)?.is_lt(),
        (Rule::MultipleOf(factor), Default::Number(number)) => is_multiple(number, factor)?,
        (Rule::MinLength(least), Default::String(text)) => length(text) >= *least,
        (Rule::MaxLength(most), Default::String(text)) => length(text) <= *most,
        (Rule::Pattern(pattern), Default::String(text)) => pattern::matches(pattern, text)?,
        (Rule::MinItems(least), Default::Array(items)) => items.len() as u64 >= *least,
        (Rule::MaxItems(most), Default::Array(items)) => items.len() as u64 <= *most,
        (Rule::OneOf(values), Default::String(text)) => values.contains(text),
        (Rule::Numbers(values), Default::Number(number)) => {
            values.iter().any(|value| compare(number, value).is_some_and(Ordering::is_eq))
        }
        (Rule::Boolean(only), Default::Boolean(value)) => value == only,
        _ => return None,
    })
}

fn length(text: &str) -> u64 {
    text.chars().count() as u64
}

fn is_multiple(number: &str, factor: &str) -> Option<bool> {
    if let (Ok(number), Ok(factor)) = (number.parse::<i128>(), factor.parse::<i128>()) {
        return number.checked_rem(factor).map(|rest| rest == 0);
    }
    let quotient = number.parse::<f64>().ok()? / factor.parse::<f64>().ok()?;
    // `0.3` is a multiple of `0.1` despite binary rounding.
    Some((quotient - quotient.round()).abs() < 1e-9 * quotient.abs().max(1.0))
}

enum Found {
    Default(Default),
    /// It has another type.
    Wrong(&'static str),
    /// It cannot be documented briefly.
    Undocumented,
}
