//! OpenAPI Overlays: changes to the tree of the entry, applied first.

mod written;

use serde_json::Value;
use serde_json_path::{JsonPath, PathElement};

use super::moves::Moves;
use super::repairs::Repairs;
use super::shape::{Object, Shape, detail, optional, required};
use super::structure::{Checker, found};
use super::version::Version;
use crate::diagnostic::{Code, Diagnostics};
use crate::files::Files;
use crate::load;
use crate::location::{self, Location, Path};

pub(crate) use written::Written;

/// Maximum nesting of brackets in a JSONPath.
const NESTING: usize = 32;

/// Maximum number of nodes that all updates may add: sufficient for any description, but bounded if updates
/// multiply each other's results.
const ROOM: usize = 1_000_000;

static OVERLAY: Object = Object::new("Overlay").fields(&[
    required(&["overlay"], Shape::String),
    detail(&["info"], Shape::Any),
    detail(&["extends"], Shape::String),
    required(&["actions"], Shape::Array(&Shape::Object(&ACTION))),
]);

static ACTION: Object = Object::new("Action").fields(&[
    required(&["target"], Shape::String),
    detail(&["description"], Shape::String),
    optional(&["update"], Shape::Any),
    optional(&["copy"], Shape::String),
    optional(&["remove"], Shape::Boolean),
]);

/// Applies the overlays in order. Returns the origin of changed nodes.
pub(crate) fn apply(
    files: &dyn Files,
    entry: &str,
    overlays: &[String],
    tree: &mut Value,
    diagnostics: &mut Diagnostics,
) -> Written {
    let mut target = Target { tree, written: Written::new(entry), room: ROOM };
    for file in overlays {
        let Some(mut overlay) = load::load(files, file, None, diagnostics) else { continue };
        let mut found = Diagnostics::default();
        check(file, &mut overlay, &mut found);
        if !found.has_errors() {
            let actions = Location::root(file).member("actions");
            for (index, action) in overlay["actions"].as_array().into_iter().flatten().enumerate() {
                target.act(action, &actions.item(index), &mut found);
            }
        }
        diagnostics.append(found);
    }
    target.written
}

fn check(file: &str, overlay: &mut Value, diagnostics: &mut Diagnostics) {
    // An overlay itself contains no references.
    let mut on_reference = |_: &mut String, _: Option<&'static Object>, _: Location, _: &mut Diagnostics| {};
    Checker {
        repairs: Repairs { file, version: Version::OpenApi3_2, diagnostics, renamed: &mut Moves::default() },
        schema: &OVERLAY,
        later_word: |_| None,
        on_reference: &mut on_reference,
    }
    .start(overlay, &OVERLAY, &Path::Root);
    let root = Location::root(file);
    let version = overlay.get("overlay").and_then(Value::as_str).unwrap_or_default();
    let is_of = |minor: &str| version.strip_prefix(minor).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if is_of("1.0") {
        for (index, action) in overlay["actions"].as_array().into_iter().flatten().enumerate() {
            if action.get("copy").is_some() {
                let at = root.member("actions").item(index).member("copy").name();
                diagnostics.report(Code::Repaired, &at, "`copy` is a word of Overlay 1.1, and is read as it is there");
            }
        }
    } else if !version.is_empty() && !is_of("1.1") {
        diagnostics
            .report(
                Code::UnknownVersion,
                &root.member("overlay"),
                format!("overlays of version {version} are not read"),
            )
            .help("1.0.0 and 1.1.0 are the versions that are");
    }
    if overlay.is_object() && overlay.get("info").is_none() {
        diagnostics
            .report(Code::Repaired, &root, "`info` is missing; nothing of it is looked at")
            .label("every Overlay Object has one");
    }
    if overlay.get("actions").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        diagnostics
            .report(Code::NothingMatched, &root.member("actions"), "an overlay has at least one action")
            .label("this one changes nothing");
    }
    if overlay.get("extends").is_some() {
        diagnostics
            .report(Code::NotUsed, &root.member("extends").name(), "`extends` does not choose the description")
            .label("applied to the description that is read");
    }
}

/// The description being changed.
struct Target<'t> {
    tree: &'t mut Value,
    written: Written,
    /// Number of nodes that may still be added.
    room: usize,
}

/// A step of a path. Items sort by index, so that the last can be removed first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Name(String),
    Index(usize),
}

