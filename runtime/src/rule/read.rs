//! Reading values together with their rules.

use super::object::{check_entry, check_members};
use super::{Check, Rule};
use crate::json::{Entries, Member, Members, Read, Reader};

/// Reads a value and checks it; a tolerant reader only counts what is broken, and only where it has a choice.
pub fn read_checked<T: Read + Check>(json: &mut Reader<'_>, rules: &[Rule<'_>]) -> Option<T> {
    let value = T::read(json)?;
    json.keeps(&mut |notes| value.check(rules, notes)).then_some(value)
}

impl<T: Read + Check> Member<T> {
    /// Reads a value that may not be `null`, and checks it.
    #[inline(never)]
    pub fn read_checked(&mut self, json: &mut Reader<'_>, rules: &[Rule<'_>]) {
        self.read(json);
        self.check(rules, json);
    }

    /// Reads a value that may be left out, and checks it.
    #[inline(never)]
    pub fn read_optional_checked(&mut self, json: &mut Reader<'_>, rules: &[Rule<'_>]) {
        self.read_optional(json);
        self.check(rules, json);
    }

    /// Reads a value that may be `null`, and checks it.
    #[inline(never)]
    pub fn read_nullable_checked(&mut self, json: &mut Reader<'_>, rules: &[Rule<'_>]) {
        self.read_nullable(json);
        self.check(rules, json);
    }

    fn check(&mut self, rules: &[Rule<'_>], json: &mut Reader<'_>) {
        if let Self::Value(value) = self
            && !json.keeps(&mut |notes| value.check(rules, notes))
        {
            *self = Self::Refused;
        }
    }
}

impl<T: Read + Check> Entries<T> {
    /// Reads the value of a member that is not named, and checks both: the rules are those of a map.
    pub fn read_entry_checked(&mut self, json: &mut Reader<'_>, rules: &[Rule<'_>]) {
        self.read_entry_with(json, |json| {
            let name = json.member_name();
            let value = T::read(json)?;
            json.keeps(&mut |notes| check_entry(&name, &value, rules, notes)).then_some(value)
        });
    }
}

impl Reader<'_> {
    /// Reads an object as [`Reader::object`] does, and checks how many members it has and which go together.
    pub fn object_checked(
        &mut self,
        members: &Members,
        rules: &[Rule<'_>],
        on_member: &mut dyn FnMut(&mut Self, &'static str),
    ) -> Option<()> {
        let (size, seen) = self.counted_object(members, on_member)?;
        let has = |name: &str| members.find(name, 0).is_some_and(|index| seen.contains(index));
        self.keeps(&mut |notes| check_members(size, &has, rules, notes)).then_some(())
    }
}
