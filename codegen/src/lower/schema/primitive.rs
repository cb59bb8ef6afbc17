//! Strings and numbers: `format` → type, constraints → rules.

use std::cmp::Ordering;

use serde_json::{Number, json};

use super::all_of::Schema;
use super::enum_::{listed_values, lists_empty};
use super::pattern::read_pattern;
use super::types::{ARRAY, INTEGER, NUMBER, OBJECT, STRING};
use super::{format, pattern};
use crate::diagnostic::Code;
use crate::ir::{IntegerKind, Rule, Type, Value};
use crate::lower::node::Node;
use crate::lower::reporter::Reporter;

/// `type: number`; the registry of formats defines `int32` and `int64` for it, too.
pub(crate) fn number(schema: &Schema<'_>) -> Value {
    let format = said_format(schema);
    let whole = format::ty(INTEGER, format).filter(|_| listed_values(schema).is_none());
    number_of(schema, format::ty(NUMBER, format).or(whole).unwrap_or(Type::Double))
}

/// A number of this type, with its rules.
pub(crate) fn number_of(schema: &Schema<'_>, ty: Type) -> Value {
    let rules = if let Type::Integer(kind) = ty {
        let vacuous = |rule: &Rule| match rule {
            Rule::Minimum(least) => least.parse().is_ok_and(|least: i128| least <= kind.range().0),
            Rule::Maximum(most) => most.parse().is_ok_and(|most: i128| most >= kind.range().1),
            _ => false,
        };
        let rules = number_rules(schema, &whole, &|number| whole_factor(number).filter(|factor| factor != "1"));
        rules.into_iter().filter(|rule| !vacuous(rule)).collect()
    } else {
        let mut rules = number_rules(schema, &text, &|factor| Some(factor.to_string()));
        if let Some(values) = listed_values(schema) {
            rules.push(Rule::Numbers(values.iter().map(|value| value.value.value.to_string()).collect()));
        }
        rules
    };
    Value { rules, ..Value::plain(ty) }
}

/// `type: boolean`
pub(crate) fn boolean(schema: &Schema<'_>) -> Value {
    let only = listed_values(schema).and_then(|values| match &values[..] {
        [value] => value.value.value.as_bool(),
        _ => None,
    });
    Value { rules: only.map(Rule::Boolean).into_iter().collect(), ..Value::plain(Type::Boolean) }
}

/// `type: string`
pub(crate) fn string_value(reporter: &mut Reporter<'_>, schema: &Schema<'_>) -> Value {
    string_of(reporter, schema, said_format(schema))
}

/// The same with another `format`.
pub(crate) fn string_of(reporter: &mut Reporter<'_>, schema: &Schema<'_>, format: &str) -> Value {
    let encoding = schema.keyword("contentEncoding").and_then(|node| node.value.as_str());
    let ty = match format::ty(STRING, format) {
        None if format.is_empty() && encoding == Some("base64") => Type::Base64,
        ty => ty.unwrap_or(Type::String),
    };
    if ty != Type::String {
        let rules = text_rules(reporter, schema, &ty);
        return Value { rules, ..Value::plain(ty) };
    }
    let mut rules = Vec::new();
    if matches!(format, "email" | "uri" | "uri-reference" | "hostname") {
        rules.push(Rule::Format(format.to_owned()));
    }
    rules.extend(largest(schema, "minLength").filter(|length| *length > 0).map(Rule::MinLength));
    rules.extend(smallest(schema, "maxLength").map(Rule::MaxLength));
    for node in keywords(schema, "pattern") {
        let pattern = read_pattern(reporter, &node).map(|pattern| Rule::Pattern(pattern.into_owned()));
        rules.extend(pattern.filter(|pattern| !rules.contains(pattern)));
    }
    Value { rules, ..Value::plain(Type::String) }
}

/// Patterns and lengths apply to the text, which a date-time and the like no longer has. For base64, some
/// authors mean the bytes. Rules implied by the type are not reported. UUIDs and dates have one spelling,
/// which is checked.
fn text_rules(reporter: &mut Reporter<'_>, schema: &Schema<'_>, ty: &Type) -> Vec<Rule> {
    let mut rules = Vec::new();
    let samples = format::samples(ty);
    let what = if *ty == Type::Base64 { "base64" } else { said_format(schema) };
    for keyword in ["pattern", "minLength", "maxLength"] {
        for node in keywords(schema, keyword) {
            let is_said = !samples.is_empty() && samples.iter().all(|text| keeps(&node, keyword, text));
            if is_said || node.value == 0 {
                continue;
            }
            let pattern = if keyword == "pattern" && matches!(ty, Type::Uuid | Type::Date) {
                read_pattern(reporter, &node)
            } else {
                None
            };
            if let Some(pattern) = pattern {
                rules.push(Rule::Pattern(pattern.into_owned()));
            } else if let Some(rule) = rule_of_text(reporter, &node, keyword).filter(|_| *ty != Type::Base64) {
                rules.push(rule);
            } else {
                let message = format!("`{keyword}` of {what} is not checked");
                let label =
                    if *ty == Type::Base64 { "any bytes are accepted" } else { "any value of that format is accepted" };
                reporter.report(Code::UncheckedConstraint, &node.location.name(), message).label(label);
            }
        }
    }
    rules
}

