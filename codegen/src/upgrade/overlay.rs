//! OpenAPI Overlays: changes to the tree of the entry, applied first.

mod written;

use serde_json::Value;
use serde_json_path::{JsonPath, PathElement};

use super::moves::Moves;
use super::repairs::Repairs;
use super::shape::{Object, Shape, detail, optional, required};
use super::structure::Checker;
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
    if let Some(version) = overlay.get("overlay").and_then(Value::as_str)
        && !version.starts_with("1.0")
    {
        diagnostics
            .report(
                Code::UnknownVersion,
                &root.member("overlay"),
                format!("overlays of version {version} are not read"),
            )
            .help("1.0.0 is the version that is");
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
        if nesting(target) > NESTING {
            let message = format!("this JSONPath is nested more than {NESTING} levels deep");
            diagnostics.report(Code::InvalidValue, &at, message).help("write several actions with simpler targets");
            return;
        }
        let path = match JsonPath::parse(target) {
            Ok(path) => path,
            Err(error) => {
                diagnostics
                    .report(Code::InvalidValue, &at, format!("`{target}` is not a JSONPath"))
                    .label(format!("not from character {} on", error.position() + 1))
                    .help("see RFC 9535; names with characters other than letters, digits and `_` need `['…']`");
                return;
            }
        };
        let mut nodes: Vec<Vec<Step>> =
            path.query_located(self.tree).iter().map(|node| steps(node.location())).collect();
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
        } else if let Some(update) = action.get("update") {
            let Some(room) = size(update).checked_mul(nodes.len()).and_then(|added| self.room.checked_sub(added))
            else {
                let message = format!("the updates up to here would add more than {ROOM} values to the description");
                diagnostics
                    .report(Code::InvalidValue, &at, message)
                    .label(format!("this alone matches {} places", nodes.len()));
                return;
            };
            self.room = room;
            for node in &nodes {
                self.update(node, update, &place.member("update"), diagnostics);
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

    fn update(&mut self, node: &[Step], update: &Value, from: &Location, diagnostics: &mut Diagnostics) {
        let pointer = pointer(node);
        // An earlier node of the same action may have replaced this one.
        let Some(value) = self.tree.pointer_mut(&pointer) else { return };
        match (&mut *value, update) {
            (Value::Array(items), Value::Object(_)) => append(items, &pointer, update, from.clone(), &mut self.written),
            (Value::Object(_), update) if !update.is_object() => {
                diagnostics
                    .report(Code::WrongType, from, "an object is required here")
                    .label("the target is an object");
            }
            (value, update) => merge(value, update, &pointer, from, &mut self.written),
        }
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
                    written.add(pointer, from);
                }
            }
        }
        (Value::Array(items), Value::Array(updates)) => {
            for (index, update) in updates.iter().enumerate() {
                append(items, pointer, update, from.item(index), written);
            }
        }
        (value, update) => {
            value.clone_from(update);
            written.add(pointer.to_owned(), from.clone());
        }
    }
}

fn append(items: &mut Vec<Value>, pointer: &str, item: &Value, from: Location, written: &mut Written) {
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
        let overlay = json!({ "overlay": "1.0.0", "info": {}, "actions": actions }).to_string();
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
