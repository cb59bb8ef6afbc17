//! Keywords that neither types nor plain rules express, as a JSON Schema of their own.

use serde_json::{Map, Value as Json, json};

use super::all_of::Schema;
use super::condition::conditions_of;
use super::pattern::read_pattern;
use super::types::{OBJECT, types};
use crate::ir::Rule;
use crate::lower::node::Node;
use crate::lower::reference::{Resolver, follow_once};

/// Keywords that only restrict.
pub(crate) const KEYWORDS: &[&str] = &[
    "not",
    "if",
    "dependentSchemas",
    "dependentRequired",
    "contains",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contentSchema",
];

/// Keywords that decide which members and items are evaluated.
const EVALUATING: &[&str] = &[
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "contains",
    "dependentSchemas",
    "else",
    "if",
    "items",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "properties",
    "then",
];

/// The keywords that belong to one of the node, besides itself.
fn with(keyword: &str) -> &'static [&'static str] {
    match keyword {
        "if" => &["then", "else"],
        "contains" => &["minContains", "maxContains"],
        "unevaluatedItems" | "unevaluatedProperties" => EVALUATING,
        "patternProperties" => &["properties", "additionalProperties"],
        "prefixItems" => &["items"],
        _ => &[],
    }
}

/// The nodes with keywords that neither types nor plain rules express. Conditions on members are rules of
/// objects, but not of unions of them.
pub(crate) fn unexpressed<'a>(schema: &Schema<'a>, is_union: bool) -> Vec<(Node<'a>, Vec<&'static str>)> {
    let is_object = types(schema) == [OBJECT] && !is_union;
    let is_unexpressed = |node: &Node<'a>, keyword: &str| {
        let is_said = match keyword {
            "oneOf" | "anyOf" => only_constrains(node, keyword),
            // `false` closes the object.
            "unevaluatedProperties" => node.get(keyword).is_some_and(|said| !said.value.is_boolean()),
            _ => node.has(keyword),
        };
        is_said && !(is_object && conditions_of(node, keyword).is_some())
    };
    let keywords = |node: &Node<'a>| {
        KEYWORDS.iter().chain(&["oneOf", "anyOf"]).copied().filter(|keyword| is_unexpressed(node, keyword)).collect()
    };
    let nodes = schema.parts.iter().map(|node| (node.clone(), keywords(node)));
    nodes.filter(|(_, keywords): &(_, Vec<_>)| !keywords.is_empty()).collect()
}

/// Whether the variants are no types: `anyOf: [{ required: [a] }, { not: { type: array } }]`.
pub(crate) fn only_constrains(node: &Node<'_>, keyword: &str) -> bool {
    let constrains = |variant: &Node<'_>| {
        variant.object().is_some_and(|object| {
            !object.is_empty()
                && object.keys().all(|key| matches!(key.as_str(), "required" | "not" | "title" | "description"))
        })
    };
    let variants = node.items(keyword);
    !variants.is_empty() && variants.iter().all(constrains)
}

/// A rule with these keywords of the node; `None` if they contain what JSON Schema does not have, or refer to
/// what does not exist.
pub(crate) fn rule_of<'a>(resolver: &mut Resolver<'a>, node: &Node<'a>, keywords: &[&str]) -> Option<Rule> {
    let mut bundle = Bundle::new(resolver);
    let schema = bundle.keywords(node, keywords)?;
    bundle.rule(schema)
}

/// The names or places that the keyword evaluates: their own schemas are checked elsewhere.
fn outline(keyword: &str, said: &Json) -> Option<Json> {
    match (keyword, said) {
        ("properties" | "patternProperties", Json::Object(members)) => {
            Some(members.keys().map(|name| (name.clone(), Json::Bool(true))).collect())
        }
        ("prefixItems", Json::Array(items)) => Some(items.iter().map(|_| Json::Bool(true)).collect()),
        ("items" | "additionalProperties", _) => Some(Json::Bool(true)),
        _ => None,
    }
}

fn name(index: usize) -> String {
    format!("schema{}", index + 1)
}

/// Copies schemas, and collects what they refer to.
pub(crate) struct Bundle<'r, 'a> {
    pub(crate) resolver: &'r mut Resolver<'a>,
    /// The targets of references; their index is their name.
    targets: Vec<Node<'a>>,
}

impl<'r, 'a> Bundle<'r, 'a> {
    pub(crate) fn new(resolver: &'r mut Resolver<'a>) -> Self {
        Self { resolver, targets: Vec::new() }
    }

