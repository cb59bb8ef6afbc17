//! `$id`, `$anchor` and `$self`: other names for locations, which references may use.

use foldhash::HashMap;
use serde_json::Value;

use crate::load::Reference;
use crate::location;

/// What a file names. A schema with an `$id` is a resource: references in it are relative to the `$id`, and its anchors
/// are its own. The file is a resource, too.
#[derive(Default)]
pub(super) struct Names {
    /// The locations of resources.
    resources: HashMap<String, String>,
    /// The locations of anchors by resource and name.
    anchors: HashMap<(String, String), String>,
}

/// Replaces every reference by such a name with a pointer. Returns the URLs of references below an `$id` that no schema has as its
/// `$id`, by the file or URL that the reference names without the `$id`.
pub(super) fn resolve(tree: &mut Value, file: &str) -> Vec<(String, String)> {
    let own = tree.get("$self").and_then(Value::as_str).unwrap_or_default().trim_end_matches('#').to_owned();
    let names = Names::of(tree, &own);
    if own.is_empty() && names.resources.len() == 1 && names.anchors.is_empty() {
        return Vec::new();
    }
    let before = tree.clone();
    let mut unknown = Vec::new();
    each_reference(tree, &own, &mut |reference, resource| {
        if let Some(resolved) = names.resolved(reference, resource, &before) {
            *reference = resolved;
        } else if resource != own
            && let Reference::File(path, _) | Reference::Network(path, _) = Reference::parse(reference, file)
            && let Reference::Network(url, _) = Reference::parse(reference, resource)
        {
            unknown.push((path, url));
        }
    });
    unknown
}

/// Replaces references by `resolved`.
pub(super) fn replace(tree: &mut Value, resolved: &dyn Fn(&str) -> Option<String>) {
    each_reference(tree, "", &mut |reference, _| {
        if let Some(resolved) = resolved(reference) {
            *reference = resolved;
        }
    });
}

impl Names {
    /// The names in a file, which is called `own`.
    pub(super) fn of(tree: &Value, own: &str) -> Self {
        let mut names = Self::default();
        names.resources.insert(own.to_owned(), String::new());
        names.find(tree, "", own);
        names
    }

