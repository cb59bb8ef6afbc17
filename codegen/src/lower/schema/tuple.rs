//! `prefixItems`: arrays with a type per position.

use super::all_of::Schema;
use super::array::without_annotations;
use super::json_schema::rule_of;
use super::primitive::array_rules;
use super::reader::Reader;
use super::value_at;
use crate::diagnostic::Code;
use crate::ir::{Rule, Tuple, Type, Value};
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
    if let Some(counts) = Counts::of(places.len(), &rules) {
        let unique = Some(["uniqueItems"]).filter(|_| rules.contains(&Rule::UniqueItems));
        let rules = unique.and_then(|keywords| rule_of(&mut reader.resolver, part, &keywords)).into_iter().collect();
        let mut value = |(index, node): (usize, &Node<'a>)| value_at(reader, node, &format!("{hint}Item{}", index + 1));
        let places = places.iter().take(counts.places).enumerate().map(&mut value).collect();
        let further = counts.has_further.then(|| match &rest {
            Some(rest) if rest.object().is_some() => value_at(reader, rest, &format!("{hint}Item")),
            _ => Value::plain(Type::Any),
        });
        let tuple = Tuple { places, least: counts.least, further: further.map(Box::new) };
        return Some(Value { rules, ..Value::plain(Type::Tuple(tuple)) });
    }
    rules.extend(rule_of(&mut reader.resolver, part, &["prefixItems"]));
    reader
        .report(
            Code::UncheckedConstraint,
            &part.location.member("prefixItems").name(),
            "items of different types have no type of their own here",
        )
        .label("any value, which a server checks")
        .help(format!(
            "a tuple has 2 to {MOST} types, and no `minItems` or `maxItems` above the number of `prefixItems`"
        ));
    Some(Value { rules, ..Value::plain(Type::Array(Box::new(Value::plain(Type::Any)))) })
}

/// How many items a tuple has.
struct Counts {
    /// Number of places that an array can have.
    places: usize,
    /// Number of places that every array has.
    least: usize,
    /// Whether items may follow them.
    has_further: bool,
}

impl Counts {
    /// `None`: no tuple has these limits.
    fn of(places: usize, rules: &[Rule]) -> Option<Self> {
        let (mut least, mut most) = (0, None);
        for rule in rules {
            match rule {
                Rule::MinItems(count) => least = usize::try_from(*count).ok()?,
                Rule::MaxItems(count) => most = Some(usize::try_from(*count).ok()?),
                _ => {}
            }
        }
        let has_further = most.is_none();
        let most = most.unwrap_or(places);
        let types = most + usize::from(has_further);
        let fits = most <= places && least <= most && (2..=MOST).contains(&types);
        fits.then_some(Self { places: most, least, has_further })
    }
}
