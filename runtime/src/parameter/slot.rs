//! Where the members of an object are kept while the object is read from a parameter.

use super::{FromParameter, Raw};
use crate::json::Entries;
use crate::violation::Notes;

/// The place of one member.
pub trait Slot {
    /// Reads the texts of the member; what is not allowed is noted.
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes);
}

impl<T: FromParameter> Slot for Entries<T> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        let value = T::from_parameter(raw, at);
        self.add(at.key().unwrap_or_default().to_owned(), value);
    }
}
