//! Which file holds what overlays have put into the tree, and where their removals have moved the rest from.

use std::collections::BTreeMap;

use crate::location::{self, Location};

/// The places of nodes that are not where their pointer says; all in them is with them.
#[derive(Clone, Debug)]
pub(in crate::upgrade) struct Written {
    entry: String,
    places: BTreeMap<String, Location>,
}

impl Written {
    /// Everything is where it is in `entry`.
    pub(super) fn new(entry: &str) -> Self {
        Self { entry: entry.to_owned(), places: BTreeMap::new() }
    }

    /// Where a node of the tree is written.
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

    /// What is at `pointer` now is written at `place`.
    pub(super) fn add(&mut self, pointer: String, place: Location) {
        self.remove_member(&pointer);
        self.places.insert(pointer, place);
    }

    /// The member at `pointer` is no more.
    pub(super) fn remove_member(&mut self, pointer: &str) {
        self.take(pointer);
    }

    /// One of `length` items of the array at `pointer` is no more, and those behind it move up.
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

    /// Takes out what is known of the node and all in it.
    fn take(&mut self, pointer: &str) -> Vec<(String, Location)> {
        // `0` comes right after `/`.
        let below = self.places.range(format!("{pointer}/")..format!("{pointer}0")).map(|(pointer, _)| pointer.clone());
        let pointers: Vec<String> = std::iter::once(pointer.to_owned()).chain(below).collect();
        pointers.iter().filter_map(|pointer| self.places.remove_entry(pointer)).collect()
    }
}
