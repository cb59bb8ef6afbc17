//! One member of an object while the object is read.

use super::{Kind, Maybe, Read, Reader};

/// What has been read of a member.
#[derive(Debug, Default)]
pub enum Member<T> {
    /// It has not come yet.
    #[default]
    Absent,
    /// It is `null`.
    Null,
    /// It has a value.
    Value(T),
    /// Its value is not allowed; that has been noted.
    Refused,
}

impl<T: Read> Member<T> {
    /// Reads a value that may not be `null`.
    #[inline(never)]
    pub fn read(&mut self, json: &mut Reader<'_>) {
        *self = Self::of(T::read(json));
    }

    /// Reads a value that may be left out; many senders write `null` then, which a tolerant reader overlooks.
    #[inline(never)]
    pub fn read_optional(&mut self, json: &mut Reader<'_>) {
        if json.is_tolerant() && json.kind() == Kind::Null && json.null() {
            json.overlook();
            *self = Self::Null;
        } else {
            self.read(json);
        }
    }

    /// Reads a value that may be `null`.
    #[inline(never)]
    pub fn read_nullable(&mut self, json: &mut Reader<'_>) {
        *self = if json.kind() == Kind::Null && json.null() { Self::Null } else { Self::of(T::read(json)) };
    }
}

impl<T> Member<T> {
    /// What a reading function has returned.
    pub(crate) fn of(value: Option<T>) -> Self {
        value.map_or(Self::Refused, Self::Value)
    }

    /// The value of a member that has to be there.
    pub fn required(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null | Self::Refused => None,
        }
    }

    /// The value of a member that may be left out.
    pub fn optional(self) -> Option<Option<T>> {
        match self {
            Self::Value(value) => Some(Some(value)),
            Self::Absent | Self::Null => Some(None),
            Self::Refused => None,
        }
    }

    /// The value of a member that has to be there and may be `null`.
    pub fn nullable(self) -> Option<Option<T>> {
        match self {
            Self::Value(value) => Some(Some(value)),
            Self::Null => Some(None),
            Self::Absent | Self::Refused => None,
        }
    }

    /// The value of a member that may be left out and may be `null`.
    pub fn maybe(self) -> Option<Maybe<T>> {
        match self {
            Self::Value(value) => Some(Maybe::Value(value)),
            Self::Null => Some(Maybe::Null),
            Self::Absent => Some(Maybe::Absent),
            Self::Refused => None,
        }
    }
}
