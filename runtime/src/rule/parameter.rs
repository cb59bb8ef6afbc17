//! Reading parameters together with their rules.

use super::object::{check_entry, check_members};
use super::{Check, Rule, read_checked};
use crate::json::{Entries, Member, Members, Read};
use crate::parameter::{FromParameter, Raw};
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

    /// Reads the members of an object as [`Notes::object`] does, and checks how many there are and which go together.
    pub fn object_checked(
        &mut self,
        raw: Raw<'_>,
        members: &Members,
        rules: &[Rule<'_>],
        on_member: &mut dyn FnMut(&mut Self, &'static str, Raw<'_>),
    ) -> Option<()> {
        let (size, seen) = self.counted_object(raw, members, on_member)?;
        let has = |name: &str| members.find(name, 0).is_some_and(|index| seen.contains(&index));
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

impl<T: Read + Check> Member<T> {
    /// Reads the text of a member, which is JSON, and checks the value.
    pub fn read_json_parameter_checked(&mut self, raw: &Raw<'_>, at: &mut Notes, rules: &[Rule<'_>]) {
        *self = Self::of(at.json_text_checked(raw, rules));
    }
}

impl<T: FromParameter + Check> Member<T> {
    /// Reads the texts of a member, and checks the value.
    pub fn read_parameter_checked(&mut self, raw: Raw<'_>, at: &mut Notes, rules: &[Rule<'_>]) {
        self.read_parameter(raw, at);
        if let Self::Value(value) = self
            && !value.check(rules, at)
        {
            *self = Self::Refused;
        }
    }
}

impl<T: FromParameter + Check> Entries<T> {
    /// Reads the texts of a member that is not named, and checks it: the rules are those of a map.
    pub fn read_parameter_entry_checked(&mut self, raw: Raw<'_>, at: &mut Notes, rules: &[Rule<'_>]) {
        let value = T::from_parameter(raw, at);
        self.add_checked(value, at, rules);
    }
}

impl<T: Read + Check> Entries<T> {
    /// Reads the text of a member that is not named, which is JSON, and checks it: the rules are those of a map.
    pub fn read_json_parameter_entry_checked(&mut self, raw: &Raw<'_>, at: &mut Notes, rules: &[Rule<'_>]) {
        let value = at.json_text_with(raw, T::read);
        self.add_checked(value, at, rules);
    }
}

impl<T: Check> Entries<T> {
    fn add_checked(&mut self, value: Option<T>, at: &mut Notes, rules: &[Rule<'_>]) {
        let name = at.key().unwrap_or_default().to_owned();
        let value = value.filter(|value| check_entry(&name, value, rules, at));
        self.add(name, value);
    }
}
