//! Delta debugging: makes a tree smaller as long as the problem remains.

use std::ops::Range;
use std::time::Instant;

use serde_json::Value;

/// Trees with more nodes are only made smaller by removing parts.
const SMALL: usize = 5000;

/// The smallest tree that was found until `end`; `is_kept` says whether a tree still has the problem. The root has the
/// files of a description as its members.
pub(super) fn reduce(tree: Value, end: Instant, is_kept: &dyn Fn(&Value) -> bool) -> Value {
    let mut reducer = Reducer { tree, end, is_kept };
    loop {
        let before = reducer.tree.clone();
        reducer.remove_parts();
        if size(&reducer.tree) < SMALL {
            reducer.replace_by_parts();
            reducer.resolve_references();
        }
        if reducer.is_over() || reducer.tree == before {
            return reducer.tree;
        }
    }
}

struct Reducer<'a> {
    tree: Value,
    end: Instant,
    is_kept: &'a dyn Fn(&Value) -> bool,
}

impl Reducer<'_> {
    fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }

    /// Changes a copy of the tree, which replaces it if the problem remains.
    fn change(&mut self, change: impl FnOnce(&mut Value)) -> bool {
        if self.is_over() {
            return false;
        }
        let mut changed = self.tree.clone();
        change(&mut changed);
        let is_kept = (self.is_kept)(&changed);
        if is_kept {
            self.tree = changed;
        }
        is_kept
    }

    /// Removes members and items, from the root down: first all of a node, then halves, and so on.
    fn remove_parts(&mut self) {
        let mut level = vec![String::new()];
        while !level.is_empty() && !self.is_over() {
            for pointer in &level {
                self.remove_parts_of(pointer);
            }
            level = level.iter().flat_map(|pointer| parts(&self.tree, pointer)).collect();
        }
    }

    fn remove_parts_of(&mut self, pointer: &str) {
        let count = |tree: &Value| tree.pointer(pointer).map_or(0, len);
        let mut piece = count(&self.tree);
        while piece > 0 {
            let mut end = count(&self.tree);
            while end > 0 {
                let start = end.saturating_sub(piece);
                self.change(|tree| {
                    if let Some(node) = tree.pointer_mut(pointer) {
                        remove(node, start..end);
                    }
                });
                end = start;
            }
            piece /= 2;
        }
    }

    /// Replaces schemas by those one or two levels below, as an object by its only member.
    fn replace_by_parts(&mut self) {
        let mut index = 0;
        while let Some(pointer) = pointers(&self.tree).into_iter().filter(|pointer| is_schema(pointer)).nth(index) {
            let inner = parts(&self.tree, &pointer);
            let below = inner.iter().flat_map(|part| parts(&self.tree, part)).filter(|part| is_schema(part));
            let schemas: Vec<_> = inner.iter().filter(|part| is_schema(part)).cloned().chain(below).collect();
            let is_replaced = schemas.iter().any(|schema| {
                let replacement = self.tree.pointer(schema).cloned();
                self.change(|tree| replace(tree, &pointer, replacement))
            });
            if !is_replaced {
                index += 1;
            }
        }
    }

    /// Replaces references by what they refer to, unless that has references itself.
    fn resolve_references(&mut self) {
        for pointer in pointers(&self.tree) {
            let target = self.tree.pointer(&pointer).and_then(|node| node.get("$ref")?.as_str());
            let target = target.and_then(|reference| self.tree.pointer(&target_of(&pointer, reference)?));
            if let Some(target) = target.filter(|target| !has_references(target)).cloned() {
                self.change(|tree| replace(tree, &pointer, Some(target)));
            }
        }
    }
}

fn replace(tree: &mut Value, pointer: &str, replacement: Option<Value>) {
    if let (Some(node), Some(replacement)) = (tree.pointer_mut(pointer), replacement) {
        *node = replacement;
    }
}

/// Whether a schema is at this pointer.
fn is_schema(pointer: &str) -> bool {
    let mut names = pointer.rsplit('/');
    let (last, parent) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
    matches!(
        last,
        "schema" | "itemSchema" | "items" | "additionalProperties" | "not" | "contains" | "if" | "then" | "else"
    ) || matches!(
        parent,
        "schemas" | "definitions" | "$defs" | "properties" | "allOf" | "anyOf" | "oneOf" | "prefixItems"
    )
}

