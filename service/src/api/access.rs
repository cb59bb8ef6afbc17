//! Who calls, and whether they may.

use std::sync::Arc;

use generated_server::{
    runtime::server::{Call, Failure},
    security::{Authenticator, Credentials},
};
use jiff::Timestamp;

use super::rate::CallRate;
use crate::{
    domain::{
        caller::Caller,
        token::{self, Secret},
    },
    store::Store,
};

/// Finds the bearer of a token, and refuses what the token does not allow, or no more of.
#[derive(Clone, Debug)]
pub struct Tokens {
    store: Store,
    rate: Arc<CallRate>,
}

impl Tokens {
    /// The tokens of a store.
    pub(crate) fn new(store: Store, rate: Arc<CallRate>) -> Self {
        Self { store, rate }
    }
}

impl Authenticator for Tokens {
    type Principal = Caller;

    async fn authenticate(
        &self,
        credentials: Credentials,
        scopes: &'static [&'static str],
        call: Call<()>,
    ) -> Result<Caller, Failure> {
        let Credentials::BearerAuth(bearer) = credentials;
        let found = self.store.token(Secret::presented(bearer.token).hash()).await.map_err(super::failure::of_store)?;
        // An unknown, an expired and a revoked token are told apart by nobody but their owner.
        let Some(found) = found.filter(|token| token.is_usable(Timestamp::now())) else {
            return Err(Failure::unauthorized("the token is not known, has expired or was revoked"));
        };
        let caller = found.caller();
        // Before anything is refused: what is refused costs a call, too.
        self.rate.count(&caller, call.operation())?;
        match scopes.iter().find(|scope| !caller.grants.allow(scope)) {
            None => Ok(caller),
            Some(missing) => Err(Failure::forbidden(match token::function(missing) {
                Some(function) => format!("access to function {function} is required"),
                None => format!("the token has no scope that covers `{missing}`"),
            })),
        }
    }
}
