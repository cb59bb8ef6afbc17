//! Which token a call comes with, and what it allows.

use std::sync::Arc;

use axum::http::header;
use generated_server::{
    runtime::server::{Call, Failure},
    security::{Authenticator, Credentials},
};
use jiff::Timestamp;

use super::{Service, failure::unstored};
use crate::{
    domain::token::{Secret, Token, function},
    http::Trace,
};

/// The writing operations that support `If-Match` and `If-None-Match`.
pub const CONDITIONAL: [&str; 5] =
    ["PutAccount", "PatchAccount", "PutAttachment", "DeleteAttachment", "PutCompanySettings"];

/// Identifies callers by their tokens, and checks scopes and limits.
impl Authenticator for Service {
    type Principal = Token;

    async fn authenticate(
        &self,
        credentials: Credentials,
        scopes: &'static [&'static str],
        call: Call<()>,
    ) -> Result<Token, Failure> {
        let Credentials::BearerAuth(bearer) = credentials;
        let trace = call.extensions().get::<Arc<Trace>>();
        let hash = Secret::presented(bearer.token).hash();
        // Before the lookup: guessing must cost the attacker more than the service.
        if let Some(trace) = trace {
            self.failed_authentications.admit(trace.address, hash)?;
        }
        let found = self.store.token(hash).await?;
        // An unknown, an expired and a revoked token are answered alike.
        let Some(token) = found.filter(|token| token.is_usable(Timestamp::now())) else {
            self.failed_authentications.forget(hash);
            return Err(Failure::unauthorized("the token is not known, has expired or was revoked").into());
        };
        self.failed_authentications.remember(hash);
        if let Some(trace) = trace {
            trace.set_caller(token.tenant, token.id);
        }
        // First, because a refused call counts, too.
        let operation = call.operation().id;
        let many = || format!("{operation} may be called {} times an hour", self.calls.count);
        self.calls.count(&(token.tenant, token.id, operation), many)?;
        if let Some(missing) = scopes.iter().find(|scope| !token.grants.allow(scope)) {
            let message = match function(missing) {
                Some(function) => format!("access to function {function} is required"),
                None => format!("the token has no scope that covers `{missing}`"),
            };
            return Err(Failure::forbidden(message).into());
        }
        // Conditions must not be ignored.
        let is_read = call.operation().method == "GET";
        for (name, is_taken) in [(header::IF_MATCH, false), (header::IF_NONE_MATCH, is_read)] {
            let is_taken = is_taken || CONDITIONAL.contains(&call.operation().id);
            if !is_taken && call.headers().contains_key(&name) {
                return Err(Failure::bad_request(format!("this operation does not take `{name}`")).into());
            }
        }
        // Deletions are allowed on a full disk, because they free space.
        if matches!(call.operation().method, "POST" | "PUT" | "PATCH") && self.reserve.is_touched()? {
            return Err(unstored());
        }
        Ok(token)
    }
}
