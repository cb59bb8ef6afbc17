//! Lists as parameters.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::nested::{inner, outer};
use super::{Field, FromParameter, Raw, Shape, ToParameter};
use crate::violation::{Notes, Step};

impl<T: FromParameter> FromParameter for Vec<T> {
    const SHAPE: Shape = Shape::Array;

    fn from_parameter(raw: Raw<'_>, at: &mut Notes) -> Option<Self> {
        let raws = match raw {
            // A recursive list type would wrap the text in lists without end.
            Raw::Text(_) if at.is_in_lists() => {
                at.note("type", "is a text, not a list");
                return None;
            }
            Raw::Text(text) => vec![Raw::Text(text)],
            Raw::List(texts) => texts.into_iter().map(Raw::Text).collect(),
            Raw::Fields(fields) => numbered(fields, at)?,
        };
        let mut items = Self::with_capacity(raws.len());
        let mut refused = false;
        for (index, raw) in raws.into_iter().enumerate() {
            at.enter(Step::Item(index));
            match T::from_parameter(raw, at) {
                Some(item) => items.push(item),
                None => refused = true,
            }
            at.leave();
        }
        (!refused).then_some(items)
    }
}

impl<T: ToParameter> ToParameter for Vec<T> {
    fn to_parameter(&self) -> Raw<'_> {
        list(self.iter().map(T::to_parameter).collect())
    }
}

/// A list of texts; if an item is an object, members with the item's index in front: `0[name]`.
pub(super) fn list(items: Vec<Raw<'_>>) -> Raw<'_> {
    let is_numbered = items.iter().any(|item| matches!(item, Raw::Fields(members) if !members.is_empty()));
    if !is_numbered {
        return Raw::List(items.into_iter().flat_map(texts).collect());
    }
    let mut fields = Vec::new();
    for (index, item) in items.into_iter().enumerate() {
        let index = index.to_string();
        match item {
            Raw::Text(text) => fields.push(Field::new(index, text)),
            Raw::List(list) => fields.extend(list.into_iter().map(|text| Field::new(outer(&index, ""), text))),
            Raw::Fields(members) => {
                let numbered =
                    members.into_iter().map(|member| Field { name: outer(&index, &member.name).into(), ..member });
                fields.extend(numbered);
            }
        }
    }
    Raw::Fields(fields)
}

/// The texts of an item that are not members.
fn texts(item: Raw<'_>) -> Vec<Cow<'_, str>> {
    match item {
        Raw::Text(text) => vec![text],
        Raw::List(list) => list,
        Raw::Fields(_) => Vec::new(),
    }
}

/// The items of `0=a`, `1[name]=b`, sorted by number; `=c` comes last.
fn numbered<'a>(fields: Vec<Field<'a>>, at: &mut Notes) -> Option<Vec<Raw<'a>>> {
    let mut items: BTreeMap<u32, Raw<'a>> = BTreeMap::new();
    for Field { name, text, is_item } in fields {
        let (index, member) = match inner(&name) {
            Some((index, member)) => (index, Some(member)),
            None => (name.as_ref(), None),
        };
        let next = || items.last_key_value().map_or(0, |(last, _)| last.saturating_add(1));
        let Ok(index) = (if index.is_empty() { Ok(next()) } else { index.parse() }) else {
            at.note("type", "has members, but is a list");
            return None;
        };
        match (items.get_mut(&index), member) {
            (None, None) => drop(items.insert(index, Raw::Text(text))),
            (None, Some(member)) => {
                items.insert(index, Raw::Fields(vec![Field { is_item, ..Field::new(member, text) }]));
            }
            (Some(Raw::Fields(fields)), Some(member)) => fields.push(Field { is_item, ..Field::new(member, text) }),
            (Some(_), _) => {
                at.enter(Step::Item(usize::try_from(index).unwrap_or(usize::MAX)));
                at.note("duplicate", "is given 2 times");
                at.leave();
                return None;
            }
        }
    }
    Some(items.into_values().collect())
}
