//! Slots: where the members of an object are stored while it is read.

use super::{Entries, Maybe, Members, Presence, Read, Reader};

/// The storage of one member.
pub trait Slot {
    /// Reads the value of the member; `false` if it is not allowed, which has been noted.
    fn read(&mut self, json: &mut Reader<'_>, presence: Presence) -> bool;
}

impl<T: Read> Slot for Option<T> {
    fn read(&mut self, json: &mut Reader<'_>, presence: Presence) -> bool {
        if presence.takes_null(json) {
            *self = None;
            return true;
        }
        *self = T::read(json);
        self.is_some()
    }
}

impl<T: Read> Slot for Maybe<T> {
    fn read(&mut self, json: &mut Reader<'_>, presence: Presence) -> bool {
        if presence.takes_null(json) {
            *self = Self::Null;
            return true;
        }
        let value = T::read(json);
        let is_read = value.is_some();
        *self = value.map_or(Self::Absent, Self::Value);
        is_read
    }
}

impl<T: Read> Slot for Entries<T> {
    fn read(&mut self, json: &mut Reader<'_>, _presence: Presence) -> bool {
        self.read_entry(json);
        true
    }
}

/// A member with only one possible value.
#[doc(hidden)]
pub struct Constant<T>(pub T);

impl Slot for Constant<&str> {
    fn read(&mut self, json: &mut Reader<'_>, _presence: Presence) -> bool {
        json.constant(self.0);
        true
    }
}

impl Slot for Constant<i64> {
    fn read(&mut self, json: &mut Reader<'_>, _presence: Presence) -> bool {
        json.constant_integer(self.0);
        true
    }
}

impl Slot for Constant<bool> {
    fn read(&mut self, json: &mut Reader<'_>, _presence: Presence) -> bool {
        json.constant_boolean(self.0);
        true
    }
}

/// How additional members are treated if they are not kept.
#[doc(hidden)]
pub enum Others {
    /// They are skipped.
    Open,
    /// They are refused.
    Closed,
}

impl Slot for Others {
    fn read(&mut self, json: &mut Reader<'_>, _presence: Presence) -> bool {
        match self {
            Self::Open => json.skip_member(),
            Self::Closed => json.refuse_member(),
        }
        true
    }
}

impl Presence {
    /// Skips a `null` that means "no value".
    #[inline]
    fn takes_null(self, json: &mut Reader<'_>) -> bool {
        !matches!(self, Self::Required | Self::Any) && self.takes_null_here(json)
    }

    fn takes_null_here(self, json: &mut Reader<'_>) -> bool {
        match self {
            Self::Required | Self::Any => false,
            Self::Nullable | Self::Expected | Self::Maybe => json.null(),
            // Many senders write `null` for absent members.
            Self::Optional => {
                let is_null = json.is_tolerant() && json.null();
                if is_null {
                    json.overlook();
                }
                is_null
            }
        }
    }
}

impl Reader<'_> {
    /// Reads an object: the value of each member into the slot with the index of its name, all others into
    /// `others`.
    pub fn members(&mut self, members: &Members, slots: &mut [&mut dyn Slot], others: &mut dyn Slot) -> Option<()> {
        self.slots(members, slots, others).map(|_| ())
    }

    /// Reads an object. Returns the number of its members, and which described ones were seen.
    pub(crate) fn slots(
        &mut self,
        members: &Members,
        slots: &mut [&mut dyn Slot],
        others: &mut dyn Slot,
    ) -> Option<(usize, super::members::Seen)> {
        let mut complete = true;
        let counted = self.walk(members, &mut |json, index| {
            complete &= match index.and_then(|index| slots.get_mut(index).zip(members.presence(index))) {
                Some((slot, presence)) => slot.read(json, presence),
                None => others.read(json, Presence::Any),
            };
        })?;
        complete.then_some(counted)
    }
}
