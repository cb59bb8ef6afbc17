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

/// Counts attempts by address, except those with a token that was valid within the last hour. So a caller who guesses uses up
/// the attempts of new tokens from the same address, and does not disturb tokens that are in use there.
#[derive(Debug)]
pub struct FailedAuthentications<C: Clock = DefaultClock> {
    attempts: Rate<IpAddr, C>,
    /// Tokens that are exempt, and since when.
    known: RwLock<HashMap<SecretHash, Instant>>,
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
        Self { attempts: Rate::with_clock(Quota::per_minute, per_minute, clock), known: RwLock::default() }
    }

    /// Allows a token lookup, or refuses it with 429 and the seconds to wait.
    pub fn admit(&self, address: IpAddr, token: SecretHash) -> Result<(), Failure> {
        let since = self.known.read().get(&token).copied();
        if since.is_some_and(|since| since.elapsed() < KNOWN) {
            return Ok(());
        }
        self.attempts
            .count(&counted(address), || "too many tokens that are not known came from this address".to_owned())
    }

    /// Exempts a token that is valid.
    pub fn remember(&self, token: SecretHash) {
        let since = self.known.read().get(&token).copied();
        // Not with every request: writing would make all of them wait for each other.
        if self.attempts.count > 0 && since.is_none_or(|since| since.elapsed() > KNOWN / 2) {
            self.known.write().insert(token, Instant::now());
        }
    }

    /// Ends the exemption of a token that is not valid.
    pub fn forget(&self, token: SecretHash) {
        let was_known = self.known.read().contains_key(&token);
        if was_known {
            self.known.write().remove(&token);
        }
    }

    /// Forgets addresses with no used attempts, and tokens that are no longer exempt; returns the number of addresses left.
    pub fn forget_idle(&self) -> usize {
        self.known.write().retain(|_, since| since.elapsed() < KNOWN);
        self.attempts.forget_idle()
    }
}
