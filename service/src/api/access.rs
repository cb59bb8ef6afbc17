//! Who calls, and whether they may.

use std::sync::Arc;

use generated_server::{
    runtime::server::{Call, Failure, Operation},
    security::{Authenticator, Credentials},
};
use jiff::Timestamp;

use super::rate::CallRate;
use crate::{
    domain::{caller::Caller, token::Secret},
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
        _: &'static [&'static str],
        call: Call<()>,
    ) -> Result<Caller, Failure> {
        let Credentials::BearerAuth(bearer) = credentials;
        let found = self.store.token(Secret::presented(bearer.token).hash()).await.map_err(super::failure::of_store)?;
        // An unknown, an expired and a revoked token are told apart by nobody but their owner.
        let Some(token) = found.filter(|token| token.is_usable(Timestamp::now())) else {
            return Err(Failure::unauthorized("the token is not known, has expired or was revoked"));
        };
        let caller = token.caller();
        // Before anything is refused: what is refused costs a call, too.
        self.rate.count(&caller, call.operation())?;
        let scope = scope(call.operation());
        if !caller.grants.has_scope(&scope) {
            return Err(Failure::forbidden(format!("the token has no scope that covers `{scope}`")));
        }
        Ok(caller)
    }
}

/// What a token must allow for an operation: `read:crm`, `write:attachments`.
fn scope(operation: &Operation) -> String {
    let verb = if operation.method == "GET" { "read" } else { "write" };
    let area = match operation.tag {
        "Accounts" | "Contacts" => "crm",
        "AccountCodes" | "ChartOfAccount" => "finance",
        "Assignees" => "hr",
        "Attachments" => "attachments",
        "CompanySettings" => "settings",
        "AgentNotes" | "AgentProcedure" | "Patch" => "agents",
        _ => "system",
    };
    format!("{verb}:{area}")
}
