//! Reading structs from named texts.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::nested::{inner, inside, outer};
use super::{Field, Raw, Slot};
use crate::json::{Members, Seen, Value, from_slice};
use crate::violation::{Notes, Step};

/// Maximum nesting depth of objects; each level is a pair of brackets in the name.
const DEPTH: usize = 32;

impl Notes {
    /// Reads an object: the texts of each member into the slot with the index of its name, all others into
    /// `others`. Missing members are noted.
    pub fn members(
        &mut self,
        raw: Raw<'_>,
        members: &Members,
        slots: &mut [&mut dyn Slot],
        others: &mut dyn Slot,
    ) -> Option<()> {
        self.slots(raw, members, false, slots, others).map(|_| ())
    }

    /// Reads an object. Returns the number of its members, and which described ones were seen. A strict
    /// reader also requires members that only requests must have.
    pub(crate) fn slots(
        &mut self,
        raw: Raw<'_>,
        members: &Members,
        is_strict: bool,
        slots: &mut [&mut dyn Slot],
        others: &mut dyn Slot,
    ) -> Option<(usize, Seen)> {
        let fields = match raw {
            Raw::Fields(fields) => Some(fields),
            // Objects in a form may be JSON, the default since OpenAPI 3.1.
            Raw::Text(text) => of_json(&text),
            Raw::List(_) => None,
        };
        let Some(fields) = fields else {
            self.note("type", "is not an object");
            return None;
        };
        if self.depth() >= DEPTH {
            self.note("depth", format!("is nested more than {DEPTH} levels deep"));
            return None;
        }
        let groups = group(fields, members);
        let size = groups.len();
        let mut seen = Seen::default();
        self.enter(Step::Member(""));
        for Group { index, name, raw } in groups {
            if let Some((index, slot)) = index.and_then(|index| slots.get_mut(index).map(|slot| (index, slot))) {
                seen.insert(index);
                self.stand_at(Step::Member(members.names()[index]));
                slot.read(raw, self);
            } else {
                self.names = members.names();
                self.stand_at(Step::Key(name.into_owned()));
                others.read(raw, self);
            }
        }
        let mut complete = true;
        let unmet = is_strict.then(|| members.unmet(&seen)).into_iter().flatten();
        for name in members.missing(&seen).chain(unmet) {
            complete = false;
            self.stand_at(Step::Member(name));
            self.note("required", "is missing");
        }
        self.leave();
        complete.then_some((size, seen))
    }
}

/// The named texts of an object written as JSON.
fn of_json(text: &str) -> Option<Vec<Field<'static>>> {
    let Ok(Value::Object(members)) = from_slice(text.as_bytes()) else { return None };
    let mut fields = Vec::new();
    for (name, value) in members {
        add_json(&mut fields, name, value, false);
    }
    Some(fields)
}

/// Adds a value; `null` has no representation in parameters and is omitted.
fn add_json(fields: &mut Vec<Field<'_>>, name: String, value: Value, is_item: bool) {
    let text = match value {
        Value::Null => return,
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text,
        Value::Array(items) => {
            for (index, item) in items.into_iter().enumerate() {
                let is_part = matches!(item, Value::Array(_) | Value::Object(_));
                let name = if is_part { outer(&name, &index.to_string()) } else { name.clone() };
                add_json(fields, name, item, true);
            }
            return;
        }
        Value::Object(members) => {
            for (member, value) in members {
                add_json(fields, outer(&name, &member), value, false);
            }
            return;
        }
    };
    fields.push(Field { is_item, ..Field::new(name, Cow::Owned(text)) });
}

/// The texts of one member.
struct Group<'a> {
    index: Option<usize>,
    name: Cow<'a, str>,
    raw: Raw<'a>,
}

/// Groups the texts by member, in the order of first appearance.
fn group<'a>(fields: Vec<Field<'a>>, members: &Members) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut described = BTreeMap::new();
    let mut others = BTreeMap::new();
    for Field { name, text, is_item } in fields {
        let Found { index, name, inner } = find(name, members);
        let place = match index {
            Some(index) => *described.entry(index).or_insert(groups.len()),
            None => *others.entry(name.clone()).or_insert(groups.len()),
        };
        if place == groups.len() {
            groups.push(Group { index, name, raw: Raw::List(Vec::new()) });
        }
        if let Some(group) = groups.get_mut(place) {
            group.add(inner, text, is_item);
        }
    }
    groups
}

/// The member that a name refers to.
struct Found<'a> {
    /// Its index, if it is described.
    index: Option<usize>,
    /// The name as sent.
    name: Cow<'a, str>,
    /// The part in brackets after the name.
    inner: Option<String>,
}

fn find<'a>(name: Cow<'a, str>, members: &Members) -> Found<'a> {
    if let Some(index) = members.find(&name, 0) {
        return Found { index: Some(index), name, inner: None };
    }
    // The longest name: that of a member may have brackets itself.
    let described = name.rmatch_indices('[').find_map(|(end, _)| {
        let (outer, rest) = name.split_at(end);
        Some((members.find(outer, 0)?, outer, inside(rest)?))
    });
    if let Some((index, outer, inner)) = described {
        return Found { index: Some(index), name: Cow::Owned(outer.to_owned()), inner: Some(inner) };
    }
    match inner(&name).filter(|_| members.is_nesting()) {
        Some((outer, inner)) => Found { index: None, name: Cow::Owned(outer.to_owned()), inner: Some(inner) },
        None => Found { index: None, name, inner: None },
    }
}

impl<'a> Group<'a> {
    fn add(&mut self, inner: Option<String>, text: Cow<'a, str>, is_item: bool) {
        let first = matches!(&self.raw, Raw::List(texts) if texts.is_empty());
        match (&mut self.raw, inner) {
            (Raw::Fields(fields), inner) => {
                fields.push(Field { is_item, ..Field::new(inner.unwrap_or_default(), text) });
            }
            (raw, Some(inner)) => {
                // Texts without brackets are items, too.
                let mut fields = match std::mem::replace(raw, Raw::List(Vec::new())) {
                    Raw::Text(other) => vec![Field::new("", other)],
                    Raw::List(texts) => texts.into_iter().map(|text| Field::new("", text)).collect(),
                    Raw::Fields(fields) => fields,
                };
                fields.push(Field { is_item, ..Field::new(inner, text) });
                self.raw = Raw::Fields(fields);
            }
            (_, None) if first && !is_item => self.raw = Raw::Text(text),
            (Raw::List(texts), None) => texts.push(text),
            (Raw::Text(other), None) => self.raw = Raw::List(vec![std::mem::take(other), text]),
        }
    }
}
