//! Structs as parameters.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{FromParameter, Raw, ToParameter};
use crate::runtime::json::{Entries, Maybe, Member, Members};
use crate::runtime::text;
use crate::runtime::violation::{Notes, Step};

impl Notes {
    /// Reads the members of an object. `on_member` is given the name of each as the description spells it, or `""` for
    /// one that is not described, and its texts. Missing members are noted here.
    pub fn object(
        &mut self,
        raw: Raw<'_>,
        members: &Members,
        on_member: &mut dyn FnMut(&mut Self, &'static str, Raw<'_>),
    ) -> Option<()> {
        let Raw::Fields(fields) = raw else {
            self.note("type", "is not an object");
            return None;
        };
        let groups = group(fields, members);
        let seen: Vec<usize> = groups.iter().filter_map(|group| group.index).collect();
        self.enter(Step::Member(""));
        for Group { index, name, mut texts } in groups {
            let raw = match texts.pop() {
                Some(text) if texts.is_empty() => Raw::Text(text),
                last => {
                    texts.extend(last);
                    Raw::List(texts)
                }
            };
            if let Some(index) = index {
                let name = members.names()[index];
                self.stand_at(Step::Member(name));
                on_member(self, name, raw);
            } else {
                self.names = members.names();
                self.stand_at(Step::Key(name.into_owned()));
                on_member(self, "", raw);
            }
        }
        let mut complete = true;
        for name in members.required() {
            if members.find(name, 0).is_none_or(|index| !seen.contains(&index)) {
                complete = false;
                self.stand_at(Step::Member(name));
                self.note("required", "is missing");
            }
        }
        self.leave();
        complete.then_some(())
    }

    /// Passes over a member that is not described.
    pub fn ignore(&mut self, raw: Raw<'_>) {
        drop(raw);
    }

    /// Notes that the member is not described.
    pub fn refuse_field(&mut self, raw: Raw<'_>) {
        drop(raw);
        let name = self.key().unwrap_or_default().to_owned();
        self.refuse(name);
    }
}

impl<T: FromParameter> Member<T> {
    /// Reads the texts of a member.
    pub fn read_parameter(&mut self, raw: Raw<'_>, at: &mut Notes) {
        *self = Self::of(T::from_parameter(raw, at));
    }
}

impl Member<()> {
    /// Reads a text that must be `constant`.
    pub fn read_parameter_constant(&mut self, raw: Raw<'_>, at: &mut Notes, constant: &'static str) {
        let text = String::from_parameter(raw, at);
        *self = Self::of(text.and_then(|text| super::accept(text::choice(&text, &[(constant, ())]), at)));
    }
}

impl<T: FromParameter> Entries<T> {
    /// Reads the texts of a member that is not named.
    pub fn read_parameter_entry(&mut self, raw: Raw<'_>, at: &mut Notes) {
        let value = T::from_parameter(raw, at);
        let name = at.key().unwrap_or_default().to_owned();
        self.add(name, value);
    }
}

/// The texts of one member.
struct Group<'a> {
    index: Option<usize>,
    name: Cow<'a, str>,
    texts: Vec<Cow<'a, str>>,
}

/// Brings together the texts of each member, in the order of their first ones.
fn group<'a>(fields: Vec<(Cow<'a, str>, Cow<'a, str>)>, members: &Members) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut described = BTreeMap::new();
    let mut others = BTreeMap::new();
    for (name, text) in fields {
        let index = members.find(&name, 0);
        let place = match index {
            Some(index) => *described.entry(index).or_insert(groups.len()),
            None => *others.entry(name.clone()).or_insert(groups.len()),
        };
        match groups.get_mut(place) {
            Some(group) => group.texts.push(text),
            None => groups.push(Group { index, name, texts: vec![text] }),
        }
    }
    groups
}

/// The named texts of a struct, while they are written.
#[derive(Debug, Default)]
pub struct Fields<'a> {
    fields: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

impl<'a> Fields<'a> {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a member.
    pub fn required<T: ToParameter + ?Sized>(&mut self, name: &'a str, value: &'a T) {
        match value.to_parameter() {
            Raw::Text(text) => self.fields.push((Cow::Borrowed(name), text)),
            Raw::List(texts) => self.fields.extend(texts.into_iter().map(|text| (Cow::Borrowed(name), text))),
            // An object inside an object has no form in any style.
            Raw::Fields(fields) => self
                .fields
                .extend(fields.into_iter().map(|(member, text)| (Cow::Owned(format!("{name}.{member}")), text))),
        }
    }

    /// Adds a member that is left out when there is no value.
    pub fn optional<T: ToParameter>(&mut self, name: &'a str, value: &'a Option<T>) {
        if let Some(value) = value {
            self.required(name, value);
        }
    }

    /// Adds a member; `null` has no form in parameters and is left out.
    pub fn maybe<T: ToParameter>(&mut self, name: &'a str, value: &'a Maybe<T>) {
        if let Maybe::Value(value) = value {
            self.required(name, value);
        }
    }

    /// Adds the members that the description does not name.
    pub fn entries<T: ToParameter>(&mut self, entries: &'a BTreeMap<String, T>) {
        for (name, value) in entries {
            self.required(name, value);
        }
    }

    /// The texts.
    pub fn into_raw(self) -> Raw<'a> {
        Raw::Fields(self.fields)
    }
}
