//! Slots: where the members of an object are stored while it is read from a parameter.

use super::{FromParameter, Raw};
use crate::json::Entries;
use crate::violation::Notes;

/// The storage of one member.
pub trait Slot {
    /// Reads the texts of the member; violations are noted.
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes);
}

impl<T: FromParameter> Slot for Entries<T> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        let value = T::from_parameter(raw, at);
        self.add(at.key().unwrap_or_default().to_owned(), value);
    }
}
