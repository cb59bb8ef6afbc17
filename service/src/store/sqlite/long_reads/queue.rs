//! A bounded queue that gives each owner its turn.

use std::collections::VecDeque;

/// What waits, by owner. The owner at the front is the next to have one taken, and then goes to the back.
#[derive(Debug)]
pub(super) struct Queue<K, T> {
    owners: VecDeque<(K, VecDeque<T>)>,
    most: usize,
    most_of_one: usize,
}

impl<K: PartialEq, T> Queue<K, T> {
    /// So many may wait in all, and so many of one owner.
    pub(super) fn new(most: usize, most_of_one: usize) -> Self {
        Self { owners: VecDeque::new(), most, most_of_one }
    }

    /// Adds one of an owner; false when too many are waiting.
    #[must_use]
    pub(super) fn push(&mut self, owner: K, item: T) -> bool {
        let waiting: usize = self.owners.iter().map(|(_, items)| items.len()).sum();
        if waiting >= self.most {
            return false;
        }
        match self.owners.iter_mut().find(|(known, _)| *known == owner) {
            Some((_, items)) if items.len() >= self.most_of_one => return false,
            Some((_, items)) => items.push_back(item),
            None if self.most_of_one == 0 => return false,
            None => self.owners.push_back((owner, VecDeque::from([item]))),
        }
        true
    }

    /// Takes the oldest of the owner whose turn it is.
    pub(super) fn pop(&mut self) -> Option<T> {
        let (owner, mut items) = self.owners.pop_front()?;
        let item = items.pop_front();
        if !items.is_empty() {
            self.owners.push_back((owner, items));
        }
        item
    }

    /// Drops what is not to be kept.
    pub(super) fn retain(&mut self, is_kept: impl Fn(&T) -> bool) {
        for (_, items) in &mut self.owners {
            items.retain(&is_kept);
        }
        self.owners.retain(|(_, items)| !items.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(queue: &mut Queue<char, u32>) -> Vec<u32> {
        std::iter::from_fn(|| queue.pop()).collect()
    }

    #[test]
    fn owners_take_turns_and_their_own_come_in_order() {
        let mut queue = Queue::new(10, 10);
        for (owner, item) in [('a', 1), ('a', 2), ('a', 3), ('b', 4), ('c', 5), ('b', 6)] {
            assert!(queue.push(owner, item));
        }
        assert_eq!(queue.pop(), Some(1));
        assert!(queue.push('d', 7));
        assert_eq!(all(&mut queue), [4, 5, 2, 7, 6, 3]);
    }

    #[test]
    fn both_bounds_hold_and_what_is_dropped_makes_room() {
        let mut queue = Queue::new(3, 2);
        assert!(queue.push('a', 1) && queue.push('a', 2) && !queue.push('a', 3));
        assert!(queue.push('b', 4) && !queue.push('c', 5));
        queue.retain(|item| *item != 2);
        assert!(queue.push('a', 6));
        assert_eq!(all(&mut queue), [1, 4, 6]);
    }
}
