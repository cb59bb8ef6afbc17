//! Reads values with their rules.

use super::object::{check_entry, check_members};
#[cfg(feature = "schema")]
use super::schema::{self, has_schema};
use super::{Check, Rule};
use crate::json::{Entries, Maybe, Members, Presence, Read, Reader, Slot};

/// Reads a value and checks it; a tolerant reader only counts violations, and only to choose between
/// variants.
pub fn read_checked<T: Read + Check>(json: &mut Reader<'_>, rules: &[Rule<'_>]) -> Option<T> {
    json.with_schemas(rules, |json| {
        let value = T::read(json)?;
        json.keeps(&mut |notes| value.check(rules, notes)).then_some(value)
    })
}

/// The slot of a member, and the rules for its value.
#[doc(hidden)]
pub struct Checked<'a, S>(pub &'a mut S, pub &'a [Rule<'a>]);

impl<T: Read + Check> Slot for Checked<'_, Option<T>> {
    fn read(&mut self, json: &mut Reader<'_>, presence: Presence) -> bool {
        let Self(slot, rules) = self;
        if !json.checks_rules() {
            return slot.read(json, presence);
        }
        let read = json.with_schemas(rules, |json| {
            let is_read = slot.read(json, presence);
            let is_kept = |value: &T| json.keeps(&mut |notes| value.check(rules, notes));
            slot.as_ref().map_or(is_read, is_kept).then_some(())
        });
        read.is_some()
    }
}

impl<T: Read + Check> Slot for Checked<'_, Maybe<T>> {
    fn read(&mut self, json: &mut Reader<'_>, presence: Presence) -> bool {
        let Self(slot, rules) = self;
        if !json.checks_rules() {
            return slot.read(json, presence);
        }
        let read = json.with_schemas(rules, |json| {
            let is_read = slot.read(json, presence);
            let is_kept = |value: &T| json.keeps(&mut |notes| value.check(rules, notes));
            slot.value().map_or(is_read, is_kept).then_some(())
        });
        read.is_some()
    }
}

impl<T: Read + Check> Slot for Checked<'_, Entries<T>> {
    fn read(&mut self, json: &mut Reader<'_>, _presence: Presence) -> bool {
        self.0.read_entry_checked(json, self.1);
        true
    }
}

impl<T: Read + Check> Entries<T> {
    /// Reads the value of an additional member and checks both; the rules are those of a map.
    pub fn read_entry_checked(&mut self, json: &mut Reader<'_>, rules: &[Rule<'_>]) {
        self.read_entry_with(json, |json| {
            let name = json.member_name();
            let of_value = rules.iter().find_map(|rule| match rule {
                Rule::Values(rules) => Some(*rules),
                _ => None,
            });
            let value = json.with_schemas(of_value.unwrap_or_default(), T::read)?;
            json.keeps(&mut |notes| check_entry(&name, &value, rules, notes)).then_some(value)
        });
    }
}

impl Reader<'_> {
    /// Reads an object as [`Reader::members`] does, and checks rules on its members.
    pub fn members_checked(
        &mut self,
        rules: &[Rule<'_>],
        members: &Members,
        slots: &mut [&mut dyn Slot],
        others: &mut dyn Slot,
    ) -> Option<()> {
        self.with_schemas(rules, |json| {
            let (size, seen) = json.slots(members, slots, others)?;
            let has = |name: &str| members.find(name, 0).is_some_and(|index| seen.contains(index));
            json.keeps(&mut |notes| check_members(size, &has, rules, notes)).then_some(())
        })
    }

    /// Reads a value with `read`, and checks the schemas among `rules` on its text.
    #[cfg(feature = "schema")]
    fn with_schemas<T>(&mut self, rules: &[Rule<'_>], read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if !has_schema(rules) {
            return read(self);
        }
        let (value, text) = self.with_text(read)?;
        self.keeps(&mut |notes| schema::check(text, rules, notes)).then_some(value)
    }

    #[cfg(not(feature = "schema"))]
    fn with_schemas<T>(&mut self, _rules: &[Rule<'_>], read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        read(self)
    }
}
