//! Limits calls per caller and operation.

use std::num::NonZeroU32;

use generated_server::runtime::server::{Failure, Operation};
use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::NoOpMiddleware,
    state::keyed::DashMapStateStore,
};
use http::{StatusCode, header};

use crate::domain::{caller::Caller, tenant::TenantId};

/// A caller and an operation.
type Key = (TenantId, i32, &'static str);

type Limiter<C> = RateLimiter<Key, DashMapStateStore<Key>, C, NoOpMiddleware<<C as Clock>::Instant>>;

/// Counts calls by caller and operation (GCRA). The burst is an hour's limit, and each call is restored after
/// its share of the hour, so a caller within the limit is never refused.
#[derive(Debug)]
pub(crate) struct CallRate<C: Clock = DefaultClock> {
    per_hour: u32,
    limiter: Option<Limiter<C>>,
}

impl CallRate {
    /// Maximum number of calls per hour; 0 means no limit.
    pub(crate) fn new(per_hour: u32) -> Self {
        Self::with_clock(per_hour, DefaultClock::default())
    }
}

impl<C: Clock> CallRate<C> {
    fn with_clock(per_hour: u32, clock: C) -> Self {
        let quota = NonZeroU32::new(per_hour).map(Quota::per_hour);
        let limiter = quota.map(|quota| RateLimiter::new(quota, DashMapStateStore::default(), clock));
        Self { per_hour, limiter }
    }

    /// Counts a call, or refuses it with 429 and the seconds to wait.
    pub(crate) fn count(&self, caller: &Caller, operation: &Operation) -> Result<(), Failure> {
        let Some(limiter) = &self.limiter else { return Ok(()) };
        limiter.check_key(&(caller.tenant, caller.token, operation.id)).map_err(|until| {
            let wait = until.wait_time_from(limiter.clock().now());
            // Round up: a caller that waits this long must not be refused.
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            let message = format!("{} may be called {} times an hour", operation.id, self.per_hour);
            Failure::new(StatusCode::TOO_MANY_REQUESTS, message).with_header(header::RETRY_AFTER, seconds)
        })
    }

    /// Forgets callers without used calls.
    pub(crate) fn forget_idle(&self) {
        if let Some(limiter) = &self.limiter {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use generated_server::{account_codes::get_account_codes_lookup, colors_lookup::get_colors_lookup};
    use governor::clock::FakeRelativeClock;

    use super::*;
    use crate::domain::{caller::Visibility, token::Grants};

    fn caller(token: i32) -> Caller {
        Caller {
            tenant: TenantId::FIRST,
            token,
            name: "test".into(),
            assignee: None,
            grants: Grants::default().into(),
            visible: Visibility::All,
        }
    }

    /// How long a call has to wait, if at all.
    fn wait<C: Clock>(rate: &CallRate<C>, token: i32) -> Option<u64> {
        let failure = rate.count(&caller(token), &get_colors_lookup::OPERATION).err()?;
        assert_eq!(failure.status(), StatusCode::TOO_MANY_REQUESTS);
        Some(failure.headers()[header::RETRY_AFTER].to_str().unwrap().parse().unwrap())
    }

    #[test]
    fn who_waits_as_told_gets_through_and_who_does_not_is_refused() {
        let clock = FakeRelativeClock::default();
        let rate = CallRate::with_clock(1500, clock.clone());
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
    fn operations_and_callers_are_counted_apart_and_idle_ones_forgotten() {
        let clock = FakeRelativeClock::default();
        let rate = CallRate::with_clock(1, clock.clone());
        assert_eq!(wait(&rate, 1), None);
        assert_eq!(wait(&rate, 1), Some(3600));
        assert_eq!(wait(&rate, 2), None);
        assert!(rate.count(&caller(1), &get_account_codes_lookup::OPERATION).is_ok());

        let known = || rate.limiter.as_ref().map(RateLimiter::len);
        rate.forget_idle();
        assert_eq!(known(), Some(3), "nobody is forgotten who would be refused");
        clock.advance(Duration::from_hours(2));
        rate.forget_idle();
        assert_eq!(known(), Some(0));
    }

    #[test]
    fn zero_is_no_limit() {
        let rate = CallRate::new(0);
        assert!((0..5000).all(|_| wait(&rate, 1).is_none()));
    }
}
