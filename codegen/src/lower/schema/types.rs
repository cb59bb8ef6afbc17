//! `type`, and the types implied by other keywords.

use super::all_of::Schema;
use super::{condition, format, pattern};
use crate::lower::node::Node;

/// The types of JSON, as `type` spells them.
pub(crate) const STRING: &str = "string";
pub(crate) const NUMBER: &str = "number";
pub(crate) const INTEGER: &str = "integer";
pub(crate) const BOOLEAN: &str = "boolean";
pub(crate) const ARRAY: &str = "array";
pub(crate) const OBJECT: &str = "object";

/// The types allowed by all parts, except `null`; without `type`, those implied by other keywords.
pub(crate) fn types(schema: &Schema<'_>) -> Vec<&'static str> {
    if let Some(only) = schema.only {
        return vec![only];
    }
    let mut left: Option<Vec<&'static str>> = None;
    for part in &schema.parts {
        let Some(said) = said_types(part) else { continue };
        left = Some(match left {
            None => said,
            Some(before) => both(&before, &said),
        });
    }
    left.unwrap_or_else(|| {
        let implied = schema.parts.iter().find_map(implied_type);
        let is_of_both = matches!(implied, Some(STRING | INTEGER | NUMBER));
        match number_in_a_text(schema).filter(|_| is_of_both) {
            Some(number) => vec![number, STRING],
            None => implied.into_iter().collect(),
        }
    })
}

/// Numbers as .NET describes them: `{ pattern: '^-?[0-9]+$', format: int32 }`. Both 5 and "5" are valid.
fn number_in_a_text(schema: &Schema<'_>) -> Option<&'static str> {
    let format = schema.keyword("format")?.value.as_str()?;
    let number = [INTEGER, NUMBER].into_iter().find(|ty| format::ty(ty, format).is_some())?;
    let pattern = schema.keyword("pattern")?;
    (pattern::matches(pattern.value.as_str()?, "1") == Some(true)).then_some(number)
}

impl Schema<'_> {
    /// Whether two parts require different types.
    pub(crate) fn contradicts_itself(&self) -> bool {
        types(self).is_empty() && self.parts.iter().any(|node| said_types(node).is_some())
    }
}

fn both(left: &[&'static str], right: &[&'static str]) -> Vec<&'static str> {
    let allows = |types: &[&'static str], ty: &str| types.contains(&ty) || (ty == INTEGER && types.contains(&NUMBER));
    let mut types: Vec<_> = left.iter().copied().filter(|ty| allows(right, ty)).collect();
    types.extend(right.iter().copied().filter(|ty| !types.contains(ty) && allows(left, ty)).collect::<Vec<_>>());
    types
}

/// The types listed by `type`, except `null`.
fn said_types(node: &Node<'_>) -> Option<Vec<&'static str>> {
    let names = match node.member("type")? {
        serde_json::Value::String(name) => vec![name.as_str()],
        serde_json::Value::Array(names) => names.iter().filter_map(serde_json::Value::as_str).collect(),
        _ => return None,
    };
    let types: Vec<_> = names.into_iter().filter_map(known_type).collect();
    (!types.is_empty()).then_some(types)
}

fn known_type(name: &str) -> Option<&'static str> {
    match name {
        "string" | "file" => Some(STRING),
        "number" => Some(NUMBER),
        "integer" => Some(INTEGER),
        "boolean" => Some(BOOLEAN),
        "array" => Some(ARRAY),
        "object" => Some(OBJECT),
        _ => None,
    }
}

fn implied_type(node: &Node<'_>) -> Option<&'static str> {
    let object = node.object()?;
    // `properties` implies an object, whatever else is there.
    if object.contains_key("properties") {
        return Some(OBJECT);
    }
    object.keys().find_map(|keyword| match keyword.as_str() {
        "additionalProperties"
        | "required"
        | "patternProperties"
        | "minProperties"
        | "maxProperties"
        | "propertyNames"
        | "dependentRequired" => Some(OBJECT),
        "not" | "oneOf" | "anyOf" if condition::conditions_of(node, keyword).is_some() => Some(OBJECT),
        "items" | "prefixItems" | "minItems" | "maxItems" => Some(ARRAY),
        // Some tools write `uniqueItems: false` everywhere.
        "uniqueItems" if node.flag(keyword) => Some(ARRAY),
        "pattern" | "minLength" | "maxLength" => Some(STRING),
        "minimum" | "maximum" | "multipleOf" | "exclusiveMinimum" | "exclusiveMaximum" => Some(NUMBER),
        "format" => format::implied(object[keyword].as_str()?),
        _ => None,
    })
}

/// Whether the node itself allows `null`. With `type: [string, "null"]` and an enum without `null`, the enum
/// wins; with `nullable: true`, `null` is allowed, as authors meant before OpenAPI 3.0.3.
pub(super) fn says_null(node: &Node<'_>) -> bool {
    if node.flag("nullable") {
        return true;
    }
    let listed = node.values("enum");
    match node.member("const") {
        Some(only) => only.is_null() && (listed.is_empty() || listed.contains(only)),
        None if listed.is_empty() => names_null(node),
        None => listed.iter().any(serde_json::Value::is_null),
    }
}

/// Whether `null` is among the types.
pub(crate) fn names_null(node: &Node<'_>) -> bool {
    let null = |value: &serde_json::Value| value.as_str() == Some("null");
    node.member("type").is_some_and(null) || node.values("type").iter().any(null)
}
