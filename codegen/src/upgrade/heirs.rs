//! Finds schemas that extend a discriminated base by `allOf`; they are kept although nothing refers to them.

use serde_json::Value;

use crate::load::Reference;
use crate::location;

/// The siblings of the schema at `pointer` that contain it by `allOf`, directly or indirectly.
pub(super) fn heirs(content: &Value, file: &str, pointer: &str) -> Vec<String> {
    let is_base = content.pointer(pointer).is_some_and(|base| base.get("discriminator").is_some());
    let siblings =
        pointer.rsplit_once('/').and_then(|(parent, _)| Some((parent, content.pointer(parent)?.as_object()?)));
    let Some((parent, siblings)) = siblings.filter(|_| is_base) else { return Vec::new() };
    let mut line = vec![pointer.to_owned()];
    let mut next = 0;
    while let Some(parent_of) = line.get(next).cloned() {
        for (name, schema) in siblings {
            let heir = location::joined(parent, &[name]);
            if !line.contains(&heir) && contains(schema, file, &parent_of) {
                line.push(heir);
            }
        }
        next += 1;
    }
    line.split_off(1)
}

/// Whether the schema contains the one at `pointer` of the same file.
fn contains(schema: &Value, file: &str, pointer: &str) -> bool {
    let parts = schema.get("allOf").and_then(Value::as_array);
    parts.into_iter().flatten().filter_map(|part| part.get("$ref")?.as_str()).any(|reference| {
        matches!(Reference::parse(reference, file), Reference::Here(fragment) if location::decoded(&fragment) == pointer)
    })
}