    fn find(&mut self, value: &Value, pointer: &str, resource: &str) {
        match value {
            Value::Object(members) => {
                let own = own_resource(value, resource);
                if let Some(own) = &own {
                    self.resources.entry(own.clone()).or_insert_with(|| pointer.to_owned());
                }
                let resource = own.as_deref().unwrap_or(resource);
                for (name, value) in members {
                    match (name.as_str(), value) {
                        ("$anchor" | "$dynamicAnchor", Value::String(anchor)) => {
                            let anchor = (resource.to_owned(), anchor.clone());
                            self.anchors.entry(anchor).or_insert_with(|| pointer.to_owned());
                        }
                        // These hold values, not schemas.
                        ("example" | "examples" | "default" | "const" | "enum", _) => {}
                        _ => self.find(value, &location::joined(pointer, &[name]), resource),
                    }
                }
            }
            Value::Array(items) => {
                for (index, value) in items.iter().enumerate() {
                    self.find(value, &location::joined(pointer, &[&index.to_string()]), resource);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// The pointer for a reference in a resource; `None` if it names another file.
    fn resolved(&self, reference: &str, resource: &str, tree: &Value) -> Option<String> {
        let (name, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let target = if name.is_empty() { resource.to_owned() } else { absolute(name, resource) };
        let place = self.resources.get(&target)?;
        if !fragment.is_empty() && !fragment.starts_with('/') {
            let place = self.anchor(&target, fragment)?;
            return Some(format!("#{}", place.replace('%', "%25")));
        }
        let pointer = format!("{}{fragment}", place.replace('%', "%25"));
        // Many authors write the pointer in the file below an `$id`, too.
        let is_there = !name.is_empty() || tree.pointer(&location::decoded(&pointer)).is_some();
        is_there.then(|| format!("#{pointer}"))
    }

    /// The location of an anchor of a resource, or else of another one in the file.
    pub(super) fn anchor(&self, resource: &str, anchor: &str) -> Option<&String> {
        let all = || self.anchors.iter().filter(|((_, name), _)| name == anchor).map(|(_, place)| place);
        self.anchors.get(&(resource.to_owned(), anchor.to_owned())).or_else(|| all().min())
    }
}

/// Calls a function with every reference and the resource that it is in.
fn each_reference(value: &mut Value, resource: &str, found: &mut dyn FnMut(&mut String, &str)) {
    let own = own_resource(value, resource);
    let resource = own.as_deref().unwrap_or(resource);
    match value {
        Value::Object(members) => {
            for (name, value) in members.iter_mut() {
                match (name.as_str(), value) {
                    ("$ref" | "$dynamicRef", Value::String(reference)) => found(reference, resource),
                    (_, value) => each_reference(value, resource, found),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_reference(item, resource, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The absolute `$id` of a schema in a resource.
fn own_resource(schema: &Value, resource: &str) -> Option<String> {
    Some(absolute(schema.get("$id")?.as_str()?.trim_end_matches('#'), resource))
}

fn absolute(name: &str, base: &str) -> String {
    match Reference::parse(name, base) {
        Reference::Here(_) => base.to_owned(),
        Reference::File(name, _) | Reference::Network(name, _) => name,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_lead_to_their_places() {
        let mut tree = json!({
            "$self": "https://example.com/api",
            "components": {"schemas": {
                "Tree": {"$id": "https://example.com/tree", "$dynamicAnchor": "node", "properties": {
                    "next": {"$dynamicRef": "#node"},
                    "label": {"$ref": "https://example.com/tree#/$defs/Label"},
                    "id": {"$ref": "#identifier"},
                    "other": {"$ref": "https://example.com/api#/components/schemas/Tree"},
                    "elsewhere": {"$ref": "https://example.com/else#/x"},
                    "here": {"$ref": "#/components/schemas/Tree"},
                }, "$defs": {"Label": {"type": "string"}, "Id": {"$anchor": "identifier", "type": "integer"}}},
            }},
        });
        resolve(&mut tree, "api.yaml");
        let properties = &tree["components"]["schemas"]["Tree"]["properties"];
        let place = |name: &str| {
            let schema = &properties[name];
            schema.get("$ref").or(schema.get("$dynamicRef")).and_then(Value::as_str).unwrap_or_default()
        };
        assert_eq!(place("next"), "#/components/schemas/Tree");
        assert_eq!(place("label"), "#/components/schemas/Tree/$defs/Label");
        assert_eq!(place("id"), "#/components/schemas/Tree/$defs/Id");
        assert_eq!(place("other"), "#/components/schemas/Tree");
        assert_eq!(place("elsewhere"), "https://example.com/else#/x");
        assert_eq!(place("here"), "#/components/schemas/Tree");
    }

    #[test]
    fn names_below_an_id_are_relative_to_it() {
        let schema = |id: &str| {
            json!({"$id": id, "properties": {
                "own": {"$ref": "#name"},
                "below": {"$ref": "#/$defs/Name"},
                "whole": {"$ref": "#"},
                "sibling": {"$ref": "pet#name"},
                "inner": {"$ref": "inner/deep#/$defs/Name"},
                "file": {"$ref": "#/components/schemas/Other"},
                "elsewhere": {"$ref": "missing#/x"},
            }, "$defs": {"Name": {"$anchor": "name"}, "Inner": {"$id": "inner/deep", "$defs": {"Name": {"$ref": "../pet"}}}}})
        };
        let mut tree = json!({"components": {"schemas": {
            "Owner": schema("https://example.com/owner"),
            "Pet": schema("https://example.com/pet"),
            "Other": {"$ref": "https://example.com/owner#name"},
        }}});
        resolve(&mut tree, "api.yaml");
        let schemas = &tree["components"]["schemas"];
        for name in ["Owner", "Pet"] {
            let place = |member: &str| schemas[name]["properties"][member]["$ref"].as_str().unwrap_or_default();
            assert_eq!(place("own"), format!("#/components/schemas/{name}/$defs/Name"));
            assert_eq!(place("below"), format!("#/components/schemas/{name}/$defs/Name"));
            assert_eq!(place("whole"), format!("#/components/schemas/{name}"));
            assert_eq!(place("sibling"), "#/components/schemas/Pet/$defs/Name");
            assert_eq!(place("inner"), "#/components/schemas/Owner/$defs/Inner/$defs/Name");
            assert_eq!(place("file"), "#/components/schemas/Other");
            assert_eq!(place("elsewhere"), "missing#/x");
        }
        assert_eq!(schemas["Owner"]["$defs"]["Inner"]["$defs"]["Name"]["$ref"], "#/components/schemas/Pet");
        assert_eq!(schemas["Other"]["$ref"], "#/components/schemas/Owner/$defs/Name");
    }
}
