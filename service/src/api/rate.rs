//! Rate limits by key, such as a token or an address; requests beyond the limit are refused with 429.

use std::{hash::Hash, num::NonZeroU32};

use generated_server::runtime::server::Failure;
use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::NoOpMiddleware,
    state::keyed::DashMapStateStore,
};
use http::{StatusCode, header};

type Limiter<K, C> = RateLimiter<K, DashMapStateStore<K>, C, NoOpMiddleware<<C as Clock>::Instant>>;

/// Counts by key. The whole quota may be used at once; it refills evenly over its period.
#[derive(Debug)]
pub(crate) struct Rate<K: Hash + Eq + Clone, C: Clock = DefaultClock> {
    /// The quota; 0 for any number.
    pub(super) count: u32,
    limiter: Option<Limiter<K, C>>,
}

impl<K: Hash + Eq + Clone> Rate<K> {
    /// `count` times in the time that `quota` says; 0 for any number.
    pub(super) fn new(quota: fn(NonZeroU32) -> Quota, count: u32) -> Self {
        Self::with_clock(quota, count, DefaultClock::default())
    }
}

impl<K: Hash + Eq + Clone, C: Clock> Rate<K, C> {
    pub(super) fn with_clock(quota: fn(NonZeroU32) -> Quota, count: u32, clock: C) -> Self {
        let limiter =
            NonZeroU32::new(count).map(|count| RateLimiter::new(quota(count), DashMapStateStore::default(), clock));
        Self { count, limiter }
    }

    /// Counts once, or refuses it with the seconds to wait.
    pub(super) fn count(&self, key: &K, message: impl FnOnce() -> String) -> Result<(), Failure> {
        let Some(limiter) = &self.limiter else { return Ok(()) };
        limiter.check_key(key).map_err(|until| {
            let wait = until.wait_time_from(limiter.clock().now());
            // Rounded up: a caller who waits as long as this says must not be refused again.
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            Failure::new(StatusCode::TOO_MANY_REQUESTS, message()).with_header(header::RETRY_AFTER, seconds)
        })
    }

    /// Forgets keys whose whole quota has been given back; returns the number of those that are left.
    pub(crate) fn forget_idle(&self) -> usize {
        self.limiter.as_ref().map_or(0, |limiter| {
            limiter.retain_recent();
            limiter.shrink_to_fit();
            limiter.len()
        })
    }
}
