//! The retry policy of calls.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use http::header::RETRY_AFTER;
use http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

/// How often a call is retried, and the delays between attempts.
///
/// A call is always retried if its connection could not be made. After a response of 429, 502, 503 or 504, or without a
/// response, it is retried if its method is idempotent or it has an idempotency key. A call whose body is a stream is
/// never retried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retry {
    /// The maximum number of retries.
    pub times: u32,
    /// The delay before the first retry, doubled for each further one. Each delay is reduced by a random amount of up
    /// to half, so that many clients do not retry at the same time.
    pub first_delay: Duration,
    /// The maximum delay. If a server asks for a longer one by `Retry-After`, the call is not retried.
    pub longest_delay: Duration,
    /// The statuses that are retried.
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
    /// No retries.
    pub fn never() -> Self {
        Self::times(0)
    }

    /// At most `times` retries.
    pub fn times(times: u32) -> Self {
        Self { times, ..Self::default() }
    }

    /// The delay before retry number `repetition` (from 0) of a call without a response.
    pub(super) fn delay(&self, repetition: u32) -> Duration {
        let doubled = self.first_delay.saturating_mul(2_u32.saturating_pow(repetition));
        jittered(doubled.min(self.longest_delay))
    }

    /// The delay before retry number `repetition` of a call with this response; `None` if the response is final.
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
    // A past date means now.
    Some(Duration::try_from(Timestamp::now().duration_until(date)).unwrap_or_default())
}

/// A random duration between half of `delay` and `delay`.
fn jittered(delay: Duration) -> Duration {
    // Every `RandomState` has its own keys, so its hash of nothing is a random number.
    let random = RandomState::new().hash_one(());
    let half = u64::try_from(delay.as_nanos() / 2).unwrap_or(u64::MAX);
    delay.saturating_sub(Duration::from_nanos(random % half.saturating_add(1)))
}
