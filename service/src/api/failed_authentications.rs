//! How often an address may present a token that is not known.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{PoisonError, RwLock},
    time::{Duration, Instant},
};

use generated_server::runtime::server::Failure;
use governor::{
    Quota,
    clock::{Clock, DefaultClock},
};

use super::rate::Rate;
use crate::{domain::token::SecretHash, http::counted};

/// How long a valid token is exempt after its last use.
const KNOWN: Duration = Duration::from_hours(1);

/// Counts attempts with tokens that have not been good within the last hour, by address. A good token costs an attempt when
/// it is presented first, and none from then on: a caller who guesses takes attempts from newcomers of the same address, and
/// nothing from those who are at work there.
#[derive(Debug)]
pub(crate) struct FailedAuthentications<C: Clock = DefaultClock> {
    attempts: Rate<IpAddr, C>,
    known: RwLock<HashMap<SecretHash, Instant>>,
}

impl FailedAuthentications {
    /// Maximum number of attempts in a minute; 0 for any number.
    pub(crate) fn new(per_minute: u32) -> Self {
        Self::with_clock(per_minute, DefaultClock::default())
    }
}

impl<C: Clock> FailedAuthentications<C> {
    fn with_clock(per_minute: u32, clock: C) -> Self {
        Self { attempts: Rate::with_clock(Quota::per_minute, per_minute, clock), known: RwLock::default() }
    }

    /// Allows a token lookup, or refuses it with 429 and the seconds to wait.
    pub(crate) fn admit(&self, address: IpAddr, token: SecretHash) -> Result<(), Failure> {
        let since = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&token).copied();
        if since.is_some_and(|since| since.elapsed() < KNOWN) {
            return Ok(());
        }
        self.attempts
            .count(&counted(address), || "too many tokens that are not known came from this address".to_owned())
    }

    /// Records that the token was valid.
    pub(crate) fn is_known(&self, token: SecretHash) {
        let since = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&token).copied();
        // Not with every request: writing would make all of them wait for each other.
        if self.attempts.count > 0 && since.is_none_or(|since| since.elapsed() > KNOWN / 2) {
            self.known.write().unwrap_or_else(PoisonError::into_inner).insert(token, Instant::now());
        }
    }

    /// Records that the token was not valid.
    pub(crate) fn is_not_known(&self, token: SecretHash) {
        let was_known = self.known.read().unwrap_or_else(PoisonError::into_inner).contains_key(&token);
        if was_known {
            self.known.write().unwrap_or_else(PoisonError::into_inner).remove(&token);
        }
    }

    /// Forgets addresses with no used attempts, and tokens that are no longer exempt.
    pub(crate) fn forget_idle(&self) {
        self.attempts.forget_idle();
        self.known.write().unwrap_or_else(PoisonError::into_inner).retain(|_, since| since.elapsed() < KNOWN);
    }
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;
    use http::header;

    use super::*;

    const GOOD: SecretHash = SecretHash([1; 32]);

    /// The seconds to wait before an attempt, if any.
    fn wait<C: Clock>(failed: &FailedAuthentications<C>, address: &str, token: SecretHash) -> Option<u64> {
        let failure = failed.admit(address.parse().unwrap(), token).err()?;
        Some(failure.headers()[header::RETRY_AFTER].to_str().unwrap().parse().unwrap())
    }

    #[test]
    fn guessing_is_limited_by_address_and_does_not_lock_out_callers_at_work() {
        let clock = FakeRelativeClock::default();
        let failed = FailedAuthentications::with_clock(7, clock.clone());
        let guess = |number: u8| SecretHash([number; 32]);
        assert_eq!(wait(&failed, "192.0.2.1", GOOD), None);
        failed.is_known(GOOD);
        for number in 10..16 {
            assert_eq!(wait(&failed, "192.0.2.1", guess(number)), None);
            failed.is_not_known(guess(number));
        }
        // One attempt is restored every 8.57 s.
        assert_eq!(wait(&failed, "192.0.2.1", guess(16)), Some(9));
        assert_eq!(wait(&failed, "192.0.2.1", GOOD), None, "a token that was good a moment ago");
        assert_eq!(wait(&failed, "192.0.2.2", guess(16)), None, "another address");
        assert_eq!(wait(&failed, "2001:db8::1", guess(16)), None);
        failed.forget_idle();
        assert_eq!(failed.attempts.known(), Some(3), "no address is forgotten that would be refused");

        clock.advance(Duration::from_secs(8));
        assert_eq!(wait(&failed, "192.0.2.1", guess(17)), Some(1));
        clock.advance(Duration::from_secs(1));
        assert_eq!(wait(&failed, "192.0.2.1", guess(17)), None, "an address that waits as it is told gets through");
        // Revoked; this attempt is the last free one.
        failed.is_not_known(GOOD);
        assert_eq!(wait(&failed, "192.0.2.1", GOOD), Some(9));

        clock.advance(Duration::from_hours(1));
        assert_eq!((0..8).filter(|_| wait(&failed, "192.0.2.1", guess(18)).is_none()).count(), 7);
        clock.advance(Duration::from_hours(1));
        failed.forget_idle();
        assert_eq!(failed.attempts.known(), Some(0));
    }
}
