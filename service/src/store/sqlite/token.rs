//! Tokens.

use std::sync::Arc;

use jiff::Timestamp;
use rusqlite::{Connection, Row};

use super::{change::Change, view::View};
use crate::{
    domain::{
        caller::Visibility,
        change::Subject,
        refusal::Refusal,
        tenant::TenantId,
        text::is_blank,
        token::{Grants, NewToken, SecretHash, Token},
    },
    store::{
        Error,
        sql::{text, token::described},
    },
};

const COLUMNS: &str = "tenant_id, id, name, functions, scopes, accounts, assignee_id, created_on, expires_on, \
                       last_used_on, revoked_on";

/// The token with that secret, of whatever tenant.
pub(super) fn find(connection: &Connection, hash: SecretHash) -> Result<Option<Token>, Error> {
    let sql = "SELECT tenant_id, id, name, functions, scopes, accounts, assignee_id, created_on, expires_on, \
               last_used_on, revoked_on FROM tokens WHERE secret_hash = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([hash.0])?;
    rows.next()?.map(read).transpose()
}

pub(super) fn all(view: &View<'_>) -> Result<Vec<Token>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM tokens WHERE tenant_id = ?1 ORDER BY id");
    let mut statement = view.connection.prepare_cached(&sql)?;
    let mut rows = statement.query([view.tenant.0])?;
    let mut tokens = Vec::new();
    while let Some(row) = rows.next()? {
        tokens.push(read(row)?);
    }
    Ok(tokens)
}

fn one(view: &View<'_>, id: i32) -> Result<Option<Token>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM tokens WHERE tenant_id = ?1 AND id = ?2");
    let mut statement = view.connection.prepare_cached(&sql)?;
    let mut rows = statement.query((view.tenant.0, id))?;
    rows.next()?.map(read).transpose()
}

fn read(row: &Row<'_>) -> Result<Token, Error> {
    let (functions, scopes): (String, String) = (row.get(3)?, row.get(4)?);
    let accounts: Option<String> = row.get(5)?;
    let moment = |column: usize| -> Result<Option<Timestamp>, Error> {
        let moment: Option<i64> = row.get(column)?;
        moment.map(Timestamp::from_microsecond).transpose().map_err(Error::database)
    };
    Ok(Token {
        tenant: TenantId(row.get(0)?),
        id: row.get(1)?,
        name: row.get(2)?,
        grants: Arc::new(Grants { functions: text::read(&functions)?, scopes: text::read(&scopes)? }),
        visible: match accounts {
            Some(accounts) => Visibility::Accounts(text::read::<Vec<i32>>(&accounts)?.into()),
            None => Visibility::All,
        },
        assignee: row.get(6)?,
        created_on: moment(7)?.unwrap_or_default(),
        expires_on: moment(8)?,
        last_used_on: moment(9)?,
        revoked_on: moment(10)?,
    })
}

pub(super) fn create(change: &Change<'_>, new: NewToken, hash: SecretHash) -> Result<Token, Error> {
    let mut refusals = Vec::new();
    change.check(&mut refusals, "/assignee".into(), ("assignee", "assignees"), new.assignee)?;
    let accounts: Option<Arc<[i32]>> = match new.visible {
        Visibility::All => None,
        Visibility::Accounts(accounts) => {
            let mut accounts = accounts.to_vec();
            accounts.sort_unstable();
            accounts.dedup();
            for account in &accounts {
                change.check(&mut refusals, "/accounts".into(), ("account", "accounts"), Some(*account))?;
            }
            Some(accounts.into())
        }
    };
    if is_blank(&new.name) {
        refusals.push(Refusal::new("/name", "minLength", "is empty"));
    }
    let accounts = super::change::accepted(refusals, accounts)?;

    let token = Token {
        id: change.next_id("tokens")?,
        tenant: change.view.tenant,
        name: new.name.into(),
        grants: Arc::new(new.grants),
        visible: accounts.clone().map_or(Visibility::All, Visibility::Accounts),
        assignee: new.assignee,
        created_on: change.now,
        expires_on: new.expires_on,
        last_used_on: None,
        revoked_on: None,
    };
    let sql = "INSERT INTO tokens (tenant_id, id, name, secret_hash, functions, scopes, accounts, assignee_id, \
               created_on, expires_on) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    change.connection().prepare_cached(sql)?.execute(rusqlite::params![
        change.tenant(),
        token.id,
        token.name,
        hash.0,
        text::write(&token.grants.functions)?,
        text::write(&token.grants.scopes)?,
        accounts.map(|accounts| text::write(&&*accounts)).transpose()?,
        token.assignee,
        change.now(),
        token.expires_on.map(Timestamp::as_microsecond),
    ])?;
    change.note(&Subject::new("Token", token.id), None, Some(described(&token)?))?;
    Ok(token)
}

/// False when there is no such token, or it is revoked already.
pub(super) fn revoke(change: &Change<'_>, id: i32) -> Result<bool, Error> {
    let Some(before) = one(&change.view, id)?.filter(|token| token.revoked_on.is_none()) else { return Ok(false) };
    let sql = "UPDATE tokens SET revoked_on = ?3 WHERE tenant_id = ?1 AND id = ?2";
    change.connection().prepare_cached(sql)?.execute((change.tenant(), id, change.now()))?;
    let after = Token { revoked_on: Some(change.now), ..before.clone() };
    change.note(&Subject::new("Token", id), Some(described(&before)?), Some(described(&after)?))?;
    Ok(true)
}

/// Notes when a token was presented.
pub(super) fn used(connection: &Connection, tenant: TenantId, id: i32, on: Timestamp) -> Result<(), Error> {
    let sql = "UPDATE tokens SET last_used_on = max(coalesce(last_used_on, ?3), ?3) WHERE tenant_id = ?1 AND id = ?2";
    connection.prepare_cached(sql)?.execute((tenant.0, id, on.as_microsecond()))?;
    Ok(())
}
