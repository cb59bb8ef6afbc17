//! Bases that list their heirs: `Pet: { oneOf: [Cat, Dog] }` with `Cat: { allOf: [Pet, …] }`.
//!
//! As it is written, a cat is a pet, which is a cat or a dog, which is a pet, without end. In the `allOf` of an heir, the base
//! means only its members, so that the reference there leads to a copy without the list.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Files, find};

/// The name of the file with the copies.
const COPIES: &str = "$heirs";

/// Maximum number of parts that are followed from an heir to its base.
const LONGEST: usize = 16;

/// Replaces each reference to a base in an `allOf` by one to a copy without its heirs.
pub(super) fn part(files: &mut Files) {
    let mut parts = BTreeMap::new();
    for tree in files.values() {
        collect(files, tree, &mut parts);
    }
    let bases: Vec<String> =
        parts.into_iter().filter(|(_, is_base)| *is_base).map(|(part, _)| part.to_owned()).collect();
    if bases.is_empty() {
        return;
    }
    let mut copies: Vec<Value> = bases.iter().filter_map(|base| Some(without_heirs(find(files, base)?))).collect();
    let copy = |(index, base): (usize, String)| (base, format!("{COPIES}#/{index}"));
    let bases: BTreeMap<String, String> = bases.into_iter().enumerate().map(copy).collect();
    for tree in files.values_mut().chain(&mut copies) {
        replace(tree, &bases);
    }
    files.insert(COPIES.to_owned(), Value::Array(copies));
}

/// Adds the references in the `allOf`s of a tree, and whether each leads to a base.
fn collect<'f>(files: &'f Files, node: &'f Value, parts: &mut BTreeMap<&'f str, bool>) {
    for reference in references(node, "allOf") {
        parts.entry(reference).or_insert_with(|| lists_heirs(files, reference));
    }
    match node {
        Value::Object(members) => members.values().for_each(|member| collect(files, member, parts)),
        Value::Array(items) => items.iter().for_each(|item| collect(files, item, parts)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Whether a variant of the schema has the schema as a part.
fn lists_heirs(files: &Files, base: &str) -> bool {
    let Some(schema) = find(files, base) else { return false };
    ["oneOf", "anyOf"].iter().flat_map(|word| references(schema, word)).any(|variant| extends(files, variant, base, 0))
}

fn extends(files: &Files, heir: &str, base: &str, depth: usize) -> bool {
    let Some(schema) = find(files, heir).filter(|_| depth < LONGEST) else { return false };
    references(schema, "allOf").any(|part| part == base || extends(files, part, base, depth + 1))
}

/// The references in a list of schemas.
fn references<'s>(schema: &'s Value, word: &str) -> impl Iterator<Item = &'s str> {
    let list = schema.get(word).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(|part| part.get("$ref")?.as_str())
}

fn without_heirs(base: &Value) -> Value {
    let mut copy = base.clone();
    if let Value::Object(members) = &mut copy {
        members.retain(|name, _| !matches!(name.as_str(), "oneOf" | "anyOf"));
    }
    copy
}

fn replace(node: &mut Value, bases: &BTreeMap<String, String>) {
    match node {
        Value::Object(members) => {
            for part in members.get_mut("allOf").and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(Value::String(reference)) = part.get_mut("$ref")
                    && let Some(copy) = bases.get(reference)
                {
                    reference.clone_from(copy);
                }
            }
            members.values_mut().for_each(|member| replace(member, bases));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, bases)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
