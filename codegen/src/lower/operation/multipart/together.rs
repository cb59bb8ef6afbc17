//! The rules for which parts of a body go together.

use serde_json::{Map, Value as Json, json};

use super::variants::{Members, lists};
use crate::diagnostic::Code;
use crate::ir::{Condition, Field, Part, PartKind, Rule};
use crate::lower::node::Node;
use crate::lower::reference::Resolver;
use crate::lower::schema::all_of::{Schema, resolved_schema};
use crate::lower::schema::condition::{conditions_of, read_conditions};
use crate::lower::schema::json_schema::{Bundle, KEYWORDS, rule_of};
use crate::lower::schema::map::closes;
use crate::lower::schema::object::properties;

/// Keywords of a variant for its members as a whole.
const OF_VARIANTS: [&str; 3] = ["minProperties", "maxProperties", "propertyNames"];

/// The rules of a request body with these parts.
pub(super) fn rules<'a>(
    resolver: &mut Resolver<'a>,
    schema: &Schema<'a>,
    members: &Members<'a>,
    parts: &[Part],
    closed: bool,
) -> Vec<Rule> {
    // A request has the write-only parts.
    let fields: Vec<_> = parts.iter().map(|part| Field { write_only: false, ..part.field.clone() }).collect();
    let mut rules = read_conditions(resolver, schema, Some(&fields), closed);
    for node in &schema.parts {
        for keyword in other_keywords(node) {
            if conditions_of(node, keyword).is_none() {
                add(resolver, node, keyword, |resolver| Some(vec![rule_of(resolver, node, &[keyword])?]), &mut rules);
            }
        }
    }
    for (node, keyword) in lists(schema) {
        if conditions_of(&node, keyword).is_none() {
            let rule = |resolver: &mut Resolver<'a>| {
                let mut variants = Variants { bundle: Bundle::new(resolver), members, parts, within: Vec::new() };
                let one_of_them = variants.one_of_them(&node, keyword)?;
                variants.rules(one_of_them)
            };
            add(resolver, &node, keyword, rule, &mut rules);
        }
    }
    rules
}