impl Target<'_> {
    fn act(&mut self, action: &Value, place: &Location, diagnostics: &mut Diagnostics) {
        let target = action["target"].as_str().unwrap_or_default();
        let at = place.member("target");
        let Some(mut nodes) = self.select(target, &at, diagnostics) else { return };
        if nodes.is_empty() {
            diagnostics
                .report(Code::NothingMatched, &at, format!("nothing is at `{target}`"))
                .label("this action changes nothing");
        }
        nodes.sort();
        nodes.dedup();
        if action["remove"] == true {
            for node in nodes.iter().rev() {
                self.remove(node, &at, diagnostics);
            }
            return;
        }
        match (action.get("update"), action.get("copy").and_then(Value::as_str)) {
            (Some(_), Some(_)) => {
                diagnostics
                    .report(Code::InvalidValue, &place.member("copy").name(), "`copy` and `update` exclude each other")
                    .help("write two actions");
            }
            (Some(update), None) => {
                let from = place.member("update");
                self.update(&nodes, update, &from, place, diagnostics);
            }
            (None, Some(source)) => self.copy(&nodes, source, place, diagnostics),
            (None, None) => {}
        }
    }

    /// The nodes that a JSONPath selects.
    fn select(&self, path: &str, at: &Location, diagnostics: &mut Diagnostics) -> Option<Vec<Vec<Step>>> {
        if nesting(path) > NESTING {
            let message = format!("this JSONPath is nested more than {NESTING} levels deep");
            diagnostics.report(Code::InvalidValue, at, message).help("write several actions with simpler targets");
            return None;
        }
        match JsonPath::parse(path) {
            Ok(path) => Some(path.query_located(self.tree).iter().map(|node| steps(node.location())).collect()),
            Err(error) => {
                diagnostics
                    .report(Code::InvalidValue, at, format!("`{path}` is not a JSONPath"))
                    .label(format!("not from character {} on", error.position() + 1))
                    .help("see RFC 9535; names with characters other than letters, digits and `_` need `['…']`");
                None
            }
        }
    }

    /// Updates the nodes with the value of another node.
    fn copy(&mut self, nodes: &[Vec<Step>], source: &str, place: &Location, diagnostics: &mut Diagnostics) {
        let at = place.member("copy");
        let Some(sources) = self.select(source, &at, diagnostics) else { return };
        let [one] = sources.as_slice() else {
            let message = format!("`{source}` has to select one value, not {}", sources.len());
            diagnostics.report(Code::InvalidValue, &at, message);
            return;
        };
        let pointer = pointer(one);
        if let Some(value) = self.tree.pointer(&pointer).cloned() {
            let from = self.written.entry(pointer);
            self.update(nodes, &value, &from, place, diagnostics);
        }
    }

    /// Merges the value into every node; `from` is where it is written.
    fn update(
        &mut self,
        nodes: &[Vec<Step>],
        update: &Value,
        from: &Location,
        place: &Location,
        diagnostics: &mut Diagnostics,
    ) {
        let Some(room) = size(update).checked_mul(nodes.len()).and_then(|added| self.room.checked_sub(added)) else {
            let message = format!("the updates up to here would add more than {ROOM} values to the description");
            diagnostics
                .report(Code::InvalidValue, &place.member("target"), message)
                .label(format!("this alone matches {} places", nodes.len()));
            return;
        };
        self.room = room;
        let pointers: Vec<String> = nodes.iter().map(|node| pointer(node)).collect();
        let mut kinds = pointers.iter().filter_map(|pointer| self.tree.pointer(pointer)).map(Kind::of);
        if let Some(first) = kinds.next()
            && let Some(other) = kinds.find(|kind| *kind != first)
        {
            diagnostics
                .report(Code::WrongType, &place.member("target"), "the targets of an action are of one kind")
                .label(format!("one is {}, another is {}", first.text(), other.text()));
            return;
        }
        for pointer in pointers {
            let Some(value) = self.tree.pointer_mut(&pointer) else { continue };
            if let (Value::Array(items), false) = (&mut *value, update.is_array()) {
                append(items, &pointer, update, from, &mut self.written);
            } else if let Some((value, wrong)) = mismatch(value, update, from) {
                let at = if from.file() == place.file() { wrong } else { place.member("copy") };
                diagnostics
                    .report(Code::WrongType, &at, format!("{} is required here", Kind::of(value).text()))
                    .label(format!("the target is {}", found(value)));
            } else {
                merge(value, update, &pointer, from, &mut self.written);
            }
        }
    }

    fn remove(&mut self, node: &[Step], at: &Location, diagnostics: &mut Diagnostics) {
        let Some((last, parent)) = node.split_last() else {
            diagnostics.report(Code::InvalidValue, at, "this would remove the whole description");
            return;
        };
        let parent_pointer = pointer(parent);
        match (self.tree.pointer_mut(&parent_pointer), last) {
            (Some(Value::Object(members)), Step::Name(name)) => {
                members.shift_remove(name);
                self.written.remove_member(&location::joined(&parent_pointer, &[name]));
            }
            (Some(Value::Array(items)), Step::Index(index)) if *index < items.len() => {
                self.written.remove_item(&parent_pointer, *index, items.len());
                items.remove(*index);
            }
            _ => {}
        }
    }
}

