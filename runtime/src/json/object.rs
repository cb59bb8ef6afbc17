//! Reading objects.

use super::members::Seen;
use super::{Kind, Members, Reader};
use crate::violation::Step;

impl Reader<'_> {
    /// Reads an object. `on_member` gets the name of each member as the description spells it, or `""` for an
    /// additional member, and reads its value. Missing members are noted.
    pub fn object(&mut self, members: &Members, on_member: &mut dyn FnMut(&mut Self, &'static str)) -> Option<()> {
        let name = |index: Option<usize>| index.map_or("", |index| members.names()[index]);
        self.walk(members, &mut |json, index| on_member(json, name(index))).map(|_| ())
    }

    /// Reads an object. Returns the number of its members, and which described ones were seen. `on_member`
    /// gets the index of each member in `members`.
    pub(super) fn walk(
        &mut self,
        members: &Members,
        on_member: &mut dyn FnMut(&mut Self, Option<usize>),
    ) -> Option<(usize, Seen)> {
        let tag = self.tag.take();
        let found = self.kind();
        // PHP writes an empty object as an empty array.
        let is_empty_array = found == Kind::Array && self.is_tolerant() && self.is_empty_array();
        if found != Kind::Object && !is_empty_array {
            return self.refuse_kind(found, "an object");
        }
        self.enter(Step::Member(""))?;
        let mut seen = Seen::default();
        let mut expected = 0;
        let mut count = 0;
        let mut start = self.jiter.current_index();
        let mut name = if is_empty_array {
            self.overlook();
            self.skip();
            Ok(None)
        } else {
            self.jiter.known_object()
        };
        loop {
            let (index, is_tag) = match name {
                Ok(Some(name)) => (members.find(name, expected), members.is_same(tag, name)),
                Ok(None) => break,
                Err(error) => return self.break_off(&error),
            };
            self.name = (start, self.jiter.current_index());
            count += 1;
            if let Some(index) = index {
                let name = members.names()[index];
                self.notes.stand_at(Step::Member(name));
                expected = index + 1;
                if !seen.insert(index) && self.strict {
                    self.notes.note("duplicate", "is given twice");
                    self.skip();
                } else {
                    on_member(self, Some(index));
                }
            } else {
                self.notes.names = members.names();
                self.notes.stand_at(Step::Member(""));
                if is_tag {
                    self.skip();
                } else {
                    on_member(self, None);
                }
            }
            if self.notes.is_broken() {
                return None;
            }
            start = self.jiter.current_index();
            name = self.jiter.next_key();
        }
        let mut complete = true;
        for name in members.missing(&seen) {
            complete = false;
            self.notes.stand_at(Step::Member(name));
            self.notes.note("required", "is missing");
        }
        for name in members.unmet(&seen) {
            if self.is_tolerant() || self.of_response {
                self.overlook();
                continue;
            }
            complete = false;
            self.notes.stand_at(Step::Member(name));
            self.notes.note("required", "is missing");
        }
        self.notes.leave();
        complete.then_some((count, seen))
    }

    fn is_empty_array(&self) -> bool {
        matches!(self.jiter.clone().known_array(), Ok(None))
    }

    /// Notes an additional member, unless the reader is tolerant, and skips its value.
    pub fn refuse_member(&mut self) {
        if self.is_tolerant() {
            self.overlook();
            return self.skip();
        }
        let name = self.member_name().into_owned();
        self.notes.refuse(name);
        self.skip();
    }
}
