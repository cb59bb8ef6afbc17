//! Reading parameters together with their rules.

use super::object::{check_entry, check_members};
use super::{Check, Checked, Rule, read_checked};
use crate::json::{Entries, Members, Read};
use crate::parameter::{Boxed, FromParameter, Json, Member, Raw, Slot};
use crate::text::{FromText, Refusal};
use crate::violation::{Location, Notes};

impl Notes {
    /// Reads and checks a parameter that has to be there.
    pub fn required_checked<T: FromParameter + Check>(
        &mut self,
        location: Location,
        raw: Result<Option<Raw<'_>>, Refusal>,
        rules: &[Rule<'_>],
    ) -> Option<T> {
        let value: T = self.required_parameter(location, raw)?;
        value.check(rules, self).then_some(value)
    }

    /// Reads and checks a parameter that may be left out.
    pub fn optional_checked<T: FromParameter + Check>(
        &mut self,
        location: Location,
        raw: Result<Option<Raw<'_>>, Refusal>,
        rules: &[Rule<'_>],
    ) -> Option<Option<T>> {
        let value: Option<T> = self.optional_parameter(location, raw)?;
        value.check(rules, self).then_some(value)
    }

    /// Reads and checks a parameter that has to be there and is JSON.
    pub fn required_json_checked<T: Read + Check>(
        &mut self,
        location: Location,
        raw: Result<Option<Raw<'_>>, Refusal>,
        rules: &[Rule<'_>],
    ) -> Option<T> {
        let raw = self.required_raw(location, raw)?;
        self.json(location, &raw, |json| read_checked(json, rules))
    }

    /// Reads and checks a parameter that may be left out and is JSON.
    pub fn optional_json_checked<T: Read + Check>(
        &mut self,
        location: Location,
        raw: Result<Option<Raw<'_>>, Refusal>,
        rules: &[Rule<'_>],
    ) -> Option<Option<T>> {
        match self.raw(location, raw)? {
            Some(raw) => self.json(location, &raw, |json| read_checked(json, rules)).map(Some),
            None => Some(None),
        }
    }

    /// Reads an object as [`Notes::members`] does, and checks how many members it has and which go together.
    pub fn members_checked(
        &mut self,
        rules: &[Rule<'_>],
        raw: Raw<'_>,
        members: &Members,
        slots: &mut [&mut dyn Slot],
        others: &mut dyn Slot,
    ) -> Option<()> {
        let (size, seen) = self.slots(raw, members, slots, others)?;
        let has = |name: &str| members.find(name, 0).is_some_and(|index| seen.contains(index));
        check_members(size, &has, rules, self).then_some(())
    }

    /// Reads and checks a value that stands among others in a parameter.
    pub fn parameter_checked<T: FromParameter + Check>(&mut self, raw: Raw<'_>, rules: &[Rule<'_>]) -> Option<T> {
        T::from_parameter(raw, self).filter(|value| value.check(rules, self))
    }

    /// Reads and checks a value from a text that is JSON.
    pub fn json_text_checked<T: Read + Check>(&mut self, raw: &Raw<'_>, rules: &[Rule<'_>]) -> Option<T> {
        self.json_text_with(raw, |json| read_checked(json, rules))
    }
}

/// Reads and checks one text.
pub fn text_checked<T: FromText + Check>(text: &str, rules: &[Rule<'_>]) -> Result<T, Refusal> {
    let value = T::from_text(text)?;
    let mut notes = Notes::new(Location::Body);
    if value.check(rules, &mut notes) {
        return Ok(value);
    }
    let first = notes.into_violations().into_iter().next();
    Err(first.map_or_else(
        || Refusal::new("type", text, "a value that is allowed"),
        |violation| Refusal { code: violation.code, detail: violation.detail },
    ))
}

impl<T: FromParameter + Check> Slot for Checked<'_, Member<T>> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        *self.0 = Member::of(at.parameter_checked(raw, self.1));
    }
}

impl<T: FromParameter + Check> Slot for Checked<'_, Boxed<'_, T>> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        *self.0.0 = Member::of(at.parameter_checked(raw, self.1).map(Box::new));
    }
}

impl<T: Read + Check> Slot for Checked<'_, Json<'_, Member<T>>> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        *self.0.0 = Member::of(at.json_text_checked(&raw, self.1));
    }
}

impl<T: FromParameter + Check> Slot for Checked<'_, Entries<T>> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        let value = T::from_parameter(raw, at);
        self.0.add_checked(value, at, self.1);
    }
}

impl<T: Read + Check> Slot for Checked<'_, Json<'_, Entries<T>>> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        let value = at.json_text(&raw);
        self.0.0.add_checked(value, at, self.1);
    }
}

impl<T: Check> Entries<T> {
    /// The rules are those of a map.
    fn add_checked(&mut self, value: Option<T>, at: &mut Notes, rules: &[Rule<'_>]) {
        let name = at.key().unwrap_or_default().to_owned();
        let value = value.filter(|value| check_entry(&name, value, rules, at));
        self.add(name, value);
    }
}
