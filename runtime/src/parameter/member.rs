//! One member of an object while the object is read from a parameter.

use crate::json::Maybe;

/// What has been read of a member.
#[derive(Debug, Default)]
pub enum Member<T> {
    /// It has not come yet.
    #[default]
    Absent,
    /// It has a value.
    Value(T),
    /// Its value is not allowed; that has been noted.
    Refused,
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
            Self::Absent | Self::Refused => None,
        }
    }

    /// The value of a member that may be left out.
    pub fn optional(self) -> Option<Option<T>> {
        match self {
            Self::Value(value) => Some(Some(value)),
            Self::Absent => Some(None),
            Self::Refused => None,
        }
    }

    /// The value of a member that has to be there and may be `null`.
    pub fn nullable(self) -> Option<Option<T>> {
        match self {
            Self::Value(value) => Some(Some(value)),
            Self::Absent | Self::Refused => None,
        }
    }

    /// The value of a member that may be left out and may be `null`.
    pub fn maybe(self) -> Option<Maybe<T>> {
        match self {
            Self::Value(value) => Some(Maybe::Value(value)),
            Self::Absent => Some(Maybe::Absent),
            Self::Refused => None,
        }
    }
}
