//! `prefixItems`: arrays with a type per position.

use super::all_of::Schema;
use super::array::without_annotations;
use super::json_schema::rule_of;
use super::primitive::array_rules;
use super::reader::Reader;
use super::value_at;
use crate::diagnostic::Code;
use crate::ir::{Rule, Type, Value};
use crate::lower::node::Node;

/// Larger tuples are unreadable, and not supported by the runtime.
const MOST: usize = 8;

/// An array if all positions have one type, a tuple if they differ, else an array of any values.
pub(crate) fn tuple<'a>(reader: &mut Reader<'a>, schema: &Schema<'a>, hint: &str) -> Option<Value> {
    let part = schema.parts.iter().find(|node| node.has("prefixItems"))?;
    let places = part.items("prefixItems");
    let (first, others) = places.split_first()?;
    let rest = part.get("items");
    let is_closed = rest.as_ref().is_some_and(|rest| rest.value.as_bool() == Some(false));
    let mut rules = array_rules(schema);
    let most = |rule: &Rule| matches!(rule, Rule::MaxItems(most) if *most <= places.len() as u64);
    if is_closed && !rules.iter().any(most) {
        rules.push(Rule::MaxItems(places.len() as u64));
    }
    let mut others = others.iter().chain(rest.as_ref().filter(|_| !is_closed));
    if others.all(|node| without_annotations(node) == without_annotations(first)) {
        let item = value_at(reader, first, &format!("{hint}Item"));
        return Some(Value { rules, ..Value::plain(Type::Array(Box::new(item))) });
    }
    let count = places.len() as u64;
    let is_whole = rules.contains(&Rule::MinItems(count)) && rules.contains(&Rule::MaxItems(count));
    if is_whole && places.len() <= MOST {
        let unique = Some(["uniqueItems"]).filter(|_| rules.contains(&Rule::UniqueItems));
        let rules = unique.and_then(|keywords| rule_of(&mut reader.resolver, part, &keywords)).into_iter().collect();
        let value = |(index, node): (usize, &Node<'a>)| value_at(reader, node, &format!("{hint}Item{}", index + 1));
        let ty = Type::Tuple(places.iter().enumerate().map(value).collect());
        return Some(Value { rules, ..Value::plain(ty) });
    }
    rules.extend(rule_of(&mut reader.resolver, part, &["prefixItems"]));
    reader
        .report(
            Code::UncheckedConstraint,
            &part.location.member("prefixItems").name(),
            "items of different types have no type of their own here",
        )
        .label("any value, which a server checks")
        .help(format!("with `minItems` and `maxItems` of their number, {MOST} at most, they are a tuple"));
    Some(Value { rules, ..Value::plain(Type::Array(Box::new(Value::plain(Type::Any)))) })
}