/// The pointer to what a `$ref` at `pointer` refers to.
fn target_of(pointer: &str, reference: &str) -> Option<String> {
    let (file, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let here = pointer.split('/').nth(1)?;
    if file.is_empty() {
        return Some(format!("/{here}{fragment}"));
    }
    let here = here.replace("~1", "/");
    let folder = here.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut path: Vec<&str> = if folder.is_empty() { Vec::new() } else { folder.split('/').collect() };
    for part in file.split('/') {
        match part {
            "." => {}
            ".." if path.last().is_some_and(|last| *last != "..") => drop(path.pop()),
            part => path.push(part),
        }
    }
    Some(format!("/{}{fragment}", path.join("~1")))
}

fn has_references(node: &Value) -> bool {
    match node {
        Value::Object(members) => members.contains_key("$ref") || members.values().any(has_references),
        Value::Array(items) => items.iter().any(has_references),
        _ => false,
    }
}

fn len(node: &Value) -> usize {
    match node {
        Value::Object(members) => members.len(),
        Value::Array(items) => items.len(),
        _ => 0,
    }
}

fn size(node: &Value) -> usize {
    1 + match node {
        Value::Object(members) => members.values().map(size).sum(),
        Value::Array(items) => items.iter().map(size).sum(),
        _ => 0,
    }
}

fn remove(node: &mut Value, range: Range<usize>) {
    match node {
        Value::Object(members) => {
            let names: Vec<_> = members.keys().skip(range.start).take(range.len()).cloned().collect();
            for name in names {
                members.shift_remove(&name);
            }
        }
        Value::Array(items) => drop(items.drain(range)),
        _ => {}
    }
}

/// The pointers to the objects and arrays directly in a node.
fn parts(tree: &Value, pointer: &str) -> Vec<String> {
    let is_container = |node: &Value| node.is_object() || node.is_array();
    match tree.pointer(pointer) {
        Some(Value::Object(members)) => {
            let members = members.iter().filter(|(_, node)| is_container(node));
            members.map(|(name, _)| format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))).collect()
        }
        Some(Value::Array(items)) => {
            let items = items.iter().enumerate().filter(|(_, node)| is_container(node));
            items.map(|(index, _)| format!("{pointer}/{index}")).collect()
        }
        _ => Vec::new(),
    }
}

/// The pointers to all objects and arrays, those of a node after its own.
fn pointers(tree: &Value) -> Vec<String> {
    let mut pointers = Vec::new();
    let mut waiting = vec![String::new()];
    while let Some(pointer) = waiting.pop() {
        waiting.extend(parts(tree, &pointer).into_iter().rev());
        pointers.push(pointer);
    }
    pointers
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use serde_json::{Value, json};

    use super::reduce;
    use crate::command::report::panics::{caught, keep_quiet};

    fn reduced(tree: Value, is_kept: &dyn Fn(&Value) -> bool) -> Value {
        reduce(tree, Instant::now() + Duration::from_mins(1), is_kept)
    }

    #[test]
    fn what_a_panic_depends_on_remains() {
        keep_quiet();
        let files = json!({ "a.yaml": {
            "x": [1, { "schema": { "items": { "allOf": [{ "properties": { "y": { "z": 1 } } }] } } }, 2],
            "u": { "v": [3] },
            "w": 4,
        } });
        let panics = |tree: &Value| {
            let call = || assert!(!(tree.to_string().contains("\"z\"") && tree["a.yaml"]["w"] == 4), "`z`");
            caught(call).is_err()
        };
        assert_eq!(reduced(files, &panics), json!({ "a.yaml": { "x": [{ "schema": { "z": 1 } }], "w": 4 } }));
    }

    #[test]
    fn references_are_replaced_by_their_targets() {
        let files = json!({
            "spec/a.yaml": { "x": { "$ref": "../b.yaml#/y" }, "z": { "$ref": "#/z" } },
            "b.yaml": { "y": { "type": "string" } },
        });
        let is_kept = |tree: &Value| {
            let x = &tree["spec/a.yaml"]["x"];
            x["type"] == "string" || x["$ref"] == "../b.yaml#/y" && tree["b.yaml"]["y"]["type"] == "string"
        };
        assert_eq!(reduced(files, &is_kept), json!({ "spec/a.yaml": { "x": { "type": "string" } } }));
    }

    #[test]
    fn nothing_is_tried_after_the_end() {
        let files = json!({ "a.yaml": { "x": [1] } });
        assert_eq!(reduce(files.clone(), Instant::now(), &|_| panic!("too late")), files);
    }
}
