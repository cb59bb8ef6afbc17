//! Lists as parameters.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::nested::{inner, outer};
use super::{FromParameter, Raw, Shape, ToParameter};
use crate::runtime::violation::{Notes, Step};

impl<T: FromParameter> FromParameter for Vec<T> {
    const SHAPE: Shape = Shape::Array;

    fn from_parameter(raw: Raw<'_>, at: &mut Notes) -> Option<Self> {
        let raws = match raw {
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
    /// A list of texts; or, of objects, members with the index of their object in front: `0[name]`.
    fn to_parameter(&self) -> Raw<'_> {
        let mut texts = Vec::new();
        let mut fields = Vec::new();
        for (index, item) in self.iter().enumerate() {
            match item.to_parameter() {
                Raw::Text(text) => texts.push(text),
                Raw::List(list) => texts.extend(list),
                Raw::Fields(members) => fields.extend(
                    members.into_iter().map(|(name, text)| (Cow::Owned(outer(&index.to_string(), &name)), text)),
                ),
            }
        }
        if fields.is_empty() { Raw::List(texts) } else { Raw::Fields(fields) }
    }
}

/// The items of `0=a`, `1[name]=b`, in the order of their numbers; `=c` comes last.
fn numbered<'a>(fields: Vec<(Cow<'a, str>, Cow<'a, str>)>, at: &mut Notes) -> Option<Vec<Raw<'a>>> {
    let mut items: BTreeMap<u32, Raw<'a>> = BTreeMap::new();
    for (name, text) in fields {
        let (index, member) = match inner(&name) {
            Some((index, member)) => (index, Some(member)),
            None => (name.as_ref(), None),
        };
        let next = || items.last_key_value().map_or(0, |(last, _)| last.saturating_add(1));
        let Ok(index) = (if index.is_empty() { Ok(next()) } else { index.parse() }) else {
            at.note("type", "has members, but is a list");
            return None;
        };
        match (items.entry(index).or_insert_with(|| Raw::Fields(Vec::new())), member) {
            (Raw::Fields(fields), Some(member)) => fields.push((Cow::Owned(member), text)),
            (item, _) => *item = Raw::Text(text),
        }
    }
    Some(items.into_values().collect())
}
