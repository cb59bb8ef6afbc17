//! Members in a box, because the object would contain itself without.

use super::{Fields, FromParameter, Raw, ToParameter};
use crate::json::{Maybe, Member};
use crate::violation::Notes;

impl<T: FromParameter> Member<Box<T>> {
    /// Reads the texts of a member.
    pub fn read_boxed_parameter(&mut self, raw: Raw<'_>, at: &mut Notes) {
        *self = Self::of(T::from_parameter(raw, at).map(Box::new));
    }
}

impl<'a> Fields<'a> {
    /// Adds a member that is left out when there is no value.
    pub fn optional_boxed<T: ToParameter>(&mut self, name: &'a str, value: &'a Option<Box<T>>) {
        if let Some(value) = value {
            self.required(name, value.as_ref());
        }
    }

    /// Adds a member; `null` has no form in parameters and is left out.
    pub fn maybe_boxed<T: ToParameter>(&mut self, name: &'a str, value: &'a Maybe<Box<T>>) {
        if let Maybe::Value(value) = value {
            self.required(name, value.as_ref());
        }
    }
}
