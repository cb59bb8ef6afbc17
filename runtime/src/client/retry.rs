//! When a call is sent again, and how long to wait before.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use http::header::RETRY_AFTER;
use http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

/// How often and how fast a call is sent again.
///
/// A call whose connection could not be made is sent again whatever its method. One that was answered 429, 502, 503 or
/// 504, or whose answer never came, is sent again if it can do no harm twice: its method is idempotent or it carries
/// an idempotency key. A body that is a stream is sent once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retry {
    /// How many times after the first.
    pub times: u32,
    /// The wait before the first repetition; each further one is twice as long. Up to half of it is left out by
    /// chance, so that many clients do not come back together.
    pub first_delay: Duration,
    /// The longest wait. A server that asks for a longer one by `Retry-After` is not asked again.
    pub longest_delay: Duration,
    /// The statuses that are worth another try.
    pub statuses: Vec<StatusCode>,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            times: 2,
            first_delay: Duration::from_millis(200),
            longest_delay: Duration::from_secs(30),
            statuses: vec![
                StatusCode::TOO_MANY_REQUESTS,
                StatusCode::BAD_GATEWAY,
                StatusCode::SERVICE_UNAVAILABLE,
                StatusCode::GATEWAY_TIMEOUT,
            ],
        }
    }
}

impl Retry {
    /// A call is sent once.
    pub fn never() -> Self {
        Self::times(0)
    }

    /// A call is sent at most `times` more.
    pub fn times(times: u32) -> Self {
        Self { times, ..Self::default() }
    }

    /// The wait before repetition number `repetition` (from 0) of a call that got no answer.
    pub(super) fn delay(&self, repetition: u32) -> Duration {
        let doubled = self.first_delay.saturating_mul(2_u32.saturating_pow(repetition));
        jittered(doubled.min(self.longest_delay))
    }

    /// The wait before repetition number `repetition` of a call that got this answer; none when it is final.
    pub(super) fn delay_after(&self, repetition: u32, status: StatusCode, headers: &HeaderMap) -> Option<Duration> {
        if !self.statuses.contains(&status) {
            return None;
        }
        match retry_after(headers) {
            Some(asked) => (asked <= self.longest_delay).then_some(asked),
            None => Some(self.delay(repetition)),
        }
    }
}

/// `Retry-After`, in seconds or as a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = DateTimeParser::new().parse_timestamp(text).ok()?;
    // A date that is over means now.
    Some(Duration::try_from(Timestamp::now().duration_until(date)).unwrap_or_default())
}

/// Between half of `delay` and all of it.
fn jittered(delay: Duration) -> Duration {
    // Every `RandomState` has keys of its own, so that its hash of nothing is a random number.
    let random = RandomState::new().hash_one(());
    let half = u64::try_from(delay.as_nanos() / 2).unwrap_or(u64::MAX);
    delay.saturating_sub(Duration::from_nanos(random % half.saturating_add(1)))
}
