//! Per-tenant and per-token quotas of a global limit: bytes of buffered bodies, permits for long work.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::domain::tenant::TenantId;

/// Tenant and token id; `None` is the service itself.
pub(crate) type Caller = Option<(TenantId, i32)>;

/// A shared limit; cheap to clone.
#[derive(Clone, Debug)]
pub struct Shares {
    limit: u64,
    held: Arc<Mutex<HashMap<Caller, u64>>>,
}

/// What a caller holds, until dropped.
#[derive(Debug)]
pub(crate) struct Share {
    shares: Shares,
    caller: Caller,
    amount: u64,
}

impl Shares {
    /// A limit with quotas: three quarters for a tenant and a quarter for a token.
    pub fn new(limit: u64) -> Self {
        Self { limit, held: Arc::default() }
    }

    /// The amount held.
    pub(crate) fn held(&self) -> u64 {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }

    /// An empty share.
    pub(crate) fn share(&self) -> Share {
        Share { shares: self.clone(), caller: None, amount: 0 }
    }
}

impl Share {
    /// Holds more; `false` if it would exceed a limit.
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

/// A semaphore with a bounded queue: a token may have half of the permits, and its share of the queue.
#[derive(Clone, Debug)]
pub(crate) struct Turns {
    queue: Shares,
    places: Arc<Places>,
}

#[derive(Debug)]
struct Places {
    all: Arc<Semaphore>,
    /// The limit of one caller.
    of_one: usize,
    /// The permits of each active caller.
    of: Mutex<HashMap<Caller, Weak<Semaphore>>>,
}

/// A permit, until dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    _held: (Share, [OwnedSemaphorePermit; 2]),
}

/// The queue is full.
#[derive(Debug)]
pub(crate) struct Full;

impl Turns {
    /// With `at_once` permits, and `queue` callers working or waiting.
    pub(crate) fn new(at_once: usize, queue: usize) -> Self {
        let all = Arc::new(Semaphore::new(at_once));
        let places = Places { all, of_one: at_once.div_ceil(2), of: Mutex::default() };
        Self { queue: Shares::new(queue as u64), places: Arc::new(places) }
    }

    /// The same permits with a separate queue.
    pub(crate) fn with_queue(&self, queue: usize) -> Self {
        Self { queue: Shares::new(queue as u64), places: Arc::clone(&self.places) }
    }

    /// Waits for a permit, or fails at once if the queue or the caller's share of it is full.
    pub(crate) async fn enter(&self, caller: Caller) -> Result<Turn, Full> {
        let mut share = self.queue.share();
        if !share.take(caller, 1) {
            return Err(Full);
        }
        let own = self.places.of(caller).acquire_owned().await.map_err(|_| Full)?;
        let place = Arc::clone(&self.places.all).acquire_owned().await.map_err(|_| Full)?;
        Ok(Turn { _held: (share, [own, place]) })
    }

    /// Number of callers working or waiting.
    pub(crate) fn len(&self) -> usize {
        usize::try_from(self.queue.held()).unwrap_or(usize::MAX)
    }
}

impl Places {
    /// The permits of a caller.
    fn of(&self, caller: Caller) -> Arc<Semaphore> {
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = of.get(&caller).and_then(Weak::upgrade) {
            return own;
        }
        of.retain(|_, own| own.strong_count() > 0);
        let own = Arc::new(Semaphore::new(self.of_one));
        of.insert(caller, Arc::downgrade(&own));
        own
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

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

    #[tokio::test]
    async fn a_caller_has_half_of_the_places_and_its_share_of_the_queue() {
        let turns = Turns::new(2, 12);
        let caller = |token| Some((TenantId(1), token));
        let first = turns.enter(caller(1)).await.expect("a turn");
        let mut second = Box::pin(turns.enter(caller(1)));
        assert!((&mut second).now_or_never().is_none(), "it waits, though there is a place");
        let mut third = Box::pin(turns.enter(caller(1)));
        assert!((&mut third).now_or_never().is_none());
        assert!(turns.enter(caller(1)).await.is_err(), "three of twelve are its share of the queue");
        let other = turns.with_queue(12);
        let another = other.enter(caller(2)).await.expect("a place of its own");
        assert!(other.enter(caller(1)).now_or_never().is_none(), "another queue leads to the same places");
        drop((first, third));
        drop(second.await.expect("the next turn"));
        assert_eq!((turns.len(), other.len()), (0, 1));
        drop(another);
        assert!(turns.enter(caller(3)).await.is_ok());
        assert_eq!(turns.places.of.lock().unwrap().len(), 1, "callers that are gone are forgotten");
    }
}
