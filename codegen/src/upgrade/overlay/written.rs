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

    /// A node of the entry as it is now.
    pub(super) fn entry(&self, pointer: String) -> Location {
        Location::at(&self.entry, pointer)
    }

    /// Records that the node at `pointer` originates from `place`: of an overlay, or of the entry as it is now.
    pub(super) fn add(&mut self, pointer: String, place: &Location) {
        let copied = if place.file() == self.entry { self.below(place.pointer()) } else { Vec::new() };
        let origin = self.origin(place);
        self.remove_member(&pointer);
        for (end, place) in copied {
            self.places.insert(format!("{pointer}{end}"), place);
        }
        self.places.insert(pointer, origin);
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
        let below = self.below(pointer).into_iter().map(|(end, _)| format!("{pointer}{end}"));
        let pointers: Vec<String> = std::iter::once(pointer.to_owned()).chain(below).collect();
        pointers.iter().filter_map(|pointer| self.places.remove_entry(pointer)).collect()
    }

    /// The records of the node's descendants, each with the rest of its pointer.
    fn below(&self, pointer: &str) -> Vec<(String, Location)> {
        // In ASCII, `0` follows `/`.
        let below = self.places.range(format!("{pointer}/")..format!("{pointer}0"));
        below.map(|(full, place)| (full[pointer.len()..].to_owned(), place.clone())).collect()
    }
}