/// What can be merged with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Object,
    Array,
    Other,
}

impl Kind {
    fn of(value: &Value) -> Self {
        match value {
            Value::Object(_) => Self::Object,
            Value::Array(_) => Self::Array,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Self::Other,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Object => "an object",
            Self::Array => "an array",
            Self::Other => "a string, number, boolean or `null`",
        }
    }
}

/// The first part of the update that cannot be merged: the value that it meets, and its place. `null` gives
/// way to any value, and adds nothing: the specification's own example has `components:` without a value.
fn mismatch<'v>(value: &'v Value, update: &Value, from: &Location) -> Option<(&'v Value, Location)> {
    match (value, update) {
        (Value::Null, _) | (_, Value::Null) => None,
        (Value::Object(members), Value::Object(updates)) => {
            updates.iter().find_map(|(name, update)| mismatch(members.get(name)?, update, &from.member(name)))
        }
        _ => (Kind::of(value) != Kind::of(update)).then(|| (value, from.clone())),
    }
}

/// Merges members, appends array items, replaces anything else.
fn merge(value: &mut Value, update: &Value, pointer: &str, from: &Location, written: &mut Written) {
    match (value, update) {
        (Value::Object(members), Value::Object(updates)) => {
            for (name, update) in updates {
                let pointer = location::joined(pointer, &[name]);
                let from = from.member(name);
                if let Some(member) = members.get_mut(name) {
                    merge(member, update, &pointer, &from, written);
                } else {
                    members.insert(name.clone(), update.clone());
                    written.add(pointer, &from);
                }
            }
        }
        (Value::Array(items), Value::Array(updates)) => {
            for (index, update) in updates.iter().enumerate() {
                append(items, pointer, update, &from.item(index), written);
            }
        }
        (Value::Object(_) | Value::Array(_), Value::Null) => {}
        (value, update) => {
            value.clone_from(update);
            written.add(pointer.to_owned(), from);
        }
    }
}

fn append(items: &mut Vec<Value>, pointer: &str, item: &Value, from: &Location, written: &mut Written) {
    written.add(location::joined(pointer, &[&items.len().to_string()]), from);
    items.push(item.clone());
}

