//! A bounded queue that gives each caller its turn.

use std::collections::VecDeque;

use super::Scope;
use crate::{domain::tenant::TenantId, shares::of_tenant};

/// Who asks: a tenant, and one of its tokens.
pub(super) type Asker = (TenantId, Option<i32>);

/// Who reads or writes in that scope.
pub(super) fn asker(scope: &Scope) -> Asker {
    (scope.tenant, scope.actor.token.as_ref().map(|(token, _)| *token))
}

/// The service itself.
pub(super) const NOBODY: Asker = (TenantId::FIRST, None);

/// What waits, by owner. The owner at the front is the next to have one taken, and then goes to the back.
#[derive(Debug)]
pub(super) struct Queue<K, T> {
    owners: VecDeque<(K, VecDeque<T>)>,
    most: usize,
    most_of_one: usize,
}

impl<G: PartialEq, O: PartialEq, T> Queue<(G, O), T> {
    /// So many may wait in all, three quarters of them of one group of owners, and so many of one owner.
    pub(super) fn new(most: usize, most_of_one: usize) -> Self {
        Self { owners: VecDeque::new(), most, most_of_one }
    }

    /// Adds one of an owner; false when too many are waiting.
    #[must_use]
    pub(super) fn push(&mut self, owner: (G, O), item: T) -> bool {
        let (mut all, mut of_group) = (0, 0);
        for ((group, _), items) in &self.owners {
            all += items.len();
            of_group += if *group == owner.0 { items.len() } else { 0 };
        }
        if all >= self.most || of_group >= of_tenant(self.most) {
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
        self.pop_of(|_| true)
    }

    /// The same, of owners that may have a turn; the others keep their places.
    pub(super) fn pop_of(&mut self, may: impl Fn(&(G, O)) -> bool) -> Option<T> {
        let next = self.owners.iter().position(|(owner, _)| may(owner))?;
        let (owner, mut items) = self.owners.remove(next)?;
        let item = items.pop_front();
        if !items.is_empty() {
            self.owners.push_back((owner, items));
        }
        item
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.owners.is_empty()
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

    fn all(queue: &mut Queue<(u32, char), u32>) -> Vec<u32> {
        std::iter::from_fn(|| queue.pop()).collect()
    }

    #[test]
    fn owners_take_turns_and_their_own_come_in_order() {
        let mut queue = Queue::new(10, 10);
        for (owner, item) in [('a', 1), ('a', 2), ('a', 3), ('b', 4), ('c', 5), ('b', 6)] {
            assert!(queue.push((1, owner), item));
        }
        assert_eq!(queue.pop(), Some(1));
        assert!(queue.push((1, 'd'), 7));
        assert_eq!(all(&mut queue), [4, 5, 2, 7, 6, 3]);
    }

    #[test]
    fn who_may_have_no_turn_keeps_its_place() {
        let mut queue = Queue::new(10, 10);
        for (owner, item) in [('a', 1), ('b', 2), ('c', 3)] {
            assert!(queue.push((1, owner), item));
        }
        assert_eq!(queue.pop_of(|(_, owner)| *owner != 'a'), Some(2));
        assert_eq!(queue.pop_of(|_| false), None);
        assert_eq!(all(&mut queue), [1, 3]);
    }

    #[test]
    fn both_bounds_hold_and_what_is_dropped_makes_room() {
        let mut queue = Queue::new(4, 2);
        let (a, b, c, d) = ((1, 'a'), (1, 'b'), (1, 'c'), (2, 'd'));
        assert!(queue.push(a, 1) && queue.push(a, 2) && !queue.push(a, 3));
        assert!(queue.push(b, 4) && !queue.push(c, 5), "three quarters of one group");
        assert!(queue.push(d, 7) && !queue.push((3, 'e'), 8));
        queue.retain(|item| *item != 2);
        assert!(queue.push(a, 6));
        assert_eq!(all(&mut queue), [1, 4, 7, 6]);
    }
}
