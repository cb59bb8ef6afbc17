//! A schema in its parts: references and `allOf` are followed.

use std::collections::HashSet;

use serde_json::Value;

use super::form::{Holds, Member, Name, Others, is_name};
use crate::document::Document;
use crate::schema::nullable;

/// The longest chain of references, parts and variants.
pub(super) const DEEPEST: usize = 32;

/// A schema without references, and what is said of its form in XML.
#[derive(Debug, Default)]
pub(super) struct Parts<'d> {
    /// All of these hold.
    pub(super) schemas: Vec<&'d Value>,
    /// One of each list holds.
    pub(super) variants: Vec<Vec<&'d Value>>,
    /// The `xml` objects, outer ones first.
    said: Vec<&'d Value>,
    /// The name of the first component on the way.
    pub(super) component: Option<&'d str>,
    pub(super) is_nullable: bool,
}

impl<'d> Parts<'d> {
    pub(super) fn of(document: &'d Document, schemas: &[&'d Value]) -> Option<Self> {
        let mut parts = Self::default();
        let mut schemas = schemas.to_vec();
        for _ in 0..DEEPEST {
            let (mut own, mut targets) = (Vec::new(), Vec::new());
            for schema in schemas {
                parts.inline(schema, &mut own, &mut targets, 0);
            }
            targets.dedup();
            // A schema that only annotates another one is written like that one.
            if let [target] = targets[..]
                && own.iter().all(|schema| says_only(schema, &["type"]))
            {
                parts.component = parts.component.or_else(|| component(target));
                schemas = vec![document.find(target)?];
                continue;
            }
            if own.iter().any(|schema| schema.get("discriminator").is_some() && variants(schema).next().is_none()) {
                return None;
            }
            let mut seen = HashSet::new();
            for target in targets {
                expand(document, target, &mut own, &mut seen, 0);
            }
            let is_null = |schema: &&Value| {
                let target = document.follow(schema);
                target["type"] == "null" || target["enum"] == serde_json::json!([null])
            };
            parts.variants = own.iter().flat_map(|schema| variants(schema)).map(Iterator::collect).collect();
            for list in &mut parts.variants {
                parts.is_nullable |= list.iter().any(is_null);
                list.retain(|schema| !is_null(schema));
            }
            parts.variants.retain(|list| !list.is_empty());
            // One schema and `null`.
            if let [list] = parts.variants.as_slice()
                && let [only] = list.as_slice()
                && own.iter().all(|schema| says_only(schema, &["type", "oneOf", "anyOf"]))
            {
                schemas = vec![*only];
                continue;
            }
            parts.schemas = own;
            return Some(parts);
        }
        None
    }

    /// Collects the parts of a schema that are written in its place, and the references among them.
    fn inline(&mut self, schema: &'d Value, own: &mut Vec<&'d Value>, targets: &mut Vec<&'d str>, depth: usize) {
        self.said.extend(schema.get("xml"));
        let names_null = |types: &Value| types.as_array().is_some_and(|types| types.iter().any(|name| name == "null"));
        self.is_nullable |= schema.as_object().is_some_and(nullable) || schema.get("type").is_some_and(names_null);
        targets.extend(schema.get("$ref").and_then(Value::as_str));
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten().filter(|_| depth < DEEPEST) {
            self.inline(part, own, targets, depth + 1);
        }
        if !says_only(schema, &[]) {
            own.push(schema);
        }
    }

    pub(super) fn said(&self, keyword: &str) -> Option<&'d Value> {
        self.said.iter().find_map(|xml| xml.get(keyword))
    }

    pub(super) fn text(&self, keyword: &str) -> Option<&'d str> {
        self.said.iter().find_map(|xml| xml.get(keyword)?.as_str()).filter(|text| !text.is_empty())
    }

    pub(super) fn flag(&self, keyword: &str) -> bool {
        self.said.iter().any(|xml| xml[keyword] == true)
    }

    /// Its own name, or `otherwise`.
    pub(super) fn name(&self, otherwise: Option<&'d str>) -> Option<Name<'d>> {
        let said = self.text("name").or(otherwise)?;
        let (written, local) = said.split_once(':').map_or((None, said), |(prefix, local)| (Some(prefix), local));
        let prefix = self.text("prefix").or(written);
        (is_name(local) && prefix.is_none_or(is_name)).then(|| Name {
            local,
            prefix,
            namespace: self.text("namespace"),
        })
    }

    /// What values of the schema hold, if it has no variants.
    pub(super) fn holds(&self) -> Option<Holds<'d>> {
        match self.type_name()? {
            "string" | "file" => Some(Holds::Text),
            "number" | "integer" => Some(Holds::Number),
            "boolean" => Some(Holds::Boolean),
            "array" if self.schemas.iter().any(|schema| schema.get("prefixItems").is_some()) => None,
            "array" => {
                let mut items = self.schemas.iter().filter_map(|schema| schema.get("items"));
                items.find(|items| items.as_object().is_some_and(|items| !items.is_empty())).map(Holds::List)
            }
            "object" => {
                let members = self.members();
                let others = self.others(members.is_empty())?;
                Some(Holds::Object(members, others))
            }
            _ => None,
        }
    }

    /// The only type that all parts allow, or that their keywords imply.
    fn type_name(&self) -> Option<&'d str> {
        let mut left: Option<Vec<&str>> = None;
        for said in self.schemas.iter().filter_map(|schema| schema.get("type")) {
            let names: Vec<&str> = match said {
                Value::Array(names) => names.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect(),
                name => name.as_str().into_iter().collect(),
            };
            let is_both = |name: &&str| names.contains(name) || *name == "integer" && names.contains(&"number");
            left = Some(match left {
                None => names,
                Some(before) if before == ["number"] && names.contains(&"integer") => vec!["integer"],
                Some(before) => before.into_iter().filter(is_both).collect(),
            });
        }
        if let Some(left) = left {
            return if let [only] = left[..] { Some(only) } else { None };
        }
        let has =
            |words: &[&str]| self.schemas.iter().any(|schema| words.iter().any(|word| schema.get(word).is_some()));
        if has(&[
            "properties",
            "additionalProperties",
            "required",
            "patternProperties",
            "minProperties",
            "maxProperties",
        ]) {
            return Some("object");
        }
        if has(&["items", "minItems", "maxItems"]) {
            return Some("array");
        }
        if has(&["pattern", "minLength", "maxLength"]) {
            return Some("string");
        }
        if has(&["minimum", "maximum", "multipleOf"]) {
            return Some("number");
        }
        let listed = self.schemas.iter().find_map(|schema| schema.get("enum")?.as_array());
        let constant = self.schemas.iter().find_map(|schema| schema.get("const")).map(std::slice::from_ref);
        let values = listed.map(Vec::as_slice).or(constant).filter(|values| !values.is_empty())?;
        let name = |value: &Value| match value {
            Value::String(_) => Some("string"),
            Value::Number(_) => Some("number"),
            Value::Bool(_) => Some("boolean"),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        };
        let first = name(values.first()?)?;
        values.iter().all(|value| name(value) == Some(first)).then_some(first)
    }

    pub(super) fn members(&self) -> Vec<Member<'d>> {
        let mut members: Vec<Member<'d>> = Vec::new();
        let lists = self.schemas.iter().filter_map(|schema| schema.get("required")?.as_array()).flatten();
        let required: Vec<&str> = lists.filter_map(Value::as_str).collect();
        for (json, schema) in self.schemas.iter().filter_map(|schema| schema.get("properties")?.as_object()).flatten() {
            if *schema == Value::Bool(false) {
                continue;
            }
            match members.iter_mut().find(|member| member.json == json) {
                Some(known) => known.schemas.push(schema),
                None => {
                    members.push(Member { json, required: required.contains(&json.as_str()), schemas: vec![schema] });
                }
            }
        }
        members
    }

    fn others(&self, is_empty: bool) -> Option<Others<'d>> {
        if self.schemas.iter().any(|schema| closes(schema)) {
            return Some(Others::Refused);
        }
        if self.schemas.iter().any(|schema| schema.get("patternProperties").is_some()) {
            return None;
        }
        match self.schemas.iter().find_map(|schema| schema.get("additionalProperties")) {
            Some(Value::Object(said)) if said.is_empty() => None,
            Some(said @ Value::Object(_)) => Some(Others::Elements(said)),
            Some(_) => None,
            None if is_empty => None,
            None => Some(Others::Skipped),
        }
    }
}

