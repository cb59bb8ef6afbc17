//! `spec/openapi.yaml` as plain data.

use serde_json::Value;

/// The whole description.
///
/// # Panics
///
/// If it is not valid YAML.
pub fn load() -> Value {
    serde_yaml::from_str(include_str!("../../spec/openapi.yaml")).expect("the description is YAML")
}

/// The pointer of a Reference Object, without its `#`.
pub fn reference(node: &Value) -> Option<&str> {
    node.get("$ref")?.as_str()?.strip_prefix('#')
}

/// The node that a reference points at.
///
/// # Panics
///
/// When it points at nothing.
pub fn resolve<'a>(document: &'a Value, pointer: &str) -> &'a Value {
    document.pointer(pointer).unwrap_or_else(|| panic!("`#{pointer}` leads nowhere"))
}
