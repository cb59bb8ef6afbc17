//! `$dynamicRef`: each schema that binds a `$dynamicAnchor` gets its own copy of the referenced template.
//!
//! `UserPage: { $ref: '#/…/Page', $defs: { item: { $dynamicAnchor: item, $ref: '#/…/User' } } }` is a `Page` whose
//! `$dynamicRef: '#item'` is a user.

use serde_json::{Map, Value, json};

use crate::diagnostic::{Code, Diagnostics};
use crate::location::{self, Location};

/// Maximum nesting of copied templates.
const DEEPEST: usize = 16;

/// Targets of anchors by name, as pointers.
type Bindings = Vec<(String, String)>;

/// Replaces every `$dynamicRef` of a file by a `$ref`.
pub(super) fn expand(tree: &mut Value, file: &str, diagnostics: &mut Diagnostics) {
    if !contains(tree, &|members| members.contains_key("$dynamicRef")) {
        return;
    }
    let before = tree.clone();
    let mut instances = Vec::new();
    find_instances(&before, "", &mut instances);
    for (pointer, bindings) in instances {
        let Some(Value::Object(members)) = tree.pointer_mut(&pointer) else { continue };
        if let Err(problem) = instantiate(&before, members, &bindings, 0) {
            let place = Location::at(file, pointer.as_str());
            diagnostics
                .report(Code::UncheckedConstraint, &place, problem)
                .label("not bound to the anchors of this schema")
                .help("copy the members of the template here");
        }
    }
    resolve(tree, &mut Vec::new(), "");
}