/// Adds the parts of the schema that a reference names.
fn expand<'d>(
    document: &'d Document,
    target: &'d str,
    own: &mut Vec<&'d Value>,
    seen: &mut HashSet<&'d str>,
    depth: usize,
) {
    let Some(schema) = document.find(target).filter(|_| depth < DEEPEST && seen.insert(target)) else { return };
    let mut targets = Vec::new();
    Parts::default().inline(schema, own, &mut targets, 0);
    for target in targets {
        expand(document, target, own, seen, depth + 1);
    }
}

/// The lists of variants.
fn variants(schema: &Value) -> impl Iterator<Item = std::slice::Iter<'_, Value>> {
    ["oneOf", "anyOf"].into_iter().filter_map(|word| schema.get(word)?.as_array()).map(|list| list.iter())
}

/// Whether additional members are refused.
pub(super) fn closes(schema: &Value) -> bool {
    ["additionalProperties", "unevaluatedProperties"].iter().any(|word| schema[*word] == false)
}

/// Whether the schema has only annotations and these keywords.
pub(super) fn says_only(schema: &Value, keywords: &[&str]) -> bool {
    let is_annotation = |name: &str| {
        matches!(
            name,
            "$ref"
                | "allOf"
                | "title"
                | "description"
                | "summary"
                | "example"
                | "examples"
                | "default"
                | "deprecated"
                | "readOnly"
                | "writeOnly"
                | "nullable"
                | "xml"
                | "externalDocs"
        ) || name.starts_with("x-")
    };
    schema
        .as_object()
        .is_none_or(|members| members.keys().all(|name| is_annotation(name) || keywords.contains(&name.as_str())))
}

/// The name of the component that a reference names.
fn component(reference: &str) -> Option<&str> {
    let (_, pointer) = reference.split_once('#')?;
    let name = pointer.strip_prefix("/components/schemas/").or_else(|| pointer.strip_prefix("/definitions/"))?;
    (!name.contains('/')).then_some(name)
}
