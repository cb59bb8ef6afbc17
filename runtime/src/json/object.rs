//! Reading objects.

use super::members::Seen;
use super::{Kind, Members, Reader};
use crate::violation::Step;

/// What comes next in an object.
enum Next {
    /// A member that is described: its index and name.
    Described(usize, &'static str),
    /// A member that is not.
    Other,
    /// The end.
    End,
    /// Something that is not JSON, which was noted.
    Broken,
}

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
        if found == Kind::Array && self.is_tolerant() && self.is_empty_array() {
            self.enter(Step::Member(""))?;
            self.overlook();
            self.skip();
            return self.end_object(members, 0, Seen::default());
        }
        if found != Kind::Object {
            return self.refuse_kind(found, "an object");
        }
        self.enter(Step::Member(""))?;
        let (mut seen, mut expected, mut count) = (Seen::default(), 0, 0);
        loop {
            match self.next_member(members, expected, count == 0) {
                Next::Described(index, name) => {
                    self.notes.stand_at(Step::Member(name));
                    expected = index + 1;
                    if !seen.insert(index) && self.strict {
                        self.refuse_duplicate();
                    } else {
                        on_member(self, Some(index));
                    }
                }
                Next::Other => {
                    self.notes.names = members.names();
                    self.notes.stand_at(Step::Member(""));
                    if members.is_same(tag, &self.name) {
                        self.skip();
                    } else {
                        on_member(self, None);
                    }
                }
                Next::End => return self.end_object(members, count, seen),
                Next::Broken => return None,
            }
            if self.notes.is_broken() {
                return None;
            }
            count += 1;
        }
    }

    fn end_object(&mut self, members: &Members, count: usize, seen: Seen) -> Option<(usize, Seen)> {
        let is_complete = members.are_complete(&seen) || !self.note_missing(members, &seen);
        self.notes.leave();
        is_complete.then_some((count, seen))
    }

    #[inline]
    fn next_member(&mut self, members: &Members, expected: usize, is_first: bool) -> Next {
        match members.plain_name(expected) {
            Some(name) if self.cursor.skip_name(is_first, name) => Next::Described(expected, name),
            _ => self.find_member(members, expected, is_first),
        }
    }

    #[inline(never)]
    fn find_member(&mut self, members: &Members, expected: usize, is_first: bool) -> Next {
        match self.cursor.next_name(is_first) {
            Ok(Some(name)) => {
                if let Some(index) = members.find(&name, expected) {
                    return Next::Described(index, members.names()[index]);
                }
                self.name = name;
                Next::Other
            }
            Ok(None) => Next::End,
            Err(error) => {
                self.break_off::<()>(&error);
                Next::Broken
            }
        }
    }

    #[cold]
    fn refuse_duplicate(&mut self) {
        self.notes.note("duplicate", "is given twice");
        self.skip();
    }

    /// Whether a required member is missing, which is noted.
    #[cold]
    fn note_missing(&mut self, members: &Members, seen: &Seen) -> bool {
        let mut is_missing = false;
        for name in members.missing(seen) {
            is_missing = true;
            self.notes.stand_at(Step::Member(name));
            self.notes.note("required", "is missing");
        }
        for name in members.unmet(seen) {
            if self.is_tolerant() || self.of_response {
                self.overlook();
                continue;
            }
            is_missing = true;
            self.notes.stand_at(Step::Member(name));
            self.notes.note("required", "is missing");
        }
        is_missing
    }

    fn is_empty_array(&self) -> bool {
        matches!(self.cursor.ahead().known_array(), Ok(None))
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