/// Nesting of brackets; those in quoted names are counted, too.
fn nesting(path: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in path.bytes() {
        match byte {
            b'[' | b'(' => depth += 1,
            b']' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// The number of nodes in a value.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(size).sum::<usize>(),
        Value::Object(members) => members.values().map(size).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

fn steps(path: &serde_json_path::NormalizedPath<'_>) -> Vec<Step> {
    path.iter()
        .map(|element| match element {
            PathElement::Name(name) => Step::Name((*name).to_owned()),
            PathElement::Index(index) => Step::Index(*index),
        })
        .collect()
}

fn pointer(steps: &[Step]) -> String {
    let mut pointer = String::new();
    for step in steps {
        match step {
            Step::Name(name) => location::push(&mut pointer, name),
            Step::Index(index) => location::push(&mut pointer, &index.to_string()),
        }
    }
    pointer
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TREE: &str = r#"{
        "info": { "title": "T" },
        "tags": [{ "name": "a" }, { "name": "b" }, { "name": "c" }],
        "paths": { "/a": { "get": { "parameters": [{ "name": "x" }, { "name": "y" }] } } }
    }"#;

    /// The tree after the actions, and the diagnostics.
    fn applied(actions: &Value) -> (Value, Written, Vec<Code>) {
        applied_of("1.1.0", actions)
    }

    fn applied_of(version: &str, actions: &Value) -> (Value, Written, Vec<Code>) {
        let overlay = json!({ "overlay": version, "info": {}, "actions": actions }).to_string();
        let files = |path: &str| {
            if path == "o.json" { Ok(overlay.clone().into_bytes()) } else { Err(std::io::ErrorKind::NotFound.into()) }
        };
        let mut diagnostics = Diagnostics::default();
        let mut tree: Value = serde_json::from_str(TREE).unwrap();
        let written = apply(&files, "a.json", &["o.json".to_owned()], &mut tree, &mut diagnostics);
        (tree, written, diagnostics.iter().map(|diagnostic| diagnostic.code).collect())
    }

    #[test]
    fn updates_are_merged() {
        let (tree, _, codes) = applied(&json!([
            { "target": "$", "update": { "info": { "title": "U", "version": "2" }, "tags": [{ "name": "d" }] } },
            { "target": "$.tags", "update": { "name": "e" } },
            { "target": "$.paths.*.get", "update": { "deprecated": true } },
            { "target": "$.info.version", "update": "3" },
        ]));
        assert_eq!(codes, []);
        assert_eq!(tree["info"], json!({ "title": "U", "version": "3" }));
        let names: Vec<_> = tree["tags"].as_array().unwrap().iter().map(|tag| tag["name"].clone()).collect();
        assert_eq!(names, ["a", "b", "c", "d", "e"]);
        assert_eq!(tree["paths"]["/a"]["get"]["deprecated"], true);
    }

    #[test]
    fn nothing_is_added_without_a_value() {
        let (tree, _, codes) = applied(&json!([
            { "target": "$", "update": { "paths": null, "components": null } },
            { "target": "$.paths['/a'].get", "update": { "parameters": null } },
        ]));
        assert_eq!(codes, []);
        assert_eq!(tree["paths"]["/a"]["get"]["parameters"], json!([{ "name": "x" }, { "name": "y" }]));
    }

    #[test]
    fn nodes_are_copied() {
        let (tree, written, codes) = applied(&json!([
            { "target": "$.tags", "update": { "name": "d" } },
            { "target": "$.paths", "update": { "/b": { "get": { "deprecated": true } }, "/c": {} } },
            { "target": "$.paths['/b','/c']", "copy": "$.paths['/a']" },
            { "target": "$.paths['/c'].get.parameters", "copy": "$.tags[3]" },
            { "target": "$.paths['/c'].get.parameters[0].name", "copy": "$.info.title" },
            { "target": "$.info", "copy": "$.info", "remove": true },
        ]));
        assert_eq!(codes, []);
        let parameters = json!([{ "name": "x" }, { "name": "y" }]);
        assert_eq!(tree["paths"]["/b"], json!({ "get": { "deprecated": true, "parameters": parameters } }));
        let parameters = json!([{ "name": "T" }, { "name": "y" }, { "name": "d" }]);
        assert_eq!(tree["paths"]["/c"], json!({ "get": { "parameters": parameters } }));
        assert_eq!(tree.get("info"), None);
        for (pointer, origin) in [
            ("/paths/~1b/get/parameters/1", "a.json#/paths/~1a/get/parameters/1"),
            ("/paths/~1b/get/deprecated", "o.json#/actions/1/update/~1b/get/deprecated"),
            ("/paths/~1c/get/parameters/0/name", "a.json#/info/title"),
            ("/paths/~1c/get/parameters/1/name", "a.json#/paths/~1a/get/parameters/1/name"),
            ("/paths/~1c/get/parameters/2/name", "o.json#/actions/0/update/name"),
        ] {
            assert_eq!(written.origin(&Location::at("a.json", pointer)).to_string(), origin);
        }
    }

    #[test]
    fn copies_keep_the_places_of_what_they_copy() {
        let (_, written, _) = applied(&json!([
            { "target": "$.paths['/a'].get", "update": { "summary": "S" } },
            { "target": "$.paths", "update": { "/b": {} } },
            { "target": "$.paths['/b']", "copy": "$.paths['/a']" },
        ]));
        let origin = |pointer: &str| written.origin(&Location::at("a.json", pointer)).to_string();
        assert_eq!(origin("/paths/~1b/get/summary"), "o.json#/actions/0/update/summary");
        assert_eq!(origin("/paths/~1b/get/parameters"), "a.json#/paths/~1a/get/parameters");
    }

    #[test]
    fn arrays_get_any_value_appended() {
        let (tree, _, codes) = applied(&json!([
            { "target": "$.info", "update": { "x-words": ["a"] } },
            { "target": "$.info['x-words']", "update": "b" },
            { "target": "$.info['x-words']", "update": ["c", 1] },
            // A primitive value, too: `null` may be one of the values of an `enum`.
            { "target": "$.info['x-words']", "update": null },
        ]));
        assert_eq!(codes, []);
        assert_eq!(tree["info"]["x-words"], json!(["a", "b", "c", 1, null]));
    }

    #[test]
    fn copy_is_read_in_an_older_overlay_with_a_warning() {
        let action = json!([{ "target": "$.tags", "copy": "$.tags[0]" }]);
        let (tree, _, codes) = applied_of("1.0.0", &action);
        assert_eq!((codes, tree["tags"].as_array().unwrap().len()), (vec![Code::Repaired], 4));
        assert_eq!(applied_of("1.1", &action).2, []);
        assert_eq!(applied_of("1.10.0", &action).2, [Code::UnknownVersion]);
    }

    #[test]
    fn everything_that_matches_is_removed() {
        let (tree, _, codes) = applied(&json!([
            { "target": "$.tags[2,0]", "remove": true, "update": { "name": "not read" } },
            { "target": "$..parameters[?@.name == 'x']", "remove": true },
            { "target": "$.info['title']", "remove": true },
        ]));
        assert_eq!(codes, []);
        assert_eq!(tree["tags"], json!([{ "name": "b" }]));
        assert_eq!(tree["paths"]["/a"]["get"]["parameters"], json!([{ "name": "y" }]));
        assert_eq!(tree["info"], json!({}));
    }

    #[test]
    fn what_is_left_is_found_where_it_is_written() {
        let (_, written, _) = applied(&json!([
            { "target": "$.tags", "update": [{ "name": "d" }, { "name": "e" }] },
            { "target": "$.tags[0,3]", "remove": true },
            { "target": "$.info", "update": { "contact": { "name": "C" } } },
        ]));
        for (pointer, origin) in [
            ("/tags/0/name", "a.json#/tags/1/name"),
            ("/tags/1", "a.json#/tags/2"),
            ("/tags/2/name", "o.json#/actions/0/update/1/name"),
            ("/info/contact/name", "o.json#/actions/2/update/contact/name"),
            ("/info/title", "a.json#/info/title"),
            ("/no/such/place", "a.json#/no/such/place"),
        ] {
            assert_eq!(written.origin(&Location::at("a.json", pointer)).to_string(), origin);
        }
    }

    #[test]
    fn what_cannot_be_applied_is_reported() {
        for (action, code) in [
            (json!({ "target": "$.absent", "remove": true }), Code::NothingMatched),
            (json!({ "target": "paths", "remove": true }), Code::InvalidValue),
            (json!({ "target": "$", "remove": true }), Code::InvalidValue),
            (json!({ "target": "$.info", "update": "text" }), Code::WrongType),
            (json!({ "target": "$.info.title", "update": {} }), Code::WrongType),
            (json!({ "target": "$", "update": { "info": { "title": ["T"] } } }), Code::WrongType),
            (json!({ "target": "$.info", "copy": "$.tags" }), Code::WrongType),
            (json!({ "target": "$['info','tags']", "update": {} }), Code::WrongType),
            (json!({ "target": "$.info", "copy": "$.tags[*]" }), Code::InvalidValue),
            (json!({ "target": "$.info", "copy": "$.absent" }), Code::InvalidValue),
            (json!({ "target": "$.info", "copy": "info" }), Code::InvalidValue),
            (json!({ "target": "$.info", "copy": "$.info", "update": {} }), Code::InvalidValue),
            (json!({ "update": {} }), Code::MissingField),
            (json!({ "target": format!("${}", "[?@".repeat(10_000)), "remove": true }), Code::InvalidValue),
            (json!({ "target": format!("$[?{}", "(".repeat(10_000)), "remove": true }), Code::InvalidValue),
        ] {
            assert_eq!(applied(&json!([action])).2, [code], "{action}");
        }
    }

    #[test]
    fn updates_do_not_multiply_without_end() {
        let update = json!({ "a": { "name": 1 }, "b": { "name": 1 }, "c": [vec![0; 40_000]] });
        let (_, _, codes) = applied(&json!(vec![json!({ "target": "$..[?@.name]", "update": update }); 4]));
        assert_eq!(codes, [Code::InvalidValue, Code::InvalidValue]);
    }
}
