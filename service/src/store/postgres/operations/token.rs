//! Tokens.

use jiff::Timestamp;

use super::nobody;
use crate::{
    domain::{
        tenant::TenantId,
        token::{NewToken, SecretHash, Token},
    },
    store::{
        Error, Scope,
        postgres::{Database, token},
    },
};

impl Database {
    pub(in crate::store) async fn find_token(&self, hash: SecretHash) -> Result<Option<Token>, Error> {
        self.view(&nobody(), |view| token::find(view, hash)).await
    }

    /// Nobody waits for it; it is left out when too many writes are waiting.
    pub(in crate::store) fn note_token_use(&self, tenant: TenantId, id: i32, now: Timestamp) {
        let Ok(turn) = self.turns.own() else { return };
        let database = self.clone();
        tokio::spawn(async move {
            let noted = database.beside(tenant, &[token::used(tenant, id, now)]).await;
            drop(turn);
            noted
        });
    }

    pub(in crate::store) async fn create_token(
        &self,
        scope: &Scope,
        new: NewToken,
        hash: SecretHash,
    ) -> Result<Token, Error> {
        self.change_numbered(scope, &[("tokens", 1)], move |change, numbers| {
            token::create(change, numbers, new.clone(), hash)
        })
        .await
    }

    pub(in crate::store) async fn tokens(&self, scope: &Scope) -> Result<Vec<Token>, Error> {
        self.view(scope, token::all).await
    }

    pub(in crate::store) async fn revoke_token(&self, scope: &Scope, id: i32) -> Result<bool, Error> {
        self.change(scope, move |change| token::revoke(change, id)).await
    }
}
