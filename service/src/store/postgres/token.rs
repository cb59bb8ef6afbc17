//! Tokens.

use std::sync::Arc;

use jiff::Timestamp;
use tokio_postgres::Row;

use super::{
    change::{Change, References, accepted},
    numbers::Numbers,
    session::{Query, parameters},
    view::View,
};
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
pub(super) async fn find(view: View, hash: SecretHash) -> Result<Option<Token>, Error> {
    let secret = Query::new("SELECT set_config('service.secret', encode($1, 'hex'), true)", parameters![hash.0]);
    let sql = format!("SELECT {COLUMNS} FROM tokens WHERE secret_hash = $1");
    let [_, rows] = view.session.run([secret, Query::new(sql, parameters![hash.0])]).await?;
    rows.first().map(read).transpose()
}

pub(super) async fn all(view: View) -> Result<Vec<Token>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM tokens WHERE tenant_id = $1 ORDER BY id");
    let rows = view.session.rows(Query::new(sql, parameters![view.tenant.0])).await?;
    rows.iter().map(read).collect()
}

fn read(row: &Row) -> Result<Token, Error> {
    let accounts: Option<&str> = row.try_get(5)?;
    let moment = |column: usize| -> Result<Option<Timestamp>, Error> {
        let moment: Option<i64> = row.try_get(column)?;
        moment.map(Timestamp::from_microsecond).transpose().map_err(Error::database)
    };
    Ok(Token {
        tenant: TenantId(row.try_get(0)?),
        id: row.try_get(1)?,
        name: row.try_get::<_, &str>(2)?.into(),
        grants: Arc::new(Grants { functions: text::read(row.try_get(3)?)?, scopes: text::read(row.try_get(4)?)? }),
        visible: match accounts {
            Some(accounts) => Visibility::Accounts(text::read::<Vec<i32>>(accounts)?.into()),
            None => Visibility::All,
        },
        assignee: row.try_get(6)?,
        created_on: moment(7)?.unwrap_or_default(),
        expires_on: moment(8)?,
        last_used_on: moment(9)?,
        revoked_on: moment(10)?,
    })
}

pub(super) async fn create(
    change: Change,
    mut numbers: Numbers,
    new: NewToken,
    hash: SecretHash,
) -> Result<Token, Error> {
    let mut references = References::default();
    references.id("/assignee", ("assignee", "assignees"), new.assignee);
    let accounts: Option<Arc<[i32]>> = match new.visible {
        Visibility::All => None,
        Visibility::Accounts(accounts) => {
            let mut accounts = accounts.to_vec();
            accounts.sort_unstable();
            accounts.dedup();
            for account in &accounts {
                references.id("/accounts", ("account", "accounts"), Some(*account));
            }
            Some(accounts.into())
        }
    };
    let mut refusals = Vec::new();
    change.resolve(references, &mut refusals).await?;
    if is_blank(&new.name) {
        refusals.push(Refusal::new("/name", "minLength", "is empty"));
    }
    let accounts = accepted(refusals, accounts)?;

    let token = Token {
        id: numbers.id("tokens")?,
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
               created_on, expires_on) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let insert = Query::new(
        sql,
        parameters![
            change.tenant(),
            token.id,
            &*token.name,
            hash.0,
            text::write(&token.grants.functions)?,
            text::write(&token.grants.scopes)?,
            accounts.map(|accounts| text::write(&&*accounts)).transpose()?,
            token.assignee,
            change.now(),
            token.expires_on.map(Timestamp::as_microsecond),
        ],
    );
    change.note(&Subject::new("Token", token.id), None, Some(described(&token)?));
    change.finish([insert]).await?;
    Ok(token)
}

/// False when there is no such token, or it is revoked already.
pub(super) async fn revoke(change: Change, id: i32) -> Result<bool, Error> {
    let sql = format!("SELECT {COLUMNS} FROM tokens WHERE tenant_id = $1 AND id = $2 FOR UPDATE");
    let rows = change.rows(sql, parameters![change.tenant(), id]).await?;
    let before = rows.first().map(read).transpose()?.filter(|token| token.revoked_on.is_none());
    let Some(before) = before else { return Ok(false) };
    let sql = "UPDATE tokens SET revoked_on = $3 WHERE tenant_id = $1 AND id = $2";
    let update = Query::new(sql, parameters![change.tenant(), id, change.now()]);
    let after = Token { revoked_on: Some(change.now), ..before.clone() };
    change.note(&Subject::new("Token", id), Some(described(&before)?), Some(described(&after)?));
    change.finish([update]).await?;
    Ok(true)
}

/// What notes when a token was presented.
pub(super) fn used(tenant: TenantId, id: i32, on: Timestamp) -> Query {
    let sql = "UPDATE tokens SET last_used_on = greatest(last_used_on, $3) WHERE tenant_id = $1 AND id = $2";
    Query::new(sql, parameters![tenant.0, id, on.as_microsecond()])
}
