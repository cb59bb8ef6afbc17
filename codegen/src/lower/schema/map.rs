//! `additionalProperties`, `patternProperties`, `propertyNames`: additional members.

use std::borrow::Cow;

use serde_json::Value as Json;

use super::all_of::{Schema, resolved_schema};
use super::array::without_annotations;
use super::json_schema::rule_of;
use super::nullable::{Nullable, is_nullable};
use super::pattern::name_pattern;
use super::primitive::{array_rules, boolean, number, object_rules, string_value};
use super::reader::Reader;
use super::types::{ARRAY, BOOLEAN, INTEGER, NUMBER, OBJECT, STRING, types};
use super::value_at;
use crate::diagnostic::Code;
use crate::ir::{JsonType, Rule, Type, Value};
use crate::lower::node::Node;
use crate::lower::reference::Resolver;
use crate::lower::reporter::Reporter;

/// The additional members of an object.
pub(crate) enum Others {
    /// They are not allowed.
    Refused,
    /// They are not mentioned.
    Unspecified,
    /// The type of their values, and the rules of a map of them.
    Allowed(Value, Vec<Rule>),
}

impl Others {
    /// The value type and rules of a map of them.
    pub(crate) fn into_map(self) -> (Value, Vec<Rule>) {
        match self {
            Self::Refused | Self::Unspecified => (Value::plain(Type::Any), Vec::new()),
            Self::Allowed(value, rules) => (value, rules),
        }
    }
}

/// Reads the additional members of a schema.
pub(crate) fn unnamed_members<'a>(reader: &mut Reader<'a>, schema: &Schema<'a>, hint: &str) -> Others {
    let patterns: Vec<_> = schema.parts.iter().flat_map(|node| node.members("patternProperties")).collect();
    let repaired =
        |(text, node): (&'a str, Node<'a>)| (name_pattern(&mut reader.resolver.reporter, text, &node.location), node);
    let patterns: Vec<_> = patterns.into_iter().map(repaired).collect();
    let refused = schema.parts.iter().any(closes);
    let said = schema.parts.iter().filter_map(|node| node.get("additionalProperties"));
    let said = said.max_by_key(says_something).filter(|node| node.value != &Json::Bool(false));
    let mut rules = rules_of_names(&mut reader.resolver, schema);
    if patterns.is_empty() {
        let value = match said {
            _ if refused => return Others::Refused,
            Some(node) if says_something(&node) => value_at(reader, &node, &format!("{hint}Value")),
            None if rules.is_empty() => return Others::Unspecified,
            Some(_) | None => Value::plain(Type::Any),
        };
        return Others::Allowed(value, named(rules));
    }
    if refused {
        rules.insert(0, Rule::Pattern(either(&patterns)));
    }
    let mut rules = named(rules);
    let mut kinds: Vec<_> = patterns.iter().map(|(_, node)| node.clone()).collect();
    let others = said.filter(|node| says_something(node) && !refused);
    kinds.extend(others.clone());
    // Names that match no pattern may have any value.
    let is_any = others.is_none() && !refused;
    if let Some((first, rest)) = kinds.split_first().filter(|_| !is_any)
        && rest.iter().all(|node| without_annotations(node) == without_annotations(first))
    {
        return Others::Allowed(value_at(reader, first, &format!("{hint}Value")), rules);
    }
    let plain = pattern_rules(&mut reader.resolver, &mut reader.nullable, &patterns).filter(|_| others.is_none());
    rules.extend(plain.unwrap_or_else(|| schemas_of_patterns(&mut reader.resolver, schema)));
    Others::Allowed(Value::plain(Type::Any), rules)
}

/// The patterns as JSON Schemas.
fn schemas_of_patterns<'a>(resolver: &mut Resolver<'a>, schema: &Schema<'a>) -> Vec<Rule> {
    let mut rules = Vec::new();
    for node in schema.parts.iter().filter(|node| node.has("patternProperties")) {
        if let Some(rule) = rule_of(resolver, node, &["patternProperties"]) {
            rules.push(rule);
        } else {
            let place = node.location.member("patternProperties").name();
            resolver
                .report(Code::UncheckedConstraint, &place, "`patternProperties` is not checked")
                .label("any value is accepted for these members");
        }
    }
    rules
}

/// `propertyNames`: the rules for each name.
fn rules_of_names<'a>(resolver: &mut Resolver<'a>, schema: &Schema<'a>) -> Vec<Rule> {
    let mut rules = Vec::new();
    for node in schema.parts.iter().filter_map(|node| node.get("propertyNames")).collect::<Vec<_>>() {
        let names = resolved_schema(resolver, &node);
        if let Some(listed) = crate::lower::schema::enum_::listed_values(&names) {
            let texts = listed.iter().filter_map(|value| value.value.value.as_str());
            rules.push(Rule::OneOf(texts.map(str::to_owned).collect()));
        } else {
            let value = string_value(&mut resolver.reporter, &names);
            let (in_json, plain): (Vec<_>, Vec<_>) =
                value.rules.into_iter().partition(|rule| matches!(rule, Rule::Schema(_)));
            if !in_json.is_empty() {
                let place = node.location.name();
                resolver
                    .report(Code::UncheckedConstraint, &place, "some rules of names of this format are not checked")
                    .label("any name of the format is accepted");
            }
            rules.extend(plain);
            rules.extend(format_of_names(&mut resolver.reporter, &names, &value.ty));
        }
    }
    rules
}