/// The text of a date-time and the like is only known in JSON.
fn rule_of_text(reporter: &mut Reporter<'_>, node: &Node<'_>, keyword: &str) -> Option<Rule> {
    let said = match keyword {
        "pattern" => json!(read_pattern(reporter, node)?),
        _ => json!(node.value.as_u64()?),
    };
    Some(Rule::Schema(json!({ keyword: said }).to_string()))
}

/// `type: integer`
pub(crate) fn integer_value(reporter: &mut Reporter<'_>, schema: &Schema<'_>) -> Value {
    let said = match format::ty(INTEGER, said_format(schema)) {
        Some(Type::Integer(kind)) => kind,
        _ => IntegerKind::I64,
    };
    let kind = wide_enough(reporter, schema, said);
    number_of(schema, Type::Integer(kind))
}

/// Widens the type: real descriptions have `int32` with a `maximum` beyond it.
fn wide_enough(reporter: &mut Reporter<'_>, schema: &Schema<'_>, said: IntegerKind) -> IntegerKind {
    report_unknown_width(reporter, schema);
    let bound = |name, rounding, beyond: i128| {
        let node = schema.keyword(name)?;
        let number = node.value.as_number()?;
        let bound: i128 = match whole(number, rounding) {
            Some(whole) => whole.parse().ok()?,
            None if number.as_f64()? < 0.0 => i128::MIN,
            None => i128::MAX,
        };
        Some((node, bound.saturating_add(beyond)))
    };
    let (up, down) = (Rounding::Up, Rounding::Down);
    let lower = bound("minimum", up, 0).or_else(|| bound("exclusiveMinimum", down, 1));
    let upper = bound("maximum", down, 0).or_else(|| bound("exclusiveMaximum", up, -1));
    let fits = |kind: IntegerKind| {
        let (least, most) = kind.range();
        lower.as_ref().is_none_or(|(_, bound)| *bound <= most)
            && upper.as_ref().is_none_or(|(_, bound)| (least..=most).contains(bound))
    };
    if fits(said) {
        return said;
    }
    let wider = [IntegerKind::I64, IntegerKind::U64].into_iter().find(|kind| fits(*kind));
    let said_by = schema.keyword("format").is_some();
    let Some((node, bound)) = upper.or(lower) else { return wider.unwrap_or(said) };
    let Some(wider) = wider else {
        reporter
            .report(Code::UncheckedConstraint, &node.location, "no integer of 64 bits reaches this bound")
            .label("larger numbers are refused");
        return if bound > 0 { IntegerKind::U64 } else { IntegerKind::I64 };
    };
    if said_by {
        reporter
            .report(Code::Repaired, &node.location, format!("the format has no room for {bound}"))
            .label("treated as a wider integer");
    }
    wider
}

/// `uint128`, `bigint`: wider than any type.
fn report_unknown_width(reporter: &mut Reporter<'_>, schema: &Schema<'_>) {
    let Some(node) = schema.keyword("format") else { return };
    let format = node.value.as_str().unwrap_or_default();
    let width = format.strip_prefix("uint").or_else(|| format.strip_prefix("int"));
    let is_wider = width.and_then(|width| width.parse().ok()).is_some_and(|width: u32| width > 64);
    if is_wider || matches!(format, "bigint" | "biginteger" | "big-integer") {
        reporter
            .report(Code::UncheckedConstraint, &node.location, format!("there is no type for `{format}`"))
            .label("treated as a 64-bit integer; larger numbers are refused");
    }
}

/// `minItems`, `maxItems`, `uniqueItems`, and `enum: [[]]`
pub(crate) fn array_rules(schema: &Schema<'_>) -> Vec<Rule> {
    let mut rules = Vec::new();
    rules.extend(largest(schema, "minItems").filter(|count| *count > 0).map(Rule::MinItems));
    let is_tuple = schema.parts.iter().any(|node| node.has("prefixItems"));
    let forbids = |node: &Node<'_>| node.get("items").is_some_and(|items| items.value.as_bool() == Some(false));
    let is_empty = !is_tuple && schema.parts.iter().any(forbids);
    let most = if is_empty || lists_empty(schema, ARRAY) { Some(0) } else { smallest(schema, "maxItems") };
    rules.extend(most.map(Rule::MaxItems));
    if schema.parts.iter().any(|node| node.flag("uniqueItems")) {
        rules.push(Rule::UniqueItems);
    }
    rules
}

/// `minProperties`, `maxProperties`, and `enum: [{}]`
pub(crate) fn object_rules(schema: &Schema<'_>) -> Vec<Rule> {
    let mut rules = Vec::new();
    rules.extend(largest(schema, "minProperties").filter(|count| *count > 0).map(Rule::MinProperties));
    let most = if lists_empty(schema, OBJECT) { Some(0) } else { smallest(schema, "maxProperties") };
    rules.extend(most.map(Rule::MaxProperties));
    rules
}

