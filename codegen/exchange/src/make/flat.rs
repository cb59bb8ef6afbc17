//! Schemas without references and combinations: parts are merged, and one variant is chosen.

use serde_json::{Map, Value, json};

use super::{Maker, SEVERAL, Written};
use crate::schema::{BOTH, nullable};

/// The most schemas that are parts or variants of each other. Schemas may contain themselves as a part.
const MOST_MERGED: u32 = 100;

/// Maximum number of attempts for a part of an `allOf`.
const ATTEMPTS: usize = 20;

impl Maker<'_> {
    /// One way to satisfy a schema; `None` if its parts contradict each other.
    pub(super) fn flat(&mut self, schema: &Value, depth: usize) -> Option<Map<String, Value>> {
        self.flattened(schema, depth, None)
    }

    /// `child` is the schema that has this one as a part; a discriminator in this schema selects it.
    fn flattened(&mut self, schema: &Value, depth: usize, child: Option<&str>) -> Option<Map<String, Value>> {
        if self.merging == MOST_MERGED {
            return None;
        }
        self.merging += 1;
        let found = self.merged(schema, depth, child);
        self.merging -= 1;
        found
    }

    fn merged(&mut self, schema: &Value, depth: usize, child: Option<&str>) -> Option<Map<String, Value>> {
        self.fuel = self.fuel.checked_sub(1)?;
        let members = match schema {
            Value::Object(members) => members,
            Value::Bool(false) => return None,
            _ => return Some(Map::new()),
        };
        let document = self.document;
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            let heir = if child.is_none() { self.heir(reference) } else { None };
            let reference = heir.as_deref().unwrap_or(reference);
            let target = document.find(reference).cloned().unwrap_or(Value::Bool(true));
            let mut found = self.flattened(&target, depth, child.or(Some(reference)))?;
            if document.is_old {
                if nullable(members) {
                    found.insert("nullable".to_owned(), Value::Bool(true));
                }
                return Some(found);
            }
            let mut siblings = members.clone();
            siblings.remove("$ref");
            let siblings = self.flattened(&Value::Object(siblings), depth, None)?;
            return merge(found, siblings);
        }
        let mut flat = Map::new();
        for (name, member) in members {
            if !matches!(name.as_str(), "allOf" | "anyOf" | "oneOf" | "not" | "discriminator") {
                flat.insert(name.clone(), member.clone());
            }
        }
        let own_null = nullable(members);
        number_bounds(&mut flat);
        let mut parts_null = Vec::new();
        // Parts without variants come first, because variants are chosen by what the parts require.
        let mut parts: Vec<_> = list(members, "allOf").iter().collect();
        parts.sort_by_key(|part| self.has_variants(part, 0));
        // A schema that only annotates a reference stands for its target and every heir of it.
        let part_of = if parts.len() == 1 && has_no_other_keywords(members) { child } else { child.or(Some("")) };
        for part in parts {
            // The chosen variant of a part may contradict the parts before it.
            let (merged, null) = (0..ATTEMPTS).find_map(|_| {
                let part = self.flattened(part, depth, part_of)?;
                let null = part.get("nullable") == Some(&Value::Bool(true));
                Some((merge(flat.clone(), part)?, null))
            })?;
            parts_null.push(null);
            flat = merged;
        }
        flat = self.with_branch(flat, members, depth)?;
        let mut tag = None;
        for word in ["oneOf", "anyOf"] {
            let variants = list(members, word);
            if variants.is_empty() {
                continue;
            }
            let mut order: Vec<&Value> = variants.iter().collect();
            let some = |variant: &&Value| document.follow(variant)["type"] != "null";
            if self.written != Written::Json && order.iter().any(some) {
                order.retain(some);
            }
            let any_text = |variant: &&Value| is_any_text(document.follow(variant));
            if self.written != Written::Json && order.iter().any(any_text) {
                order.retain(|variant| any_text(variant) || has_members(document.follow(variant)));
            }
            self.random.shuffle(&mut order);
            if self.small || depth > 6 {
                order.sort_by_key(|variant| weight(document.follow(variant)));
            }
            // A list of one text is written like the text itself.
            let is_scalar = |variant: &&Value| weight(document.follow(variant)) == 1;
            let is_told_by_length = self.written != Written::Json && order.iter().any(is_scalar);
            let mut found = None;
            for variant in order {
                let Some(mut part) = self.flattened(variant, depth, None) else { continue };
                if is_told_by_length && part.get("type") == Some(&json!("array")) {
                    let least = part.get("minItems").and_then(Value::as_u64).unwrap_or(0).max(2);
                    if part.get("maxItems").and_then(Value::as_u64).is_some_and(|most| most < least) {
                        continue;
                    }
                    part.insert("minItems".to_owned(), json!(least));
                }
                let null = part.get("nullable") == Some(&Value::Bool(true)) || part.get("type") == Some(&json!("null"));
                if let Some(merged) = merge(flat.clone(), part) {
                    found = Some((merged, null));
                    tag = variant.get("$ref").and_then(Value::as_str);
                    break;
                }
            }
            let (merged, null) = found?;
            flat = merged;
            flat.insert(SEVERAL.to_owned(), Value::Bool(variants.len() > 1));
            parts_null.push(null);
        }
        let has_own_type = members.contains_key("type") || members.contains_key("properties");
        let null = own_null || (!has_own_type && !parts_null.is_empty() && parts_null.iter().all(|null| *null));
        flat.insert("nullable".to_owned(), Value::Bool(null));
        if let Some(discriminator) = members.get("discriminator") {
            self.tag(&mut flat, discriminator, tag.or(child.filter(|child| !child.is_empty())));
        }
        Some(flat)
    }

    /// Merges `if` and `then`, or `else`. Whether the condition is false is left to the validator.
    fn with_branch(
        &mut self,
        flat: Map<String, Value>,
        members: &Map<String, Value>,
        depth: usize,
    ) -> Option<Map<String, Value>> {
        let Some(condition) = members.get("if") else { return Some(flat) };
        let then = [Some(condition), members.get("then")];
        let mut branches = [&then[..], &[members.get("else")]];
        self.random.shuffle(&mut branches);
        branches.into_iter().find_map(|branch| {
            let mut parts = branch.iter().flatten();
            parts.try_fold(flat.clone(), |flat, part| merge(flat, self.flattened(part, depth, None)?))
        })
    }

    /// Whether there are several ways to satisfy the schema.
    fn has_variants(&self, schema: &Value, depth: usize) -> bool {
        let schema = self.document.follow(schema);
        let mut parts = schema["allOf"].as_array().into_iter().flatten().filter(|_| depth < 8);
        schema.get("oneOf").or(schema.get("anyOf")).is_some() || parts.any(|part| self.has_variants(part, depth + 1))
    }

    /// A schema that is a variant of this one, by the `mapping` of its discriminator. Without a mapping, a
    /// schema whose `allOf` contains this one; `None` stands for this one itself.
    fn heir(&mut self, reference: &str) -> Option<String> {
        let base = self.document.find(reference)?;
        if base.get("oneOf").or(base.get("anyOf")).is_some() {
            return None;
        }
        let mapping = base.get("discriminator")?.get("mapping").and_then(Value::as_object);
        let Some(mapping) = mapping.filter(|mapping| !mapping.is_empty()) else {
            return if self.random.bool() { self.random.choice(self.document.containing(reference)) } else { None };
        };
        let targets: Vec<&str> = mapping.values().filter_map(Value::as_str).collect();
        let is_known = |target: &&str| target.contains('#') && self.document.find(target).is_some();
        if targets.contains(&reference) || !targets.iter().all(is_known) {
            return None;
        }
        self.random.choice(targets).map(str::to_owned)
    }

    /// Sets the discriminator of a variant to the variant's tag.
    fn tag(&mut self, flat: &mut Map<String, Value>, discriminator: &Value, variant: Option<&str>) {
        let member = discriminator.get("propertyName").or(Some(discriminator)).and_then(Value::as_str);
        let (Some(member), Some(variant)) = (member, variant) else { return };
        let short = variant.rsplit('/').next().unwrap_or(variant);
        let mapping = discriminator.get("mapping").and_then(Value::as_object);
        let tags: Vec<&str> = mapping
            .into_iter()
            .flatten()
            .filter(|(_, target)| target.as_str().is_some_and(|target| target == variant || target == short))
            .map(|(tag, _)| tag.as_str())
            .collect();
        let own = || self.document.find(variant)?.get("x-ms-discriminator-value")?.as_str();
        let named = self.random.choice(tags).or_else(own);
        let is_named = named.is_some();
        let tag = named.unwrap_or(short).to_owned();
        let properties = flat.entry("properties").or_insert_with(|| json!({}));
        if let Some(properties) = properties.as_object_mut() {
            // A member that already lists tags is kept, unless the name of the schema is not among them.
            let known = properties.get(member).cloned().unwrap_or(Value::Bool(true));
            let heir = self.document.find(variant).unwrap_or(&Value::Null);
            if is_named || self.may_be(&known, &tag, 0) && self.may_have(heir, member, &tag, 0) {
                properties.insert(member.to_owned(), json!({ "allOf": [known, { "enum": [tag] }] }));
            }
        }
        let required = flat.entry("required").or_insert_with(|| json!([]));
        if let Some(required) = required.as_array_mut() {
            required.push(Value::String(member.to_owned()));
        }
    }

    /// Whether the member may have the text as its value, in the schema and all of its parts.
    fn may_have(&self, schema: &Value, member: &str, text: &str, depth: usize) -> bool {
        let schema = self.document.follow(schema);
        let mut parts = schema["allOf"].as_array().into_iter().flatten();
        self.may_be(&schema["properties"][member], text, 0)
            && (depth > 8 || parts.all(|part| self.may_have(part, member, text, depth + 1)))
    }

    /// Whether every list of values in the schema and its parts contains the text.
    fn may_be(&self, schema: &Value, text: &str, depth: usize) -> bool {
        let schema = self.document.follow(schema);
        let is_listed = |values: &Vec<Value>| values.iter().any(|value| value == text);
        let mut parts = schema["allOf"].as_array().into_iter().flatten();
        schema["enum"].as_array().is_none_or(is_listed)
            && (depth > 8 || parts.all(|part| self.may_be(part, text, depth + 1)))
    }
}

