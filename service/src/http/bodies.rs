//! How many bytes of bodies are held in memory at once, of all callers and of each.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use crate::domain::tenant::TenantId;

/// Whose body it is: tenant and number of the token.
type Caller = Option<(TenantId, i32)>;

/// The bytes of bodies that are held; cheap to clone.
#[derive(Clone, Debug)]
pub struct Bodies {
    limit: u64,
    held: Arc<Mutex<HashMap<Caller, u64>>>,
}

/// The bytes of one body, which are held until this is dropped.
#[derive(Debug)]
pub(super) struct Share {
    bodies: Bodies,
    caller: Caller,
    bytes: u64,
}

impl Bodies {
    /// At most so many bytes at once, and a quarter of them of one caller.
    pub fn new(limit: u64) -> Self {
        Self { limit, held: Arc::default() }
    }

    /// The share of a body of which nothing has arrived.
    pub(super) fn share(&self) -> Share {
        Share { bodies: self.clone(), caller: None, bytes: 0 }
    }
}

impl Share {
    /// Holds more bytes; false when they are too many.
    pub(super) fn take(&mut self, caller: Caller, bytes: u64) -> bool {
        let mut held = self.bodies.held.lock().unwrap_or_else(PoisonError::into_inner);
        if self.bytes == 0 {
            self.caller = caller;
        }
        let all: u64 = held.values().sum();
        let of_caller = held.entry(self.caller).or_default();
        if all + bytes > self.bodies.limit || *of_caller + bytes > self.bodies.limit / 4 {
            return false;
        }
        *of_caller += bytes;
        self.bytes += bytes;
        true
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut held = self.bodies.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(of_caller) = held.get_mut(&self.caller) {
            *of_caller = of_caller.saturating_sub(self.bytes);
            if *of_caller == 0 {
                held.remove(&self.caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_callers_have_a_bound_and_each_a_quarter_of_it() {
        let bodies = Bodies::new(400);
        let take = |token: i32, bytes: u64| {
            let mut share = bodies.share();
            let is_taken = share.take(Some((TenantId::FIRST, token)), bytes);
            is_taken.then_some(share)
        };
        let first = take(1, 60).expect("room");
        assert!(take(1, 41).is_none());
        let rest = take(1, 40).expect("room");
        let others: Vec<Share> = (2..5).filter_map(|token| take(token, 100)).collect();
        assert_eq!(others.len(), 3);
        assert!(take(5, 1).is_none(), "all is held");
        drop(first);
        assert!(take(5, 60).is_some());
        drop((rest, others));
        assert!(bodies.held.lock().unwrap().is_empty());
    }
}
