//! `$id` and `$anchor`: other names for places, which references may use.

use std::collections::BTreeMap;

use serde_json::Value;

use super::normal::absolute;

/// Members that hold values, not schemas.
pub(super) const OF_VALUES: [&str; 5] = ["example", "examples", "default", "const", "enum"];

/// References to schemas by their names: the absolute `$id`, or the file and the anchor.
#[derive(Default)]
pub(super) struct Names(BTreeMap<String, String>);

impl Names {
    /// The names in all files.
    pub(super) fn of(files: &BTreeMap<String, Value>) -> Self {
        let mut names = Self::default();
        for (file, tree) in files {
            names.find(tree, file, &format!("{file}#"));
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
        let file = schema.and_then(|schema| schema.split('#').next()).unwrap_or(file);
        self.0.get(&format!("{file}#{fragment}")).cloned()
    }

    fn find(&mut self, node: &Value, file: &str, place: &str) {
        match node {
            Value::Object(members) => {
                for (name, member) in members {
                    match (name.as_str(), member) {
                        ("$id", Value::String(id)) => {
                            let id = absolute(id, file).trim_end_matches('#').to_owned();
                            self.0.entry(id).or_insert_with(|| place.to_owned());
                        }
                        ("$anchor" | "$dynamicAnchor", Value::String(anchor)) => {
                            self.0.entry(format!("{file}#{anchor}")).or_insert_with(|| place.to_owned());
                        }
                        (name, member) if !OF_VALUES.contains(&name) => self.find(member, file, &inner(place, name)),
                        _ => {}
                    }
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.find(item, file, &format!("{place}/{index}"));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
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