/// Whether the schema has only annotations next to `allOf`.
fn has_no_other_keywords(members: &Map<String, Value>) -> bool {
    let is_note = |name: &str| {
        let notes = ["allOf", "title", "description", "nullable", "example", "examples", "deprecated", "default"];
        notes.contains(&name) || name.starts_with("x-")
    };
    members.keys().all(|name| is_note(name))
}

fn list<'a>(members: &'a Map<String, Value>, word: &str) -> &'a [Value] {
    members.get(word).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Whether the schema accepts every text.
fn is_any_text(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("string")
        && ["enum", "const", "format", "pattern"].iter().all(|word| schema.get(*word).is_none())
}

/// Whether a value is written as several texts.
fn has_members(schema: &Value) -> bool {
    schema.get("properties").is_some() || schema.get("items").is_some()
}

/// The order in which variants are tried: texts and numbers first, nested values last.
fn weight(schema: &Value) -> u8 {
    match schema.get("type").and_then(Value::as_str) {
        Some("null") => 0,
        Some("string" | "integer" | "number" | "boolean") => 1,
        Some("array") => 2,
        _ if schema.get("enum").is_some() => 1,
        _ => 3,
    }
}

/// `exclusiveMinimum: true` as a number.
fn number_bounds(flat: &mut Map<String, Value>) {
    for (bound, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        match flat.get(exclusive) {
            Some(Value::Bool(true)) => {
                let limit = flat.remove(bound);
                flat.remove(exclusive);
                if let Some(limit) = limit {
                    flat.insert(exclusive.to_owned(), limit);
                }
            }
            Some(Value::Bool(false)) => {
                flat.remove(exclusive);
            }
            _ => {}
        }
    }
}

