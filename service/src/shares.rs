//! What is bounded in all, and of which one tenant and one token may have a part: bytes of bodies in memory, places.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use crate::domain::tenant::TenantId;

/// Whose it is: tenant and number of the token.
type Caller = Option<(TenantId, i32)>;

/// What is shared out; cheap to clone.
#[derive(Clone, Debug)]
pub struct Shares {
    limit: u64,
    held: Arc<Mutex<HashMap<Caller, u64>>>,
}

/// What somebody holds, until this is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    shares: Shares,
    caller: Caller,
    amount: u64,
}

/// What one tenant may have of so much in all: three quarters, so that there is always some for the others.
pub(crate) fn of_tenant(limit: usize) -> usize {
    limit - limit / 4
}

impl Shares {
    /// At most so much at once: three quarters of it of one tenant, and a quarter of one token.
    pub fn new(limit: u64) -> Self {
        Self { limit, held: Arc::default() }
    }

    /// A share that holds nothing yet.
    pub(crate) fn share(&self) -> Share {
        Share { shares: self.clone(), caller: None, amount: 0 }
    }
}

impl Share {
    /// Holds more; false when that is too much.
    #[must_use]
    pub(crate) fn take(&mut self, caller: Caller, amount: u64) -> bool {
        let limit = self.shares.limit;
        let mut held = self.shares.held.lock().unwrap_or_else(PoisonError::into_inner);
        if self.amount == 0 {
            self.caller = caller;
        }
        let tenant = |caller: &Caller| caller.map(|(tenant, _)| tenant);
        let (mut all, mut of_tenant, mut of_caller) = (amount, amount, amount);
        for (holder, held) in held.iter() {
            all += held;
            of_tenant += if tenant(holder) == tenant(&self.caller) { *held } else { 0 };
            of_caller += if *holder == self.caller { *held } else { 0 };
        }
        if all > limit || of_tenant > limit - limit / 4 || of_caller > limit / 4 {
            return false;
        }
        held.insert(self.caller, of_caller);
        self.amount += amount;
        true
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if self.amount == 0 {
            return;
        }
        let mut held = self.shares.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(of_caller) = held.get_mut(&self.caller) {
            *of_caller = of_caller.saturating_sub(self.amount);
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
        let shares = Shares::new(400);
        let take = |tenant: i32, token: i32, amount: u64| {
            let mut share = shares.share();
            let is_taken = share.take(Some((TenantId(tenant), token)), amount);
            is_taken.then_some(share)
        };
        let first = take(1, 1, 60).expect("room");
        assert!(take(1, 1, 41).is_none());
        let rest = take(1, 1, 40).expect("room");
        let others: Vec<Share> = (2..4).filter_map(|token| take(1, token, 100)).collect();
        assert_eq!(others.len(), 2);
        assert!(take(1, 4, 1).is_none(), "the tenant has three quarters");
        let another = take(2, 1, 100).expect("room for another tenant");
        assert!(take(3, 1, 1).is_none(), "all is held");
        drop(first);
        assert!(take(3, 1, 60).is_some());
        drop((rest, others, another));
        assert!(shares.held.lock().unwrap().is_empty());
    }
}
