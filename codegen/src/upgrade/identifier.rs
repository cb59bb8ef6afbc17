//! `$id`, `$anchor` and `$self`: other names for locations, which references may use.

use foldhash::HashMap;
use serde_json::Value;

use crate::location;

/// Replaces every reference by such a name with a pointer. Names are unique in a file.
pub(super) fn resolve(tree: &mut Value) {
    let mut places = places(tree);
    if let Some(own) = tree.get("$self").and_then(Value::as_str) {
        places.insert(own.trim_end_matches('#').to_owned(), String::new());
    }
    if !places.is_empty() {
        replace(tree, &|reference| resolved(reference, &places));
    }
}

/// The locations by `#anchor` and by `$id`.
pub(super) fn places(tree: &Value) -> HashMap<String, String> {
    let mut places = HashMap::default();
    find(tree, "", &mut places);
    places
}

fn find(value: &Value, pointer: &str, places: &mut HashMap<String, String>) {
    let member = |name: &str| {
        let mut inner = pointer.to_owned();
        location::push(&mut inner, name);
        inner
    };
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match (name.as_str(), value) {
                    ("$id", Value::String(id)) => {
                        places.entry(id.trim_end_matches('#').to_owned()).or_insert_with(|| pointer.to_owned());
                    }
                    ("$anchor" | "$dynamicAnchor", Value::String(anchor)) => {
                        places.entry(format!("#{anchor}")).or_insert_with(|| pointer.to_owned());
                    }
                    // These hold values, not schemas.
                    ("example" | "examples" | "default" | "const" | "enum", _) => {}
                    _ => find(value, &member(name), places),
                }
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                find(value, &member(&index.to_string()), places);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Replaces references by `resolved`.
pub(super) fn replace(value: &mut Value, resolved: &dyn Fn(&str) -> Option<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members.iter_mut() {
                match (name.as_str(), value) {
                    ("$ref" | "$dynamicRef", Value::String(reference)) => {
                        if let Some(resolved) = resolved(reference) {
                            *reference = resolved;
                        }
                    }
                    (_, value) => replace(value, resolved),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, resolved)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn resolved(reference: &str, places: &HashMap<String, String>) -> Option<String> {
    let (name, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let anchor = (!fragment.is_empty() && !fragment.starts_with('/')).then(|| places.get(&format!("#{fragment}")));
    if let Some(Some(place)) = anchor
        && (name.is_empty() || places.contains_key(name))
    {
        return Some(format!("#{}", place.replace('%', "%25")));
    }
    let place = places.get(name).filter(|_| !name.is_empty())?;
    Some(format!("#{}{fragment}", place.replace('%', "%25")))
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
        resolve(&mut tree);
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
}
