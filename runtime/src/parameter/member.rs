//! Members of an object while it is read from a parameter.

use super::{FromParameter, Raw, Slot};
use crate::json::{Constant, Entries, Maybe, Others, Read};
use crate::text::{ToText, not_one_of};
use crate::violation::Notes;

/// The state of a member.
#[derive(Debug, Default)]
pub enum Member<T> {
    /// It has not been read.
    #[default]
    Absent,
    /// It has a value.
    Value(T),
    /// Its value is not allowed; a violation was noted.
    Refused,
}

impl<T> Member<T> {
    /// The state after a reading function returned `value`.
    pub(crate) fn of(value: Option<T>) -> Self {
        value.map_or(Self::Refused, Self::Value)
    }

    /// The value of a required member.
    pub fn required(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Refused => None,
        }
    }

    /// The value of an optional member.
    pub fn optional(self) -> Option<Option<T>> {
        match self {
            Self::Value(value) => Some(Some(value)),
            Self::Absent => Some(None),
            Self::Refused => None,
        }
    }

    /// The value of a required, nullable member.
    pub fn nullable(self) -> Option<Option<T>> {
        match self {
            Self::Value(value) => Some(Some(value)),
            Self::Absent | Self::Refused => None,
        }
    }

    /// The value of an optional, nullable member.
    pub fn maybe(self) -> Option<Maybe<T>> {
        match self {
            Self::Value(value) => Some(Maybe::Value(value)),
            Self::Absent => Some(Maybe::Absent),
            Self::Refused => None,
        }
    }
}

impl<T: FromParameter> Slot for Member<T> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        *self = Self::of(T::from_parameter(raw, at));
    }
}

/// A boxed member of a recursive type.
#[doc(hidden)]
pub struct Boxed<'a, T>(pub &'a mut Member<Box<T>>);

impl<T: FromParameter> Slot for Boxed<'_, T> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        *self.0 = Member::of(T::from_parameter(raw, at).map(Box::new));
    }
}

/// A member without a plain-text form: it is JSON in a text.
#[doc(hidden)]
pub struct Json<'a, S>(pub &'a mut S);

impl<T: Read> Slot for Json<'_, Member<T>> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        *self.0 = Member::of(at.json_text(&raw));
    }
}

impl<T: Read> Slot for Json<'_, Entries<T>> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        let value = at.json_text(&raw);
        self.0.add(at.key().unwrap_or_default().to_owned(), value);
    }
}

impl<T: ToText> Slot for Constant<T> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        let Some(text) = String::from_parameter(raw, at) else { return };
        let constant = self.0.to_text();
        if constant != text {
            let refusal = not_one_of(&text, &mut [constant.as_ref()].into_iter());
            at.note(refusal.code, refusal.detail);
        }
    }
}

impl Slot for Others {
    fn read(&mut self, _raw: Raw<'_>, at: &mut Notes) {
        match self {
            Self::Open => {}
            Self::Closed => {
                let name = at.key().unwrap_or_default().to_owned();
                at.refuse(name);
            }
        }
    }
}
