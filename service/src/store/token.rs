//! Tokens.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::{Duration, Instant},
};

use futures_util::{
    FutureExt as _,
    future::{BoxFuture, Shared, WeakShared},
};
use jiff::{SignedDuration, Timestamp};

use super::{Backend, Error, Store, TenantStore, delegate};
use crate::domain::token::{NewToken, Secret, SecretHash, Token};

/// The last use of a token is noted no more often than this.
const USE_INTERVAL: SignedDuration = SignedDuration::from_mins(1);

/// A token that was found is not asked for again for so long, which is how long a revocation may take.
const RECENT: Duration = Duration::from_millis(250);

/// A token that is being looked up, for all that ask for it meanwhile.
type Lookup = BoxFuture<'static, Result<Option<Token>, Arc<Error>>>;

/// The tokens that have been found a moment ago, and those that are being looked up; each with when it was asked for.
#[derive(Debug, Default)]
pub(super) struct Recent {
    found: RwLock<HashMap<SecretHash, (Instant, Token)>>,
    /// A lookup ends when nobody waits for it any more.
    asked: Mutex<HashMap<SecretHash, (Instant, WeakShared<Lookup>)>>,
}

impl Recent {
    fn get(&self, hash: SecretHash) -> Option<Token> {
        let tokens = self.found.read().unwrap_or_else(PoisonError::into_inner);
        tokens.get(&hash).filter(|(asked, _)| asked.elapsed() < RECENT).map(|(_, token)| token.clone())
    }

    /// What is being looked up already, unless that began so long ago that it may miss a revocation; else what `ask` begins.
    fn share(&self, hash: SecretHash, ask: impl FnOnce() -> Lookup) -> Shared<Lookup> {
        let mut lookups = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        lookups.retain(|_, (asked, lookup)| asked.elapsed() < RECENT && lookup.upgrade().is_some());
        if let Some(lookup) = lookups.get(&hash).and_then(|(_, lookup)| lookup.upgrade()) {
            return lookup;
        }
        let asked = Instant::now();
        let lookup = ask().shared();
        if let Some(weak) = lookup.downgrade() {
            lookups.insert(hash, (asked, weak));
        }
        lookup
    }

    fn keep(&self, hash: SecretHash, asked: Instant, token: Token) {
        let mut tokens = self.found.write().unwrap_or_else(PoisonError::into_inner);
        tokens.retain(|_, (asked, _)| asked.elapsed() < RECENT);
        tokens.insert(hash, (asked, token));
    }
}

impl Store {
    /// The token with that secret, of whatever tenant, whether it is usable or not. Its use is noted.
    pub async fn token(&self, hash: SecretHash) -> Result<Option<Token>, Error> {
        if let Some(token) = self.tokens.get(hash) {
            return Ok(Some(token));
        }
        let ask = || {
            let store = self.clone();
            async move { store.look_up(hash).await.map_err(Arc::new) }.boxed()
        };
        match self.tokens.share(hash, ask).await {
            Ok(token) => Ok(token),
            Err(error) => match Arc::try_unwrap(error) {
                Ok(error) => Err(error),
                Err(shared) => match *shared {
                    Error::Busy => Err(Error::Busy),
                    Error::TooLong(time) => Err(Error::TooLong(time)),
                    // Of other failures each one learns for itself.
                    _ => self.look_up(hash).await,
                },
            },
        }
    }

    async fn look_up(&self, hash: SecretHash) -> Result<Option<Token>, Error> {
        let asked = Instant::now();
        let token = match &self.backend {
            Backend::Sqlite(database) => database.find_token(hash).await?,
            Backend::Postgres(database) => database.find_token(hash).await?,
        };
        let now = Timestamp::now();
        if let Some(token) = &token
            && token.is_usable(now)
            && token.last_used_on.is_none_or(|last| now.duration_since(last) >= USE_INTERVAL)
        {
            // Nobody waits for it, and when the store is busy, the next use is noted.
            match &self.backend {
                Backend::Sqlite(database) => database.note_token_use(token.tenant, token.id, now),
                Backend::Postgres(database) => database.note_token_use(token.tenant, token.id, now),
            }
        }
        if let Some(token) = &token {
            self.tokens.keep(hash, asked, token.clone());
        }
        Ok(token)
    }
}

impl TenantStore {
    /// Makes a token; its secret is known only now.
    pub async fn create_token(&self, new: NewToken) -> Result<(Token, Secret), Error> {
        let secret = Secret::generate().map_err(|error| Error::Database(Box::new(error)))?;
        let hash = secret.hash();
        let token = delegate!(self.create_token(new, hash))?;
        Ok((token, secret))
    }

    /// Every token, revoked ones too.
    pub async fn tokens(&self) -> Result<Vec<Token>, Error> {
        delegate!(self.tokens())
    }

    /// Ends a token; false when there is none, or it has ended already.
    ///
    /// When it has ended one, it returns once no process accepts the token any more.
    pub async fn revoke_token(&self, id: i32) -> Result<bool, Error> {
        let is_revoked = delegate!(self.revoke_token(id))?;
        if is_revoked {
            tokio::time::sleep(RECENT).await;
        }
        Ok(is_revoked)
    }
}
