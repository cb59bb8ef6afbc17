//! Tokens.

use jiff::Timestamp;

use crate::{
    domain::{
        tenant::TenantId,
        token::{NewToken, SecretHash, Token},
    },
    store::{
        Error, Scope,
        queue::NOBODY,
        sqlite::{Database, token},
    },
};

impl Database {
    pub(in crate::store) async fn find_token(&self, hash: SecretHash) -> Result<Option<Token>, Error> {
        self.read(NOBODY, move |reader| token::find(reader.connection(), hash)).await
    }

    /// Nobody waits for it; it is left out when the queue is full.
    pub(in crate::store) fn note_token_use(&self, tenant: TenantId, id: i32, now: Timestamp) {
        self.write_later(move |connection| token::used(connection, tenant, id, now));
    }

    pub(in crate::store) async fn create_token(
        &self,
        scope: &Scope,
        new: NewToken,
        hash: SecretHash,
    ) -> Result<Token, Error> {
        self.change(scope, move |change| token::create(change, new, hash)).await
    }

    pub(in crate::store) async fn tokens(&self, scope: &Scope) -> Result<Vec<Token>, Error> {
        self.view(scope, token::all).await
    }

    pub(in crate::store) async fn revoke_token(&self, scope: &Scope, id: i32) -> Result<bool, Error> {
        self.change(scope, move |change| token::revoke(change, id)).await
    }
}
