//! Tokens.

use std::{
    collections::HashMap,
    sync::{PoisonError, RwLock},
    time::{Duration, Instant},
};

use jiff::{SignedDuration, Timestamp};

use super::{Backend, Error, Store, TenantStore, delegate};
use crate::domain::token::{NewToken, Secret, SecretHash, Token};

/// The last use of a token is noted no more often than this.
const USE_INTERVAL: SignedDuration = SignedDuration::from_mins(1);

/// A token that was found is not asked for again for so long, which is how long a revocation may take.
const RECENT: Duration = Duration::from_millis(250);

/// The tokens that have been found a moment ago, and when they were asked for.
#[derive(Debug, Default)]
pub(super) struct Recent(RwLock<HashMap<SecretHash, (Instant, Token)>>);

impl Recent {
    fn get(&self, hash: SecretHash) -> Option<Token> {
        let tokens = self.0.read().unwrap_or_else(PoisonError::into_inner);
        tokens.get(&hash).filter(|(asked, _)| asked.elapsed() < RECENT).map(|(_, token)| token.clone())
    }

    fn keep(&self, hash: SecretHash, asked: Instant, token: Token) {
        let mut tokens = self.0.write().unwrap_or_else(PoisonError::into_inner);
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
