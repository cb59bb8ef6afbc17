//! Reads values with their rules.

use super::object::{check_entry, check_members};
use super::{Check, Rule};
use crate::json::{Entries, Maybe, Members, Presence, Read, Reader, Slot};

/// Reads a value and checks it; a tolerant reader only counts violations, and only to choose between
/// variants.
pub fn read_checked<T: Read + Check>(json: &mut Reader<'_>, rules: &[Rule<'_>]) -> Option<T> {
    let value = T::read(json)?;
    json.keeps(&mut |notes| value.check(rules, notes)).then_some(value)
}

/// The slot of a member, and the rules for its value.
#[doc(hidden)]
pub struct Checked<'a, S>(pub &'a mut S, pub &'a [Rule<'a>]);

impl<T: Read + Check> Slot for Checked<'_, Option<T>> {
    fn read(&mut self, json: &mut Reader<'_>, presence: Presence) -> bool {
        let is_read = self.0.read(json, presence);
        self.0.as_ref().map_or(is_read, |value| json.keeps(&mut |notes| value.check(self.1, notes)))
    }
}

impl<T: Read + Check> Slot for Checked<'_, Maybe<T>> {
    fn read(&mut self, json: &mut Reader<'_>, presence: Presence) -> bool {
        let is_read = self.0.read(json, presence);
        self.0.value().map_or(is_read, |value| json.keeps(&mut |notes| value.check(self.1, notes)))
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
            let value = T::read(json)?;
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
        let (size, seen) = self.slots(members, slots, others)?;
        let has = |name: &str| members.find(name, 0).is_some_and(|index| seen.contains(index));
        self.keeps(&mut |notes| check_members(size, &has, rules, notes)).then_some(())
    }
}
