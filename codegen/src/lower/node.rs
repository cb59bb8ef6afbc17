//! A node of the tree with its location: the typed view through which schemas are read.
//!
//! Schemas are read from the tree instead of `openapiv3::Schema`, whose untagged variants lose siblings of
//! `$ref`, `null` in enums, discriminators and extensions, and refuse repairable schemas.

use serde_json::{Map, Value};

use crate::location::Location;

/// Comparing this many names is faster than hashing one.
const FEW: usize = 16;

/// A node of the tree with its location.
#[derive(Clone, Debug)]
pub(crate) struct Node<'a> {
    pub(crate) value: &'a Value,
    pub(crate) location: Location,
}

impl<'a> Node<'a> {
    pub(crate) fn new(value: &'a Value, location: Location) -> Self {
        Self { value, location }
    }

    /// The node as an object.
    pub(crate) fn object(&self) -> Option<&'a Map<String, Value>> {
        self.value.as_object()
    }

    /// The value of a member, without its location.
    pub(crate) fn member(&self, name: &str) -> Option<&'a Value> {
        member(self.object()?, name)
    }

    /// The member with this name.
    pub(crate) fn get(&self, name: &str) -> Option<Self> {
        Some(Self { value: self.member(name)?, location: self.location.member(name) })
    }

    /// Whether there is a member with this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.member(name).is_some()
    }

    /// Whether the member is `true`.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.member(name) == Some(&Value::Bool(true))
    }

    /// The member, if it is a string.
    pub(crate) fn text(&self, name: &str) -> Option<&'a str> {
        self.member(name)?.as_str()
    }

    /// The member, if it is a non-negative integer.
    pub(crate) fn count(&self, name: &str) -> Option<u64> {
        let value = self.member(name)?;
        value.as_u64().or_else(|| {
            let number = value.as_f64()?;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked on the line itself")]
            (number.fract() == 0.0 && (0.0..9e15).contains(&number)).then_some(number as u64)
        })
    }

    /// The items of the array with this name; empty if there is none.
    pub(crate) fn items(&self, name: &str) -> Vec<Self> {
        let Some(node) = self.get(name) else { return Vec::new() };
        let Some(items) = node.value.as_array() else { return Vec::new() };
        items.iter().enumerate().map(|(index, value)| Self { value, location: node.location.item(index) }).collect()
    }

    /// The values of the array with this name; empty if there is none.
    pub(crate) fn values(&self, name: &str) -> &'a [Value] {
        self.member(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The members of the object with this name, in order; empty if there is none.
    pub(crate) fn members(&self, name: &str) -> Vec<(&'a str, Self)> {
        self.get(name).map(|node| node.own_members()).unwrap_or_default()
    }

    /// The members of the node itself, in order.
    pub(crate) fn own_members(&self) -> Vec<(&'a str, Self)> {
        let Some(object) = self.object() else { return Vec::new() };
        let unchecked = unchecked(object);
        object
            .iter()
            .filter(|(name, _)| !unchecked.iter().any(|keyword| keyword == name.as_str()))
            .map(|(name, value)| (name.as_str(), Self { value, location: self.location.member(name) }))
            .collect()
    }

    /// The strings in the array with this name.
    pub(crate) fn texts(&self, name: &str) -> Vec<&'a str> {
        let items = self.member(name).and_then(Value::as_array);
        items.into_iter().flatten().filter_map(Value::as_str).collect()
    }
}

/// The member, unless `x-unchecked` lists it.
pub(super) fn member<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    let value = find(object, name)?;
    (!unchecked(object).iter().any(|keyword| keyword == name)).then_some(value)
}

fn find<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    if object.len() > FEW {
        return object.get(name);
    }
    object.iter().find(|(member, _)| *member == name).map(|(_, value)| value)
}

/// `x-unchecked: [pattern]`: keywords that are documented for callers, but that the service checks itself
/// with its own messages.
fn unchecked(object: &Map<String, Value>) -> &[Value] {
    find(object, "x-unchecked").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
