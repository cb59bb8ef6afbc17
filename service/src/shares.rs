//! Per-tenant and per-token quotas of a global limit: bytes of buffered bodies, permits for long work.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::domain::tenant::TenantId;

/// Tenant and token id; `None` is the service itself.
pub type Caller = Option<(TenantId, i32)>;

/// A shared limit; cheap to clone.
#[derive(Clone, Debug)]
pub struct Shares {
    limit: u64,
    held: Arc<Mutex<HashMap<Caller, u64>>>,
}

/// What a caller holds, until dropped.
#[derive(Debug)]
pub struct Share {
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
    pub fn held(&self) -> u64 {
        self.held.lock().values().sum()
    }

    /// An empty share.
    pub fn share(&self) -> Share {
        Share { shares: self.clone(), caller: None, amount: 0 }
    }
}

impl Share {
    /// Holds more; `false` if it would exceed a limit.
    #[must_use]
    pub fn take(&mut self, caller: Caller, amount: u64) -> bool {
        let limit = self.shares.limit;
        let mut held = self.shares.held.lock();
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
        let mut held = self.shares.held.lock();
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
pub struct FairSemaphore {
    queue: Shares,
    limits: Arc<Limits>,
}

#[derive(Debug)]
struct Limits {
    all: Arc<Semaphore>,
    /// The limit of one caller.
    of_one: usize,
    /// The permits of each active caller.
    of: Mutex<HashMap<Caller, Weak<Semaphore>>>,
}

/// A permit, until dropped.
#[derive(Debug)]
pub struct Permit {
    _held: (Share, [OwnedSemaphorePermit; 2]),
}

impl FairSemaphore {
    /// With `at_once` permits, and `queue` callers working or waiting.
    pub fn new(at_once: usize, queue: usize) -> Self {
        let all = Arc::new(Semaphore::new(at_once));
        let limits = Limits { all, of_one: at_once.div_ceil(2), of: Mutex::default() };
        Self { queue: Shares::new(queue as u64), limits: Arc::new(limits) }
    }

    /// The same permits with a separate queue.
    #[must_use]
    pub fn with_queue(&self, queue: usize) -> Self {
        Self { queue: Shares::new(queue as u64), limits: Arc::clone(&self.limits) }
    }

    /// Waits for a permit; `None` at once if the queue or the caller's share of it is full.
    pub async fn acquire(&self, caller: Caller) -> Option<Permit> {
        let mut share = self.queue.share();
        if !share.take(caller, 1) {
            return None;
        }
        let own = self.limits.of(caller).acquire_owned().await.ok()?;
        let shared = Arc::clone(&self.limits.all).acquire_owned().await.ok()?;
        Some(Permit { _held: (share, [own, shared]) })
    }

    /// Number of callers working or waiting.
    pub fn callers(&self) -> usize {
        usize::try_from(self.queue.held()).unwrap_or(usize::MAX)
    }
}

impl Limits {
    /// The permits of a caller.
    fn of(&self, caller: Caller) -> Arc<Semaphore> {
        let mut of = self.of.lock();
        if let Some(own) = of.get(&caller).and_then(Weak::upgrade) {
            return own;
        }
        of.retain(|_, own| own.strong_count() > 0);
        let own = Arc::new(Semaphore::new(self.of_one));
        of.insert(caller, Arc::downgrade(&own));
        own
    }
}
