//! `$dynamicRef`: each schema that binds a `$dynamicAnchor` gets copies of the schemas that it refers to.
//!
//! JSON Schema binds anchors by the `$id` of the outermost schema. The schemas of a description have no `$id`, as a rule, and a
//! validator is made of each alone, so the bindings are written out: `UserPage: { $ref: Page, $defs: { item: { $dynamicAnchor:
//! item, $ref: User } } }` refers to a copy of `Page` whose `$dynamicRef: '#item'` is `$ref: …/UserPage/$defs/item`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::names::{Names, OF_VALUES, inner};
use super::{Files, find};

/// The name of the file with the copies.
const COPIES: &str = "$dynamicRef";

/// Maximum number of copies.
const MOST: usize = 10_000;

/// The places of the schemas that are bound to anchors.
type Bindings = BTreeMap<String, String>;

/// Replaces every `$dynamicRef` by a `$ref`.
pub(super) fn expand(files: &mut Files) {
    if !files.values().any(is_used) {
        return;
    }
    let mut binder =
        Binder { names: Names::of(files), files: files.clone(), copies: Vec::new(), known: BTreeMap::new() };
    for (file, tree) in files.iter_mut() {
        *tree = binder.bound(tree, &format!("{file}#"), &Bindings::new());
    }
    files.insert(COPIES.to_owned(), Value::Array(binder.copies));
}

fn is_used(node: &Value) -> bool {
    match node {
        Value::Object(members) => members.contains_key("$dynamicRef") || members.values().any(is_used),
        Value::Array(items) => items.iter().any(is_used),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

struct Binder {
    files: Files,
    names: Names,
    copies: Vec<Value>,
    /// The copies by the references that they stand for and the bindings in them.
    known: BTreeMap<(String, Bindings), usize>,
}

impl Binder {
    /// The node in a schema with these bindings, which come before its own.
    fn bound(&mut self, node: &Value, place: &str, outer: &Bindings) -> Value {
        match node {
            Value::Object(members) => {
                let mut bindings = own(members, place);
                bindings.extend(outer.clone());
                let mut bound = Map::new();
                for (name, member) in members {
                    let member = match (name.as_str(), member) {
                        ("$dynamicRef", _) => continue,
                        ("$ref", Value::String(reference)) => Value::String(self.reference(reference, &bindings)),
                        (name, member) if OF_VALUES.contains(&name) => member.clone(),
                        (name, member) => self.bound(member, &inner(place, name), &bindings),
                    };
                    bound.insert(name.clone(), member);
                }
                if let Some(target) = members.get("$dynamicRef").and_then(|said| self.target(said, place, &bindings)) {
                    let reference = Value::String(self.reference(&target, &bindings));
                    if !bound.contains_key("$ref") {
                        bound.insert("$ref".to_owned(), reference);
                    } else if let Some(Value::Array(all)) = bound.get_mut("allOf") {
                        all.push(json!({ "$ref": reference }));
                    } else {
                        bound.insert("allOf".to_owned(), json!([{ "$ref": reference }]));
                    }
                }
                Value::Object(bound)
            }
            Value::Array(items) => {
                let items = items.iter().enumerate();
                items.map(|(index, item)| self.bound(item, &format!("{place}/{index}"), outer)).collect()
            }
            scalar => scalar.clone(),
        }
    }

    /// What a `$dynamicRef` means: the bound schema, or else the one that has the anchor.
    fn target(&self, said: &Value, place: &str, bindings: &Bindings) -> Option<String> {
        let (file, anchor) = said.as_str()?.split_once('#')?;
        let own = if file.is_empty() { place.split('#').next().unwrap_or_default() } else { file };
        let fixed = || self.names.resolved(&format!("{own}#{anchor}"), &self.files);
        bindings.get(anchor).cloned().or_else(fixed)
    }

    /// The reference, or one to a copy if the schema depends on a binding.
    fn reference(&mut self, reference: &str, bindings: &Bindings) -> String {
        let used = self.used(reference, bindings);
        let Some(target) = find(&self.files, reference).filter(|_| !used.is_empty()).cloned() else {
            return reference.to_owned();
        };
        let key = (reference.to_owned(), used);
        let index = match self.known.get(&key) {
            Some(index) => *index,
            None if self.copies.len() == MOST => return reference.to_owned(),
            None => {
                let index = self.copies.len();
                self.copies.push(Value::Null);
                self.known.insert(key.clone(), index);
                self.copies[index] = self.bound(&target, reference, &key.1);
                index
            }
        };
        format!("{COPIES}#/{index}")
    }

    /// The bindings that a schema depends on.
    fn used(&self, reference: &str, bindings: &Bindings) -> Bindings {
        let mut used = Bindings::new();
        if bindings.is_empty() {
            return used;
        }
        let mut seen = BTreeSet::new();
        let mut next = vec![reference];
        while let Some(reference) = next.pop() {
            let mut anchors = BTreeSet::new();
            self.anchors(reference, &mut anchors, &mut seen);
            for anchor in anchors {
                if let Some(target) = bindings.get(&anchor)
                    && used.insert(anchor, target.clone()).is_none()
                {
                    next.push(target);
                }
            }
        }
        used
    }

    /// Collects the anchors that a schema refers to dynamically.
    fn anchors(&self, reference: &str, found: &mut BTreeSet<String>, seen: &mut BTreeSet<String>) {
        if seen.insert(reference.to_owned())
            && let Some(target) = find(&self.files, reference)
        {
            self.anchors_in(target, found, seen);
        }
    }

    fn anchors_in(&self, node: &Value, found: &mut BTreeSet<String>, seen: &mut BTreeSet<String>) {
        match node {
            Value::Object(members) => {
                let anchor = members.get("$dynamicRef").and_then(|said| said.as_str()?.split_once('#'));
                found.extend(anchor.map(|(_, anchor)| anchor.to_owned()));
                if let Some(Value::String(reference)) = members.get("$ref") {
                    self.anchors(reference, found, seen);
                }
                members.values().for_each(|member| self.anchors_in(member, found, seen));
            }
            Value::Array(items) => items.iter().for_each(|item| self.anchors_in(item, found, seen)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// The anchors of a schema and of its `$defs`.
fn own(members: &Map<String, Value>, place: &str) -> Bindings {
    let anchor = |schema: &Value| schema.get("$dynamicAnchor").and_then(Value::as_str).map(str::to_owned);
    let defs = members.get("$defs").and_then(Value::as_object).into_iter().flatten();
    let inside = defs.filter_map(|(name, schema)| Some((anchor(schema)?, inner(&inner(place, "$defs"), name))));
    let itself = members.get("$dynamicAnchor").and_then(Value::as_str).map(|name| (name.to_owned(), place.to_owned()));
    inside.chain(itself).collect()
}
