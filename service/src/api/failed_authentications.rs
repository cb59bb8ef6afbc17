//! The limit of requests with unknown tokens, by address.

use std::{
    collections::HashMap,
    net::IpAddr,
    time::{Duration, Instant},
};

use generated_server::runtime::server::Failure;
use governor::{
    Quota,
    clock::{Clock, DefaultClock},
};
use parking_lot::RwLock;

use super::rate::Rate;
use crate::{domain::token::SecretHash, http::counted};

/// How long a valid token is exempt after its last use.
const KNOWN: Duration = Duration::from_hours(1);

/// How long a token is exempt while it is looked up.
const LOOKUP: Duration = Duration::from_secs(10);

/// Counts attempts by address, except those with a token that was valid within the last hour, or that another request is
/// presenting. So a caller who guesses uses up the attempts of new tokens from the same address, and does not disturb tokens
/// that are in use there.
#[derive(Debug)]
pub struct FailedAuthentications<C: Clock = DefaultClock> {
    attempts: Rate<IpAddr, C>,
    /// Tokens that are exempt, and until when.
    exempt: RwLock<HashMap<SecretHash, Instant>>,
}

impl FailedAuthentications {
    /// Maximum number of attempts in a minute; 0 for any number.
    pub fn new(per_minute: u32) -> Self {
        Self::with_clock(per_minute, DefaultClock::default())
    }
}

impl<C: Clock> FailedAuthentications<C> {
    /// The same by another clock.
    pub fn with_clock(per_minute: u32, clock: C) -> Self {
        Self { attempts: Rate::with_clock(Quota::per_minute, per_minute, clock), exempt: RwLock::default() }
    }

    /// Allows a token lookup, or refuses it with 429 and the seconds to wait.
    pub fn admit(&self, address: IpAddr, token: SecretHash) -> Result<(), Failure> {
        if self.exempt_for(token).is_some() {
            return Ok(());
        }
        let many = || "too many tokens that are not known came from this address".to_owned();
        self.attempts.count(&counted(address), many)?;
        // The first requests of a client often come together, and share the lookup.
        self.exempt_until(token, LOOKUP);
        Ok(())
    }

    /// Exempts a token that is valid.
    pub fn remember(&self, token: SecretHash) {
        // Not with every request: writing would make all of them wait for each other.
        if self.exempt_for(token).is_none_or(|left| left < KNOWN / 2) {
            self.exempt_until(token, KNOWN);
        }
    }

    /// How long a token is still exempt.
    fn exempt_for(&self, token: SecretHash) -> Option<Duration> {
        let until = self.exempt.read().get(&token).copied()?;
        until.checked_duration_since(Instant::now())
    }

    fn exempt_until(&self, token: SecretHash, time: Duration) {
        if self.attempts.count > 0 {
            self.exempt.write().insert(token, Instant::now() + time);
        }
    }

    /// Ends the exemption of a token that is not valid.
    pub fn forget(&self, token: SecretHash) {
        self.exempt.write().remove(&token);
    }

    /// Forgets addresses with no used attempts, and tokens that are no longer exempt; returns the number of addresses left.
    pub fn forget_idle(&self) -> usize {
        let now = Instant::now();
        self.exempt.write().retain(|_, until| *until > now);
        self.attempts.forget_idle()
    }
}