/// The merged schema; `None` if no value satisfies both.
fn merge(mut one: Map<String, Value>, other: Map<String, Value>) -> Option<Map<String, Value>> {
    for (name, value) in other {
        let Some(known) = one.get(&name).cloned() else {
            one.insert(name, value);
            continue;
        };
        if known == value {
            continue;
        }
        let merged = match name.as_str() {
            "properties" => {
                let (mut known, value) = (known.as_object()?.clone(), value.as_object()?.clone());
                for (name, schema) in value {
                    let merged = match known.get(&name) {
                        Some(other) if *other != schema => json!({ "allOf": [other, schema], BOTH: true }),
                        _ => schema,
                    };
                    known.insert(name, merged);
                }
                Value::Object(known)
            }
            "required" => {
                let mut names = known.as_array().cloned().unwrap_or_default();
                names.extend(value.as_array().cloned().unwrap_or_default());
                Value::Array(names)
            }
            "type" => types(&known, &value)?,
            "enum" => {
                let (known, value) = (known.as_array()?, value.as_array()?);
                let both: Vec<_> = known.iter().filter(|item| value.contains(item)).cloned().collect();
                if both.is_empty() {
                    return None;
                }
                Value::Array(both)
            }
            "const" => return None,
            "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
                if known.as_f64() < value.as_f64() { value } else { known }
            }
            "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
                if known.as_f64() > value.as_f64() { value } else { known }
            }
            "items" => json!({ "allOf": [known, value] }),
            "additionalProperties" => match (&known, &value) {
                (Value::Bool(false), _) | (_, Value::Bool(false)) => Value::Bool(false),
                (Value::Bool(true), schema) | (schema, Value::Bool(true)) => schema.clone(),
                _ => json!({ "allOf": [known, value] }),
            },
            "uniqueItems" => Value::Bool(true),
            "nullable" => Value::Bool(false),
            _ => known,
        };
        one.insert(name, merged);
    }
    let is_listed = match (one.get("const"), one.get("enum").and_then(Value::as_array)) {
        (Some(only), Some(values)) => values.is_empty() || values.contains(only),
        _ => true,
    };
    is_listed.then_some(one)
}

/// The types that are in both.
fn types(one: &Value, other: &Value) -> Option<Value> {
    let names = |value: &Value| match value {
        Value::Array(names) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>(),
        value => value.as_str().map(str::to_owned).into_iter().collect(),
    };
    let (one, other) = (names(one), names(other));
    let mut both: Vec<Value> = Vec::new();
    for name in &one {
        let whole = name == "integer" && other.iter().any(|other| other == "number");
        if other.contains(name) || whole {
            both.push(json!(name));
        } else if name == "number" && other.iter().any(|other| other == "integer") {
            both.push(json!("integer"));
        }
    }
    if both.is_empty() { None } else { Some(Value::Array(both)) }
}
