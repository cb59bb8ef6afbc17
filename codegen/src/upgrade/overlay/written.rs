//! The origin of nodes added by overlays, and of nodes moved by removals.

use std::collections::BTreeMap;

use crate::location::{self, Location};

/// Nodes whose origin differs from their pointer; descendants move with them.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    entry: String,
    places: BTreeMap<String, Location>,
}

impl Written {
    /// Every node originates from `entry`.
    pub(super) fn new(entry: &str) -> Self {
        Self { entry: entry.to_owned(), places: BTreeMap::new() }
    }

    /// The origin of a node.
    pub(in crate::upgrade) fn origin(&self, location: &Location) -> Location {
        if location.file() != self.entry {
            return location.clone();
        }
        let pointer = location.pointer();
        let mut end = pointer.len();
        loop {
            if let Some(place) = self.places.get(&pointer[..end]) {
                return location.elsewhere(place.file(), format!("{}{}", place.pointer(), &pointer[end..]));
            }
            match pointer[..end].rfind('/') {
                Some(slash) => end = slash,
                None => return location.clone(),
            }
        }
    }

    /// Records that the node at `pointer` originates from `place`.
    pub(super) fn add(&mut self, pointer: String, place: Location) {
        self.remove_member(&pointer);
        self.places.insert(pointer, place);
    }

    /// Records that the member at `pointer` was removed.
    pub(super) fn remove_member(&mut self, pointer: &str) {
        self.take(pointer);
    }

    /// Records that an item of the array at `pointer` was removed, and later ones moved up.
    pub(super) fn remove_item(&mut self, pointer: &str, index: usize, length: usize) {
        let item = |index: usize| location::joined(pointer, &[&index.to_string()]);
        self.take(&item(index));
        for index in index + 1..length {
            let (old, new) = (item(index), item(index - 1));
            let place = self.origin(&Location::at(&self.entry, old.as_str()));
            for (pointer, place) in self.take(&old) {
                self.places.insert(format!("{new}{}", &pointer[old.len()..]), place);
            }
            self.places.insert(new, place);
        }
    }

    /// Removes the records of the node and its descendants.
    fn take(&mut self, pointer: &str) -> Vec<(String, Location)> {
        // In ASCII, `0` follows `/`.
        let below = self.places.range(format!("{pointer}/")..format!("{pointer}0")).map(|(pointer, _)| pointer.clone());
        let pointers: Vec<String> = std::iter::once(pointer.to_owned()).chain(below).collect();
        pointers.iter().filter_map(|pointer| self.places.remove_entry(pointer)).collect()
    }
}
