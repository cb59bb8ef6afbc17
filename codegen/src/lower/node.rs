//! A node of the tree with its place: the typed view through which schemas are read.
//!
//! Schemas are read from the tree and not from `openapiv3::Schema`, whose untagged variants lose what stands beside a
//! `$ref`, `null` among the values of an enum, discriminators and extensions, and refuse what can be repaired.

use serde_json::{Map, Value};

use crate::location::Location;

/// Comparing so many names takes less than hashing one.
const FEW: usize = 16;

/// A node of the tree and where it stands.
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

    /// The value of the member of that name, for those who do not ask where it stands.
    pub(crate) fn member(&self, name: &str) -> Option<&'a Value> {
        member(self.object()?, name)
    }

    /// The member of that name.
    pub(crate) fn get(&self, name: &str) -> Option<Self> {
        Some(Self { value: self.member(name)?, location: self.location.member(name) })
    }

    /// There is a member of that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.member(name).is_some()
    }

    /// The member is `true`.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.member(name) == Some(&Value::Bool(true))
    }

    /// The member is a string.
    pub(crate) fn text(&self, name: &str) -> Option<&'a str> {
        self.member(name)?.as_str()
    }

    /// The member is a whole number that is not negative.
    pub(crate) fn count(&self, name: &str) -> Option<u64> {
        let value = self.member(name)?;
        value.as_u64().or_else(|| {
            let number = value.as_f64()?;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked on the line itself")]
            (number.fract() == 0.0 && (0.0..9e15).contains(&number)).then_some(number as u64)
        })
    }

    /// The items of the array of that name; none when there is no such array.
    pub(crate) fn items(&self, name: &str) -> Vec<Self> {
        let Some(node) = self.get(name) else { return Vec::new() };
        let Some(items) = node.value.as_array() else { return Vec::new() };
        items.iter().enumerate().map(|(index, value)| Self { value, location: node.location.item(index) }).collect()
    }

    /// The values of the array of that name; none when there is no such array.
    pub(crate) fn values(&self, name: &str) -> &'a [Value] {
        self.member(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The members of the object of that name, in order; none when there is no such object.
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

    /// The strings of the array of that name.
    pub(crate) fn texts(&self, name: &str) -> Vec<&'a str> {
        let items = self.member(name).and_then(Value::as_array);
        items.into_iter().flatten().filter_map(Value::as_str).collect()
    }
}

/// The member of that name, unless nothing shall be made of it.
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

/// `x-unchecked: [pattern]`: keywords that callers are told of, and that the service checks itself, in its own words.
fn unchecked(object: &Map<String, Value>) -> &[Value] {
    find(object, "x-unchecked").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
