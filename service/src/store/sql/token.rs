//! Tokens, as the audit log tells them.

use super::text;
use crate::{
    domain::{caller::Visibility, token::Token},
    store::Error,
};

/// A token for the audit log, without its secret.
pub(in crate::store) fn described(token: &Token) -> Result<String, Error> {
    let accounts = match &token.visible {
        Visibility::All => None,
        Visibility::Accounts(accounts) => Some(&**accounts),
    };
    text::write(&serde_json::json!({
        "Name": &*token.name,
        "Scopes": token.grants.scopes,
        "Functions": token.grants.functions,
        "Accounts": accounts,
        "AssigneeId": token.assignee,
        "ExpiresOn": token.expires_on,
        "RevokedOn": token.revoked_on,
    }))
}
