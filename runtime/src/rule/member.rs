//! Reads the members of a parameter with their rules.

use super::object::{check_entry, check_members};
use super::{Check, Checked, Rule};
use crate::json::{Entries, Members, Read};
use crate::parameter::{Boxed, FromParameter, Json, Member, Raw, Slot};
use crate::violation::Notes;

impl Notes {
    /// Reads an object as [`Notes::members`] does, but strictly, and checks rules on its members.
    pub fn members_checked(
        &mut self,
        rules: &[Rule<'_>],
        raw: Raw<'_>,
        members: &Members,
        slots: &mut [&mut dyn Slot],
        others: &mut dyn Slot,
    ) -> Option<()> {
        let (size, seen) = self.slots(raw, members, true, slots, others)?;
        let has = |name: &str| members.find(name, 0).is_some_and(|index| seen.contains(index));
        check_members(size, &has, rules, self).then_some(())
    }
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
