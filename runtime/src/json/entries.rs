//! Additional members: those that the description does not name.

use std::collections::BTreeMap;

use super::{Read, Reader};
use crate::violation::Step;

/// Additional members, while their object is read.
#[derive(Debug)]
pub struct Entries<T> {
    values: BTreeMap<String, T>,
    refused: bool,
}

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self { values: BTreeMap::new(), refused: false }
    }
}

impl<T: Read> Entries<T> {
    /// Reads the value of the member; `null` only if `T` allows it.
    pub fn read_entry(&mut self, json: &mut Reader<'_>) {
        self.read_entry_with(json, T::read);
    }
}

impl<T> Entries<T> {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the value of the member with `read`.
    pub(crate) fn read_entry_with(&mut self, json: &mut Reader<'_>, read: impl FnOnce(&mut Reader<'_>) -> Option<T>) {
        json.notes.stand_at(Step::Key(json.member_name().into_owned()));
        let value = read(json);
        let Some(Step::Key(name)) = json.notes.leave() else {
            // The document ended inside the value.
            self.refused = true;
            return;
        };
        json.notes.enter(Step::Member(""));
        self.insert(json, name, value);
    }

    fn insert(&mut self, json: &mut Reader<'_>, name: String, value: Option<T>) {
        let Some(value) = value else {
            self.refused = true;
            return;
        };
        if json.strict && self.values.contains_key(&name) {
            json.notes.stand_at(Step::Key(name));
            json.notes.note("duplicate", "is given twice");
            self.refused = true;
        } else {
            self.values.insert(name, value);
        }
    }

    /// Adds a value that was not read from JSON.
    pub(crate) fn add(&mut self, name: String, value: Option<T>) {
        match value {
            Some(value) => {
                self.values.insert(name, value);
            }
            None => self.refused = true,
        }
    }

    /// All entries, unless one was refused.
    pub fn finish(self) -> Option<BTreeMap<String, T>> {
        (!self.refused).then_some(self.values)
    }
}