/// Adds the rules of a keyword; without a result, it is reported.
fn add<'a>(
    resolver: &mut Resolver<'a>,
    node: &Node<'a>,
    keyword: &str,
    of_keyword: impl FnOnce(&mut Resolver<'a>) -> Option<Vec<Rule>>,
    rules: &mut Vec<Rule>,
) {
    let Some(of_keyword) = of_keyword(resolver) else {
        let message = format!("`{keyword}` of a multipart body is not checked");
        resolver.report(Code::UncheckedConstraint, &node.location.member(keyword).name(), message);
        return;
    };
    for rule in of_keyword {
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
}

/// The keywords that only restrict; `unevaluatedProperties: false` closes the body.
fn other_keywords(node: &Node<'_>) -> Vec<&'static str> {
    let is_said = |keyword: &&str| node.get(keyword).is_some_and(|said| !said.value.is_boolean());
    KEYWORDS.iter().copied().filter(is_said).collect()
}

/// What the variants say beyond what each part is checked for.
struct Variants<'r, 'a> {
    bundle: Bundle<'r, 'a>,
    members: &'r Members<'a>,
    parts: &'r [Part],
    /// The pointers of the variants around this one.
    within: Vec<String>,
}

impl<'a> Variants<'_, 'a> {
    /// `anyOf` with the variants; empty if each body is one of them. Also of `oneOf`: a union takes the first that fits.
    fn one_of_them(&mut self, node: &Node<'a>, keyword: &str) -> Option<Map<String, Json>> {
        let mut variants: Vec<Json> = Vec::new();
        for variant in node.items(keyword) {
            let variant = self.variant(&variant)?;
            if variant.is_empty() {
                return Some(Map::new());
            }
            let variant = Json::Object(variant);
            if !variants.contains(&variant) {
                variants.push(variant);
            }
        }
        Some(Map::from_iter([("anyOf".to_owned(), Json::Array(variants))]))
    }

    fn variant(&mut self, node: &Node<'a>) -> Option<Map<String, Json>> {
        let schema = resolved_schema(self.bundle.resolver, node);
        let pointer = schema.place.location.pointer().to_owned();
        if self.within.contains(&pointer) {
            return Some(Map::new());
        }
        self.within.push(pointer);
        let mut variant = self.own(&schema)?;
        let mut others = Vec::new();
        for node in &schema.parts {
            let keywords = other_keywords(node).into_iter().chain(OF_VARIANTS).filter(|keyword| node.has(keyword));
            others.push(self.bundle.keywords(node, &keywords.collect::<Vec<_>>())?);
        }
        for (node, keyword) in lists(&schema) {
            others.push(match conditions_of(&node, keyword) {
                Some(_) => self.bundle.keywords(&node, &[keyword])?,
                None => self.one_of_them(&node, keyword)?,
            });
        }
        others.retain(|other| !other.is_empty());
        if !others.is_empty() {
            variant.insert("allOf".to_owned(), json!(others));
        }
        self.within.pop();
        Some(variant)
    }

    /// What the variant says of its members. Those that all variants describe alike are checked as they are read.
    fn own(&mut self, schema: &Schema<'a>) -> Option<Map<String, Json>> {
        let (described, required) = properties(&mut self.bundle.resolver.reporter, schema);
        let part = |name: &str| self.parts.iter().find(|part| part.field.name.wire == name);
        let is_sent = |name: &str| !part(name).is_some_and(|part| part.field.read_only);
        // What is in a file is not known.
        let is_file = |name: &str| part(name).is_some_and(|part| part.kind == PartKind::File);
        let is_said = |name: &&&str| required.contains(**name) && !self.members.required.contains(**name);
        let required: Vec<_> = described.keys().filter(is_said).copied().filter(|name| is_sent(name)).collect();
        let closed = schema.parts.iter().any(closes);
        let mut properties = Map::new();
        for (name, nodes) in &described {
            if self.members.mixed.contains_key(name) && is_sent(name) && !is_file(name) {
                let schemas: Vec<_> = nodes.iter().map(|node| self.bundle.schema(node)).collect::<Option<_>>()?;
                let schema = match schemas.as_slice() {
                    [] => Json::Bool(true),
                    [only] => only.clone(),
                    all => json!({ "allOf": all }),
                };
                properties.insert((*name).to_owned(), schema);
            } else if closed {
                properties.insert((*name).to_owned(), Json::Bool(true));
            }
        }
        for (name, said) in schema.parts.iter().flat_map(|node| node.members("properties")) {
            if said.value.as_bool() == Some(false) {
                properties.insert(name.to_owned(), Json::Bool(false));
            }
        }
        let mut own = Map::new();
        if !required.is_empty() {
            own.insert("required".to_owned(), json!(required));
        }
        if !properties.is_empty() {
            own.insert("properties".to_owned(), Json::Object(properties));
        }
        if closed {
            own.insert("additionalProperties".to_owned(), Json::Bool(false));
        }
        Some(own)
    }

    /// The rule, unless it says nothing.
    fn rules(self, one_of_them: Map<String, Json>) -> Option<Vec<Rule>> {
        let Some(Json::Array(variants)) = one_of_them.get("anyOf") else { return Some(Vec::new()) };
        let conditions: Option<Vec<_>> = variants.iter().map(only_required).collect();
        Some(vec![match conditions {
            Some(conditions) => Rule::Together(Condition::Any(conditions)),
            None => self.bundle.rule(one_of_them)?,
        }])
    }
}

/// The condition of a variant that only requires members.
fn only_required(variant: &Json) -> Option<Condition> {
    let variant = variant.as_object()?;
    let names = variant.get("required").filter(|_| variant.len() == 1)?.as_array()?;
    Some(Condition::Has(names.iter().filter_map(Json::as_str).map(str::to_owned).collect()))
}
