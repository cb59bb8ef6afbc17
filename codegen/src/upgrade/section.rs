//! A section of `components`, or `paths`, that is a reference to another file: `schemas: { $ref:
//! ./schemas.yaml }`.
//!
//! The specification allows no Reference Object there, but the meaning is obvious, and large descriptions use
//! it.

use serde_json::{Map, Value, json};

use crate::diagnostic::{Code, Diagnostics};
use crate::files::Files;
use crate::load::{self, Reference};
use crate::location::{self, Location};

/// Replaces such a reference by one for each member of its target.
pub(super) fn expand(files: &dyn Files, entry: &str, tree: &mut Value, diagnostics: &mut Diagnostics) {
    let root = Location::root(entry);
    if let Some(paths) = tree.get_mut("paths") {
        section(files, entry, paths, &root.member("paths"), diagnostics);
    }
    if let Some(Value::Object(components)) = tree.get_mut("components") {
        let components_location = root.member("components");
        for (name, value) in components {
            section(files, entry, value, &components_location.member(name), diagnostics);
        }
    }
}

fn section(files: &dyn Files, entry: &str, value: &mut Value, location: &Location, diagnostics: &mut Diagnostics) {
    let Some(text) =
        value.get("$ref").and_then(Value::as_str).filter(|_| value.as_object().is_some_and(|all| all.len() == 1))
    else {
        return;
    };
    let (file, fragment) = match Reference::parse(text, entry) {
        Reference::File(file, fragment) => (file, fragment),
        Reference::Network(url, fragment) if files.read(&url).is_ok() => (url, fragment),
        Reference::Here(_) | Reference::Network(..) => return,
    };
    let place = location.member("$ref");
    let Some(content) = load::load(files, &file, Some(&place), diagnostics) else { return };
    let Some(Value::Object(members)) = content.pointer(&location::decoded(&fragment)) else { return };
    let base = if text.contains('#') { text.to_owned() } else { format!("{text}#") };
    let references = members.keys().map(|name| {
        let mut pointer = String::new();
        location::push(&mut pointer, name);
        (name.clone(), json!({"$ref": format!("{base}{}", pointer.replace('%', "%25"))}))
    });
    *value = Value::Object(references.collect::<Map<_, _>>());
    diagnostics.report(Code::Repaired, &place, "a reference is not allowed here; it is read as one to each member");
}
