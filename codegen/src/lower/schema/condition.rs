//! Conditions on which members are present: `required` below `oneOf`, `anyOf`, `allOf` and `not`,
//! `dependentRequired`, and members with the schema `false`.

use serde_json::{Value as Json, json};

use super::all_of::Schema;
use super::json_schema::rule_of;
use crate::diagnostic::Code;
use crate::ir::{Condition, Field, Rule};
use crate::location::Location;
use crate::lower::node::Node;
use crate::lower::reference::Resolver;

/// The lists of alternatives that may be conditions.
const LISTS: [&str; 3] = ["oneOf", "anyOf", "allOf"];

/// The conditions on the members of an object with these fields, or of a map, whose members need no
/// declaration. A `closed` object has no other members.
pub(crate) fn read_conditions<'a>(
    resolver: &mut Resolver<'a>,
    schema: &Schema<'a>,
    fields: Option<&[Field]>,
    closed: bool,
) -> Vec<Rule> {
    let mut rules = Vec::new();
    for node in &schema.parts {
        rules.extend(forbidden(node, fields.is_none(), closed));
        for keyword in ["oneOf", "anyOf", "not", "dependentRequired"] {
            for condition in conditions_of(node, keyword).into_iter().flatten() {
                let field = |name: &str| fields.iter().copied().flatten().find(|field| field.name.wire == name);
                let goes_one_way = |name: &str| field(name).is_some_and(|field| field.read_only || field.write_only);
                let is_known = |name: &str| fields.is_none() || closed || field(name).is_some();
                let members = condition.members();
                let rule = if members.iter().any(|name| goes_one_way(name)) {
                    None
                } else if members.iter().all(|name| is_known(name)) {
                    Some(Rule::Together(condition))
                } else {
                    rule_of(resolver, node, &[keyword])
                };
                match rule {
                    Some(rule) if rules.contains(&rule) => {}
                    Some(rule) => rules.push(rule),
                    None => {
                        let place = node.location.member(keyword).name();
                        resolver
                            .report(Code::UncheckedConstraint, &place, "which members go together is not checked")
                            .label("it names one that is read-only or write-only");
                    }
                }
            }
        }
    }
    rules
}

/// The rules that members with the schema `false` are absent. A closed object refuses them anyway.
fn forbidden(node: &Node<'_>, is_map: bool, closed: bool) -> Vec<Rule> {
    let is_forbidden = |said: &Node<'_>| !closed && *said.value == Json::Bool(false);
    let members = node.members("properties").into_iter().filter(|(_, said)| is_forbidden(said));
    let rule = |(name, _): (&str, Node<'_>)| {
        if is_map {
            Rule::Together(Condition::Not(Box::new(Condition::Has(vec![name.to_owned()]))))
        } else {
            Rule::Schema(json!({ "not": { "required": [name] } }).to_string())
        }
    };
    members.map(rule).collect()
}

/// The conditions of the keyword; `None` if it is about more than the presence of members.
pub(crate) fn conditions_of(node: &Node<'_>, keyword: &str) -> Option<Vec<Condition>> {
    match keyword {
        "oneOf" | "anyOf" => {
            let conditions: Option<Vec<_>> = node.items(keyword).iter().map(condition).collect();
            let conditions = conditions.filter(|conditions| !conditions.is_empty())?;
            Some(vec![if keyword == "oneOf" { Condition::One(conditions) } else { Condition::Any(conditions) }])
        }
        "not" => Some(vec![Condition::Not(Box::new(condition(&node.get("not")?)?))]),
        "dependentRequired" => {
            let dependent = node.members("dependentRequired").into_iter().map(|(first, others)| {
                let others = others.value.as_array()?.iter().map(|name| name.as_str().map(str::to_owned));
                Some(Condition::With(first.to_owned(), others.collect::<Option<Vec<_>>>()?))
            });
            dependent.collect()
        }
        _ => None,
    }
}

/// The members required by conditions at a node, with their locations.
pub(crate) fn required_by<'a>(node: &Node<'a>) -> Vec<(Location, &'a str)> {
    let mut names = Vec::new();
    for keyword in ["oneOf", "anyOf"] {
        if conditions_of(node, keyword).is_some() {
            node.items(keyword).iter().for_each(|variant| collect_required(variant, &mut names));
        }
    }
    if conditions_of(node, "dependentRequired").is_some() {
        for (first, others) in node.members("dependentRequired") {
            names.push((others.location.name(), first));
            names.extend(items(&others));
        }
    }
    names
}

/// Members below `not` are not required.
fn collect_required<'a>(condition: &Node<'a>, names: &mut Vec<(Location, &'a str)>) {
    names.extend(condition.get("required").iter().flat_map(items));
    for variant in LISTS.iter().flat_map(|keyword| condition.items(keyword)) {
        collect_required(&variant, names);
    }
}

fn items<'a>(list: &Node<'a>) -> Vec<(Location, &'a str)> {
    let texts = list.value.as_array().into_iter().flatten().map(Json::as_str).enumerate();
    texts.filter_map(|(index, name)| Some((list.location.item(index), name?))).collect()
}

/// The condition, if the schema is only about the presence of members.
fn condition(node: &Node<'_>) -> Option<Condition> {
    let mut all = Vec::new();
    for (keyword, said) in node.own_members() {
        match keyword {
            "required" => {
                let names: Option<Vec<_>> =
                    said.value.as_array()?.iter().map(|name| name.as_str().map(str::to_owned)).collect();
                all.push(Condition::Has(names?));
            }
            "not" => all.push(Condition::Not(Box::new(condition(&said)?))),
            _ if LISTS.contains(&keyword) => {
                let conditions: Vec<_> = node.items(keyword).iter().map(condition).collect::<Option<_>>()?;
                all.push(match keyword {
                    "oneOf" => Condition::One(conditions),
                    "anyOf" => Condition::Any(conditions),
                    _ => Condition::All(conditions),
                });
            }
            "title" | "description" => {}
            "type" if said.value == "object" => {}
            _ => return None,
        }
    }
    if all.len() > 1 { Some(Condition::All(all)) } else { all.pop() }
}