/// The rounding of a fractional bound of integers.
#[derive(Clone, Copy)]
enum Rounding {
    Up,
    Down,
}

fn number_rules(
    schema: &Schema<'_>,
    bound: &dyn Fn(&Number, Rounding) -> Option<String>,
    factor: &dyn Fn(&Number) -> Option<String>,
) -> Vec<Rule> {
    let (up, down) = (Rounding::Up, Rounding::Down);
    let mut rules = Vec::new();
    for node in &schema.parts {
        let number = |name: &str, rounding| node.get(name).and_then(|node| bound(node.value.as_number()?, rounding));
        let mut found = [None, None, None, None, None];
        let exclusive = node.flag("exclusiveMinimum");
        if let Some(least) = number("minimum", if exclusive { down } else { up }) {
            found[0] = Some(if exclusive { Rule::ExclusiveMinimum(least) } else { Rule::Minimum(least) });
        }
        let exclusive = node.flag("exclusiveMaximum");
        if let Some(most) = number("maximum", if exclusive { up } else { down }) {
            found[1] = Some(if exclusive { Rule::ExclusiveMaximum(most) } else { Rule::Maximum(most) });
        }
        found[2] = number("exclusiveMinimum", down).map(Rule::ExclusiveMinimum);
        found[3] = number("exclusiveMaximum", up).map(Rule::ExclusiveMaximum);
        let factor = node.get("multipleOf").and_then(|node| factor(node.value.as_number()?));
        found[4] = factor.filter(|factor| factor != "0").map(Rule::MultipleOf);
        for rule in found.into_iter().flatten() {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
    }
    rules
}

#[expect(clippy::unnecessary_wraps, reason = "the same shape as `whole`")]
fn text(number: &Number, _: Rounding) -> Option<String> {
    Some(number.to_string())
}

/// The number as an integer; `None` beyond 128 bits.
fn whole(number: &Number, rounding: Rounding) -> Option<String> {
    if number.is_i64() || number.is_u64() {
        return Some(number.to_string());
    }
    let float = number.as_f64()?;
    let rounded = match rounding {
        Rounding::Up => float.ceil(),
        Rounding::Down => float.floor(),
    };
    #[expect(clippy::cast_possible_truncation, reason = "checked on the line itself")]
    (rounded.abs() < 1e38).then(|| (rounded as i128).to_string())
}

/// The factor of the integers among the multiples of a number: 3 for 1.5, 1 for 0.5; `None` beyond 128 bits.
fn whole_factor(number: &Number) -> Option<String> {
    if number.is_i64() || number.is_u64() {
        return Some(number.to_string());
    }
    // The fewest digits that are this number: `1.5e0`.
    let scientific = format!("{:e}", number.as_f64()?);
    let (digits, exponent) = scientific.split_once('e')?;
    let fraction = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let numerator: i128 = digits.replace('.', "").parse().ok()?;
    let exponent = exponent.parse::<i32>().ok()? - i32::try_from(fraction).ok()?;
    let power = 10_i128.checked_pow(exponent.unsigned_abs())?;
    if exponent >= 0 {
        return Some(numerator.checked_mul(power)?.to_string());
    }
    let (mut divisor, mut rest) = (numerator, power);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    Some((numerator / divisor).to_string())
}

/// Whether the number fits the type.
pub(crate) fn holds(kind: IntegerKind, number: i128) -> bool {
    let (least, most) = kind.range();
    (least..=most).contains(&number)
}

/// Compares two numbers given as text.
pub(crate) fn compare(left: &str, right: &str) -> Option<Ordering> {
    match (left.parse::<i128>(), right.parse::<i128>()) {
        (Ok(left), Ok(right)) => Some(left.cmp(&right)),
        _ => left.parse::<f64>().ok()?.partial_cmp(&right.parse().ok()?),
    }
}

/// Whether the text satisfies the keyword, as far as known.
fn keeps(node: &Node<'_>, keyword: &str, text: &str) -> bool {
    match keyword {
        "minLength" => node.value.as_u64().is_none_or(|least| text.len() as u64 >= least),
        "maxLength" => node.value.as_u64().is_none_or(|most| text.len() as u64 <= most),
        _ => node.value.as_str().is_none_or(|pattern| pattern::matches(pattern, text) == Some(true)),
    }
}

fn said_format<'a>(schema: &Schema<'a>) -> &'a str {
    schema.keyword("format").and_then(|node| node.value.as_str()).unwrap_or_default()
}

fn keywords<'a>(schema: &Schema<'a>, name: &str) -> Vec<Node<'a>> {
    schema.parts.iter().filter_map(|node| node.get(name)).collect()
}

fn largest(schema: &Schema<'_>, name: &str) -> Option<u64> {
    schema.parts.iter().filter_map(|node| node.count(name)).max()
}

fn smallest(schema: &Schema<'_>, name: &str) -> Option<u64> {
    schema.parts.iter().filter_map(|node| node.count(name)).min()
}