    /// These keywords of the node, with those that belong to them.
    pub(crate) fn keywords(&mut self, node: &Node<'a>, keywords: &[&str]) -> Option<Map<String, Json>> {
        let mut schema = Map::new();
        let is_evaluating = keywords.iter().any(|keyword| keyword.starts_with("unevaluated"));
        for keyword in keywords.iter().flat_map(|keyword| std::iter::once(keyword).chain(with(keyword))) {
            let Some(said) = node.get(keyword).filter(|_| !schema.contains_key(*keyword)) else { continue };
            // Members are checked, and unknown ones refused, as they are read.
            let is_read = *keyword == "properties" || said.value == &Json::Bool(false) && !keywords.contains(keyword);
            match outline(keyword, said.value).filter(|_| is_evaluating || is_read) {
                Some(outline) => schema.extend([((*keyword).to_owned(), outline)]),
                None => self.add(&mut schema, node, keyword, &said)?,
            }
        }
        Some(schema)
    }

    /// The rule with these keywords, and with what they refer to.
    pub(crate) fn rule(mut self, mut schema: Map<String, Json>) -> Option<Rule> {
        let mut definitions = Map::new();
        while let Some(target) = self.targets.get(definitions.len()).cloned() {
            let definition = self.schema(&target)?;
            definitions.insert(name(definitions.len()), definition);
        }
        if !definitions.is_empty() {
            schema.insert("$defs".to_owned(), Json::Object(definitions));
        }
        Some(Rule::Schema(Json::Object(schema).to_string()))
    }

    /// The schema as JSON Schema 2020-12 has it.
    pub(crate) fn schema(&mut self, node: &Node<'a>) -> Option<Json> {
        if node.value.is_boolean() {
            return Some(node.value.clone());
        }
        node.object()?;
        let mut schema = Map::new();
        for (keyword, said) in node.own_members() {
            self.add(&mut schema, node, keyword, &said)?;
        }
        let schema = Json::Object(schema);
        Some(if node.flag("nullable") { json!({ "anyOf": [{ "type": "null" }, schema] }) } else { schema })
    }

    /// Adds the keyword as JSON Schema 2020-12 has it, unless it is an annotation.
    fn add(&mut self, schema: &mut Map<String, Json>, node: &Node<'a>, keyword: &str, said: &Node<'a>) -> Option<()> {
        let copied = match keyword {
            "$ref" => self.reference(node)?,
            "if"
            | "then"
            | "else"
            | "not"
            | "contains"
            | "additionalProperties"
            | "propertyNames"
            | "items"
            | "unevaluatedItems"
            | "unevaluatedProperties" => self.schema(said)?,
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => {
                node.items(keyword).iter().map(|item| self.schema(item)).collect::<Option<_>>()?
            }
            "properties" | "patternProperties" | "dependentSchemas" => {
                let members = said.own_members().into_iter();
                Json::Object(
                    members.map(|(name, node)| Some((name.to_owned(), self.schema(&node)?))).collect::<Option<_>>()?,
                )
            }
            "type" => known_types(said.value)?,
            "pattern" => Json::String(read_pattern(&mut self.resolver.reporter, said)?.into_owned()),
            "minimum" | "maximum" => {
                let exclusive = if keyword == "minimum" { "exclusiveMinimum" } else { "exclusiveMaximum" };
                let keyword = if node.flag(exclusive) { exclusive } else { keyword };
                schema.insert(keyword.to_owned(), number(said)?);
                return Some(());
            }
            "exclusiveMinimum" | "exclusiveMaximum" if said.value.is_boolean() => return Some(()),
            "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => number(said)?,
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains"
            | "maxContains" => json!(node.count(keyword)?),
            "enum" | "const" | "required" | "dependentRequired" | "uniqueItems" => said.value.clone(),
            // Their meaning depends on where a schema is used from.
            "$dynamicRef" | "$recursiveRef" | "$id" | "contentSchema" => return None,
            _ => return Some(()),
        };
        schema.insert(keyword.to_owned(), copied);
        Some(())
    }

    fn reference(&mut self, node: &Node<'a>) -> Option<Json> {
        let target = follow_once(self.resolver, node)?;
        let index = self.targets.iter().position(|other| other.location == target.location).unwrap_or_else(|| {
            self.targets.push(target);
            self.targets.len() - 1
        });
        Some(json!(format!("#/$defs/{}", name(index))))
    }
}

fn number(said: &Node<'_>) -> Option<Json> {
    said.value.is_number().then(|| said.value.clone())
}

/// The types, if JSON Schema has them.
fn known_types(said: &Json) -> Option<Json> {
    let is_known = |ty: &Json| {
        let known = ["null", "boolean", "integer", "number", "string", "array", "object"];
        ty.as_str().is_some_and(|ty| known.contains(&ty))
    };
    let all_known = said.as_array().map_or_else(|| is_known(said), |types| types.iter().all(is_known));
    all_known.then(|| said.clone())
}
