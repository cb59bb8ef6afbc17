//! `$id` and `$anchor`: other names for places, which references may use.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::decoded;
use super::normal::absolute;

/// Members that hold values, not schemas.
pub(super) const OF_VALUES: [&str; 5] = ["example", "examples", "default", "const", "enum"];

/// References to schemas by their names: the absolute `$id`, or an anchor after the `$id` around it, or after the file.
#[derive(Default)]
pub(super) struct Names(BTreeMap<String, String>);

impl Names {
    /// The names in all files.
    pub(super) fn of(files: &BTreeMap<String, Value>) -> Self {
        let mut names = Self::default();
        for (file, tree) in files {
            names.find(tree, file, file, &format!("{file}#"));
        }
        names
    }

    /// The reference by a pointer, if this one is by a name. `files` are those that exist.
    pub(super) fn resolved(&self, reference: &str, files: &BTreeMap<String, Value>) -> Option<String> {
        let (file, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let schema = self.0.get(file).filter(|_| files.get(file).is_none_or(Value::is_null));
        if fragment.is_empty() || fragment.starts_with('/') {
            return Some(format!("{}{fragment}", schema?));
        }
        let of_file = || self.0.get(&format!("{}#{fragment}", schema?.split('#').next()?));
        self.0.get(&format!("{file}#{fragment}")).or_else(of_file).cloned()
    }

    /// The pointer in the file for a reference below an `$id`, to which it is relative; `None` if it names nothing in the file.
    fn below(&self, reference: &str, id: &str, tree: &Value) -> Option<String> {
        let absolute = absolute(reference, id);
        let (target, fragment) = absolute.split_once('#')?;
        let found = if fragment.is_empty() || fragment.starts_with('/') {
            format!("{}{fragment}", self.0.get(target)?)
        } else {
            self.0.get(&absolute)?.clone()
        };
        let pointer = &found[found.find('#')?..];
        // Many authors write the pointer in the file below an `$id`, too.
        let is_there = !reference.starts_with('#') || tree.pointer(&decoded(&pointer[1..])).is_some();
        is_there.then(|| pointer.to_owned())
    }

    fn find(&mut self, node: &Value, file: &str, resource: &str, place: &str) {
        match node {
            Value::Object(members) => {
                let own = own_id(members, resource);
                if let Some(id) = &own {
                    self.0.entry(id.clone()).or_insert_with(|| place.to_owned());
                }
                let resource = own.as_deref().unwrap_or(resource);
                for (name, member) in members {
                    match (name.as_str(), member) {
                        ("$anchor" | "$dynamicAnchor", Value::String(anchor)) => {
                            for of in [resource, file] {
                                self.0.entry(format!("{of}#{anchor}")).or_insert_with(|| place.to_owned());
                            }
                        }
                        (name, member) if !OF_VALUES.contains(&name) => {
                            self.find(member, file, resource, &inner(place, name));
                        }
                        _ => {}
                    }
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.find(item, file, resource, &format!("{place}/{index}"));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// The absolute `$id` of a schema.
fn own_id(members: &Map<String, Value>, resource: &str) -> Option<String> {
    Some(absolute(members.get("$id")?.as_str()?, resource).trim_end_matches('#').to_owned())
}

/// Replaces references below an `$id` with pointers in the file, if they name something in it.
pub(super) fn resolve_below_ids(tree: &mut Value, file: &str) {
    if has_id(tree) {
        let mut names = Names::default();
        names.find(tree, file, file, &format!("{file}#"));
        let before = tree.clone();
        replace_below_ids(tree, None, file, &names, &before);
    }
}

fn has_id(node: &Value) -> bool {
    match node {
        Value::Object(members) => members.get("$id").is_some_and(Value::is_string) || members.values().any(has_id),
        Value::Array(items) => items.iter().any(has_id),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn replace_below_ids(node: &mut Value, id: Option<&str>, file: &str, names: &Names, before: &Value) {
    match node {
        Value::Object(members) => {
            let own = own_id(members, id.unwrap_or(file));
            let id = own.as_deref().or(id);
            if let Some(Value::String(reference)) = members.get_mut("$ref")
                && let Some(found) = id.and_then(|id| names.below(reference, id, before))
            {
                *reference = found;
            }
            members.values_mut().for_each(|member| replace_below_ids(member, id, file, names, before));
        }
        Value::Array(items) => {
            for item in items {
                replace_below_ids(item, id, file, names, before);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Replaces references by names with references by pointers.
pub(super) fn resolve(files: &mut BTreeMap<String, Value>) {
    let names = Names::of(files);
    if names.0.is_empty() {
        return;
    }
    let mut resolved = files.clone();
    for tree in resolved.values_mut() {
        replace(tree, &names, files);
    }
    *files = resolved;
}

fn replace(node: &mut Value, names: &Names, files: &BTreeMap<String, Value>) {
    match node {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get_mut("$ref")
                && let Some(found) = names.resolved(reference, files)
            {
                *reference = found;
            }
            members.values_mut().for_each(|member| replace(member, names, files));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, names, files)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The place of a member. Fragments are percent-decoded.
pub(super) fn inner(place: &str, name: &str) -> String {
    format!("{place}/{}", name.replace('~', "~0").replace('/', "~1").replace('%', "%25"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::document::Document;

    #[test]
    fn names_below_an_id_are_relative_to_it() {
        let schema = |id: &str| {
            json!({"$id": id, "properties": {
                "own": {"$ref": "#name"},
                "below": {"$ref": "#/$defs/Name"},
                "sibling": {"$ref": "pet#name"},
                "file": {"$ref": "#/components/schemas/Other"},
            }, "$defs": {"Name": {"$anchor": "name", "title": id}}})
        };
        let document = Document::of(json!({"openapi": "3.1.0", "components": {"schemas": {
            "Owner": schema("https://example.com/owner"),
            "Pet": schema("https://example.com/pet"),
            "Other": {"$ref": "https://example.com/owner#name"},
        }}}));
        let schemas = "openapi.json#/components/schemas";
        for (name, id) in [("Owner", "https://example.com/owner"), ("Pet", "https://example.com/pet")] {
            for (member, target) in [
                ("own", format!("{schemas}/{name}/$defs/Name")),
                ("below", format!("{schemas}/{name}/$defs/Name")),
                ("sibling", format!("{schemas}/Pet/$defs/Name")),
                ("file", format!("{schemas}/Other")),
            ] {
                let schema = document.find(&format!("{schemas}/{name}/properties/{member}")).unwrap();
                assert_eq!(schema["$ref"], target, "{member} of {id}");
            }
        }
        assert_eq!(document.find(&format!("{schemas}/Other")).unwrap()["$ref"], format!("{schemas}/Owner/$defs/Name"));
    }
}
