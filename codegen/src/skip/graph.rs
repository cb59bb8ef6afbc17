//! Which parts of a description refer to which locations, across files.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::diagnostic::Diagnostics;
use crate::files::Files;
use crate::load::{self, Reference};
use crate::location::{self, Location};
use crate::lower::is_method;
use crate::skip::{OTHERS, holds_operations, item_of};

/// A part of the entry that can be left out as a whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    pub(super) pointer: String,
    pub(super) kind: Kind,
    /// The number of its operations.
    pub(super) operations: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// An operation and its name.
    Operation(String),
    /// A path item that is a reference.
    Path(String),
    /// A component or a webhook.
    Shared,
}

/// A file and a JSON Pointer.
type Place = (String, String);

/// The parts, and what refers to what.
pub(super) struct Graph<'a> {
    entry: &'a str,
    /// By pointer.
    parts: BTreeMap<String, Part>,
    /// The parts and all referenced places, each with the places that refer to it.
    users: BTreeMap<Place, BTreeSet<Place>>,
}

impl<'a> Graph<'a> {
    /// Follows every reference from the parts of the entry.
    pub(super) fn new(files: &dyn Files, entry: &'a str, tree: &Value) -> Self {
        let mut trees = Trees { files, entry, tree, others: BTreeMap::new() };
        let parts = parts(&mut trees);
        let mut graph = Self { entry, parts, users: BTreeMap::new() };
        let mut open: Vec<Place> = graph.parts.keys().map(|pointer| (entry.to_owned(), pointer.clone())).collect();
        graph.users.extend(open.iter().map(|place| (place.clone(), BTreeSet::new())));
        while let Some(user) = open.pop() {
            for target in trees.references(&user) {
                let target = graph.whole(target);
                let is_new = !graph.users.contains_key(&target);
                graph.users.entry(target.clone()).or_default().insert(user.clone());
                if is_new {
                    open.push(target);
                }
            }
        }
        graph
    }

    /// All parts, ordered by pointer.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Part> {
        self.parts.values()
    }

    /// The parts that contain the location or refer to it.
    pub(super) fn parts_that_need(&self, location: &Location) -> Vec<&Part> {
        let mut open: Vec<&Place> = self.users.keys().filter(|place| self.holds(place, location)).collect();
        let mut needing: BTreeSet<&Place> = open.iter().copied().collect();
        while let Some(place) = open.pop() {
            open.extend(self.users[place].iter().filter(|user| needing.insert(user)));
        }
        needing
            .into_iter()
            .filter(|(file, _)| file == self.entry)
            .filter_map(|(_, pointer)| self.parts.get(pointer))
            .collect()
    }

    fn holds(&self, (file, pointer): &Place, location: &Location) -> bool {
        if file != location.file() {
            return false;
        }
        if location.pointer().is_empty() {
            // A problem of a whole file affects all of it; without the entry, nothing remains.
            return file != self.entry;
        }
        if is_below(location.pointer(), pointer) {
            return true;
        }
        // Siblings of a path's operations belong to each of them.
        let is_operation = self.parts.get(pointer).is_some_and(|part| matches!(part.kind, Kind::Operation(_)));
        let Some((operations, _)) = pointer.rsplit_once('/').filter(|_| is_operation && file == self.entry) else {
            return false;
        };
        let item = item_of(operations);
        let rest = location.pointer().strip_prefix(item).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        rest.is_some_and(|rest| location::tokens(rest).next().is_none_or(|name| !holds_operations(&name)))
    }

    /// The part that contains the place, if any.
    fn whole(&self, (file, pointer): Place) -> Place {
        if file != self.entry {
            return (file, pointer);
        }
        let ends = pointer.match_indices('/').map(|(end, _)| end).chain([pointer.len()]);
        let part = ends.map(|end| &pointer[..end]).find(|above| self.parts.contains_key(*above));
        (file, part.map_or_else(|| pointer.clone(), str::to_owned))
    }
}