/// The schemas that bind anchors and refer to another schema, with their bindings.
fn find_instances(value: &Value, pointer: &str, found: &mut Vec<(String, Bindings)>) {
    match value {
        Value::Object(members) => {
            let bindings = bindings(members, pointer);
            if !bindings.is_empty() && !references(members).is_empty() {
                found.push((pointer.to_owned(), bindings));
            }
            for (name, value) in members {
                find_instances(value, &location::joined(pointer, &[name]), found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                find_instances(value, &location::joined(pointer, &[&index.to_string()]), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The anchors of a schema and of its `$defs`.
fn bindings(members: &Map<String, Value>, pointer: &str) -> Bindings {
    let anchor = |schema: &Map<String, Value>| schema.get("$dynamicAnchor").and_then(Value::as_str).map(str::to_owned);
    let defs = members.get("$defs").and_then(Value::as_object).into_iter().flatten();
    let inner = defs.filter_map(|(name, schema)| {
        let schema = schema.as_object()?;
        // An anchor that is only a `$ref` means its target.
        let target = schema.get("$ref").and_then(Value::as_str).filter(|_| schema.len() == 2);
        let target = target.and_then(|target| target.strip_prefix('#')).filter(|target| target.starts_with('/'));
        let place = target.map(|target| location::decoded(target).into_owned());
        Some((anchor(schema)?, place.unwrap_or_else(|| location::joined(pointer, &["$defs", name]))))
    });
    anchor(members).map(|anchor| (anchor, pointer.to_owned())).into_iter().chain(inner).collect()
}

/// The schemas that a schema consists of, by `$ref` alone or by `allOf`.
fn references(members: &Map<String, Value>) -> Vec<&str> {
    let own = members.get("$ref").and_then(Value::as_str);
    let all = members.get("allOf").and_then(Value::as_array).into_iter().flatten();
    own.into_iter().chain(all.filter_map(|item| item.get("$ref")?.as_str())).collect()
}

/// Replaces references to templates that use the anchors by copies.
fn instantiate(
    tree: &Value,
    members: &mut Map<String, Value>,
    bindings: &Bindings,
    depth: usize,
) -> Result<(), &'static str> {
    if let Some(reference) = members.get("$ref").and_then(Value::as_str).map(str::to_owned)
        && let Some(copy) = copy_of(tree, &reference, bindings, depth)?
    {
        members.shift_remove("$ref");
        let mut all = vec![copy];
        if let Some(Value::Array(others)) = members.shift_remove("allOf") {
            all.extend(others);
        }
        members.insert("allOf".to_owned(), Value::Array(all));
    }
    let Some(Value::Array(all)) = members.get_mut("allOf") else { return Ok(()) };
    for item in all {
        let Some(reference) = item.get("$ref").and_then(Value::as_str) else { continue };
        if let Some(copy) = copy_of(tree, reference, bindings, depth)? {
            *item = copy;
        }
    }
    Ok(())
}

/// A copy of the template with the anchors' targets, if it uses one of them.
fn copy_of(tree: &Value, reference: &str, bindings: &Bindings, depth: usize) -> Result<Option<Value>, &'static str> {
    let Some(fragment) = reference.strip_prefix('#') else {
        return Err("a template of another file is used as it is there");
    };
    let Some(template) = tree.pointer(&location::decoded(fragment)) else { return Ok(None) };
    if !asks(tree, template, bindings, &mut vec![fragment.to_owned()]) {
        return Ok(None);
    }
    if depth > DEEPEST {
        return Err("these templates contain each other");
    }
    let mut copy = template.clone();
    bind(tree, &mut copy, bindings, depth)?;
    if let Some(members) = copy.as_object_mut() {
        members.shift_remove("$dynamicAnchor");
        members.shift_remove("$anchor");
        members.shift_remove("$id");
        members.shift_remove("$defs");
    }
    Ok(Some(copy))
}

/// Binds the anchors inside a copy.
fn bind(tree: &Value, value: &mut Value, bindings: &Bindings, depth: usize) -> Result<(), &'static str> {
    match value {
        Value::Object(members) => {
            let anchor = members.get("$dynamicRef").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'));
            if let Some((_, place)) = bindings.iter().find(|(name, _)| Some(name.as_str()) == anchor) {
                let place = format!("#{}", place.replace('%', "%25"));
                members.shift_remove("$dynamicRef");
                members.insert("$ref".to_owned(), place.into());
            } else if let Some(reference) = members.get("$ref").and_then(Value::as_str).map(str::to_owned)
                && reference.starts_with('#')
                && let Some(copy) = copy_of(tree, &reference, bindings, depth + 1)?
            {
                members.shift_remove("$ref");
                members.insert("allOf".to_owned(), json!([copy]));
            } else {
                for (_, inner) in members.iter_mut().filter(|(name, _)| *name != "$defs") {
                    bind(tree, inner, bindings, depth)?;
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                bind(tree, item, bindings, depth)?;
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    Ok(())
}

/// Whether the schema, or one that it refers to, uses one of the anchors.
fn asks(tree: &Value, value: &Value, bindings: &Bindings, seen: &mut Vec<String>) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(name, inner)| match (name.as_str(), inner) {
            ("$dynamicRef", Value::String(text)) => {
                bindings.iter().any(|(name, _)| text.strip_prefix('#') == Some(name.as_str()))
            }
            ("$ref", Value::String(text)) => {
                let Some(fragment) = text.strip_prefix('#') else { return false };
                if seen.iter().any(|seen| seen == fragment) {
                    return false;
                }
                seen.push(fragment.to_owned());
                tree.pointer(&location::decoded(fragment)).is_some_and(|inner| asks(tree, inner, bindings, seen))
            }
            ("$defs", _) => false,
            (_, inner) => asks(tree, inner, bindings, seen),
        }),
        Value::Array(items) => items.iter().any(|item| asks(tree, item, bindings, seen)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Replaces each remaining `$dynamicRef` by a `$ref` to the anchor of the closest enclosing schema.
fn resolve(value: &mut Value, around: &mut Vec<Bindings>, pointer: &str) {
    match value {
        Value::Object(members) => {
            around.push(bindings(members, pointer));
            if !members.contains_key("$ref")
                && let Some(Value::String(text)) = members.shift_remove("$dynamicRef")
            {
                let bound =
                    around.iter().rev().flatten().find(|(name, _)| text.strip_prefix('#') == Some(name.as_str()));
                let reference = bound.map_or(text.clone(), |(_, place)| format!("#{}", place.replace('%', "%25")));
                members.insert("$ref".to_owned(), reference.into());
            }
            for (name, inner) in members.iter_mut() {
                resolve(inner, around, &location::joined(pointer, &[name]));
            }
            around.pop();
        }
        Value::Array(items) => {
            for (index, inner) in items.iter_mut().enumerate() {
                resolve(inner, around, &location::joined(pointer, &[&index.to_string()]));
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn contains(value: &Value, is_it: &dyn Fn(&Map<String, Value>) -> bool) -> bool {
    match value {
        Value::Object(members) => is_it(members) || members.values().any(|inner| contains(inner, is_it)),
        Value::Array(items) => items.iter().any(|inner| contains(inner, is_it)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}
