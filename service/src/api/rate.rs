//! How often something may be done: by whom it is done is the key, and one time too many is refused with 429.

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

/// Counts by key. All of a quota may be used at once; each use is given back after its share of the time.
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

    /// Forgets keys whose whole quota has been given back.
    pub(crate) fn forget_idle(&self) {
        if let Some(limiter) = &self.limiter {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }

    /// How many keys are remembered.
    #[cfg(test)]
    pub(super) fn known(&self) -> Option<usize> {
        self.limiter.as_ref().map(RateLimiter::len)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use governor::clock::FakeRelativeClock;

    use super::*;

    /// How long a call has to wait, if it does.
    fn wait(rate: &Rate<i32, FakeRelativeClock>, key: i32) -> Option<u64> {
        let failure = rate.count(&key, String::new).err()?;
        assert_eq!(failure.status(), StatusCode::TOO_MANY_REQUESTS);
        Some(failure.headers()[header::RETRY_AFTER].to_str().unwrap().parse().unwrap())
    }

    #[test]
    fn callers_who_wait_as_told_get_through() {
        let clock = FakeRelativeClock::default();
        let rate = Rate::with_clock(Quota::per_hour, 1500, clock.clone());
        for _ in 0..1500 {
            assert_eq!(wait(&rate, 1), None);
        }
        // One call is restored every 2.4 s.
        assert_eq!(wait(&rate, 1), Some(3));
        clock.advance(Duration::from_secs(2));
        assert_eq!(wait(&rate, 1), Some(1));
        clock.advance(Duration::from_secs(1));
        assert_eq!(wait(&rate, 1), None);
        assert_eq!(wait(&rate, 1), Some(2));
        clock.advance(Duration::from_hours(1));
        assert_eq!((0..1501).filter(|_| wait(&rate, 1).is_none()).count(), 1500);
    }

    #[test]
    fn keys_are_counted_apart_and_idle_ones_forgotten() {
        let clock = FakeRelativeClock::default();
        let rate = Rate::with_clock(Quota::per_hour, 1, clock.clone());
        assert_eq!((wait(&rate, 1), wait(&rate, 1), wait(&rate, 2)), (None, Some(3600), None));
        rate.forget_idle();
        assert_eq!(rate.known(), Some(2), "no caller is forgotten who would be refused");
        clock.advance(Duration::from_hours(2));
        rate.forget_idle();
        assert_eq!(rate.known(), Some(0));
    }
}