fn is_below(pointer: &str, above: &str) -> bool {
    pointer.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Where all versions keep components and similar sections. Security schemes are used by name, not by
/// reference.
const SHARED: [&[&str]; 13] = [
    &["components", "callbacks"],
    &["components", "examples"],
    &["components", "headers"],
    &["components", "links"],
    &["components", "mediaTypes"],
    &["components", "parameters"],
    &["components", "pathItems"],
    &["components", "requestBodies"],
    &["components", "responses"],
    &["components", "schemas"],
    &["definitions"],
    &["parameters"],
    &["responses"],
];

fn parts(trees: &mut Trees<'_>) -> BTreeMap<String, Part> {
    let mut parts = BTreeMap::new();
    let mut add = |pointer: String, kind, operations| {
        parts.insert(pointer.clone(), Part { pointer, kind, operations });
    };
    let tree = trees.tree;
    for names in SHARED.into_iter().chain([&["webhooks"][..]]) {
        let pointer = location::joined("", names);
        for name in members(tree.pointer(&pointer)).map(|(name, _)| name) {
            add(location::joined(&pointer, &[name]), Kind::Shared, 0);
        }
    }
    for (path, item) in members(tree.get("paths")) {
        let pointer = location::joined("", &["paths", path]);
        if item.get("$ref").is_some() {
            let targets = trees.references(&(trees.entry.to_owned(), pointer.clone()));
            let operations =
                targets.first().and_then(|target| trees.get(target)).map_or(1, |item| methods(item).count());
            add(pointer, Kind::Path(path.to_owned()), operations);
            continue;
        }
        let mut operation = |names: &[&str], method: &str, operation: &Value| {
            let id = operation.get("operationId").and_then(Value::as_str);
            let name = id.map_or_else(|| format!("{method} {path}"), str::to_owned);
            add(location::joined(&pointer, names), Kind::Operation(name), 1);
        };
        for (method, value) in methods(item) {
            operation(&[method], &method.to_uppercase(), value);
        }
        for (method, value) in members(item.get(OTHERS)) {
            operation(&[OTHERS, method], method, value);
        }
    }
    parts
}

fn members(value: Option<&Value>) -> impl Iterator<Item = (&str, &Value)> {
    value.and_then(Value::as_object).into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

fn methods(item: &Value) -> impl Iterator<Item = (&str, &Value)> {
    members(Some(item)).filter(|(name, _)| is_method(name))
}

/// The files read so far.
struct Trees<'a> {
    files: &'a dyn Files,
    entry: &'a str,
    tree: &'a Value,
    others: BTreeMap<String, Value>,
}

impl Trees<'_> {
    /// The references of a place; for an operation, with those of its siblings in the path item.
    fn references(&mut self, place: &Place) -> Vec<Place> {
        let (file, pointer) = place;
        let mut texts = Vec::new();
        if let Some(value) = self.get(place) {
            collect(value, &mut texts);
        }
        if let Some((operations, method)) = pointer.rsplit_once('/')
            && operations.starts_with("/paths/")
            && (is_method(method) || item_of(operations) != operations)
            && file == self.entry
        {
            let item = self.tree.pointer(item_of(operations));
            for (_, value) in members(item).filter(|(name, _)| !holds_operations(name)) {
                collect(value, &mut texts);
            }
        }
        let target = |text: &String| match Reference::parse(text, file) {
            Reference::Here(fragment) => (file.clone(), location::decoded(&fragment).into_owned()),
            Reference::File(target, fragment) | Reference::Network(target, fragment) => {
                (target, location::decoded(&fragment).into_owned())
            }
        };
        let targets: Vec<Place> = texts.iter().map(target).collect();
        for (file, _) in &targets {
            if file != self.entry && !self.others.contains_key(file) {
                // Its problems have been reported.
                let tree = load::load(self.files, file, None, &mut Diagnostics::default());
                self.others.insert(file.clone(), tree.unwrap_or_default());
            }
        }
        targets
    }

    fn get(&self, (file, pointer): &Place) -> Option<&Value> {
        let tree = if file == self.entry { self.tree } else { self.others.get(file)? };
        tree.pointer(pointer)
    }
}

/// Every `$ref` in a value.
fn collect(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if name == "$ref" => texts.push(text.clone()),
                    value => collect(value, texts),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