/// Names are strings, so a format with its own type becomes a rule.
fn format_of_names(reporter: &mut Reporter<'_>, names: &Schema<'_>, ty: &Type) -> Option<Rule> {
    let node = names.keyword("format")?;
    let rule = match ty {
        Type::Date => "date",
        Type::Time => "time",
        Type::DateTime => "date-time",
        Type::Duration => "duration",
        Type::Uuid => "uuid",
        Type::Ipv4 => "ipv4",
        Type::Ipv6 => "ipv6",
        Type::String => return None,
        _ => {
            reporter
                .report(Code::UncheckedConstraint, &node.location.name(), "this format of names is not checked")
                .label("any name is accepted");
            return None;
        }
    };
    Some(Rule::Format(rule.to_owned()))
}

/// Rules for values with matching names, next to unrestricted ones; `None` if plain rules are not enough.
fn pattern_rules<'a>(
    resolver: &mut Resolver<'a>,
    nullable: &mut Nullable,
    patterns: &[(Cow<'a, str>, Node<'a>)],
) -> Option<Vec<Rule>> {
    let mut rules = Vec::new();
    for (pattern, node) in patterns {
        let of_values = rules_of_any(resolver, nullable, node)?;
        if !of_values.is_empty() {
            rules.push(Rule::Matching(pattern.clone().into_owned(), of_values));
        }
    }
    Some(rules)
}

/// The rules of a value kept as JSON; `None` if plain rules are not enough.
fn rules_of_any<'a>(resolver: &mut Resolver<'a>, nullable: &mut Nullable, node: &Node<'a>) -> Option<Vec<Rule>> {
    if !says_something(node) {
        return Some(Vec::new());
    }
    let schema = resolved_schema(resolver, node);
    let kind = match types(&schema)[..] {
        _ if is_nullable(resolver, nullable, node) => None,
        [STRING] => Some(JsonType::String),
        [NUMBER | INTEGER] => Some(JsonType::Number),
        [BOOLEAN] => Some(JsonType::Boolean),
        [ARRAY] => Some(JsonType::Array),
        [OBJECT] => Some(JsonType::Object),
        _ => None,
    };
    let mut rules = Vec::new();
    let mut is_all = kind.is_some();
    rules.extend(kind.map(Rule::Kind));
    match kind {
        Some(JsonType::String) => {
            let Value { ty, rules: of_text, .. } = string_value(&mut resolver.reporter, &schema);
            is_all = ty == Type::String;
            match crate::lower::schema::enum_::listed_values(&schema) {
                Some(listed) => {
                    let texts = listed.iter().filter_map(|value| value.value.value.as_str());
                    rules.push(Rule::OneOf(texts.map(str::to_owned).collect()));
                }
                None => rules.extend(of_text),
            }
        }
        Some(JsonType::Number) => {
            if types(&schema) == [INTEGER] {
                rules.push(Rule::MultipleOf("1".to_owned()));
            }
            rules.extend(number(&schema).rules);
        }
        Some(JsonType::Array) => {
            is_all = !schema.parts.iter().any(|node| node.has("items") || node.has("prefixItems"));
            rules.extend(array_rules(&schema));
        }
        Some(JsonType::Object) => {
            let shaping = ["properties", "additionalProperties", "patternProperties", "required"];
            is_all = !schema.parts.iter().any(|node| shaping.iter().any(|name| node.has(name)));
            rules.extend(object_rules(&schema));
        }
        Some(JsonType::Boolean) => rules.extend(boolean(&schema).rules),
        Some(JsonType::Null) | None => {}
    }
    is_all.then_some(rules)
}

/// Whether additional members are refused.
pub(crate) fn closes(node: &Node<'_>) -> bool {
    let says_no = |name: &str| node.get(name).is_some_and(|said| said.value == &Json::Bool(false));
    says_no("additionalProperties") || says_no("unevaluatedProperties")
}

/// Whether the schema is not empty.
pub(crate) fn says_something(node: &Node<'_>) -> bool {
    node.object().is_some_and(|object| !object.is_empty())
}

fn named(rules: Vec<Rule>) -> Vec<Rule> {
    if rules.is_empty() { rules } else { vec![Rule::Names(rules)] }
}

fn either(patterns: &[(Cow<'_, str>, Node<'_>)]) -> String {
    match patterns {
        [(one, _)] => one.clone().into_owned(),
        several => several.iter().map(|(pattern, _)| format!("(?:{pattern})")).collect::<Vec<_>>().join("|"),
    }
}
