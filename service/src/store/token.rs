//! Tokens.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{
    FutureExt as _,
    future::{BoxFuture, Shared, WeakShared},
};
use jiff::{SignedDuration, Timestamp};
use parking_lot::{Mutex, RwLock};

use super::{export, operation::*, resource, text};
use crate::domain::{
    text::is_blank,
    token::{Grants, NewToken, Secret, SecretHash, Token},
};

/// The last use of a token is recorded at most this often.
const USE_INTERVAL: SignedDuration = SignedDuration::from_mins(1);

/// How long a token is cached, and so how long a revocation may take.
const RECENT: Duration = Duration::from_millis(250);

/// A lookup of a token, shared by all requests that wait for it.
type Lookup = BoxFuture<'static, Result<Option<Token>, Error>>;

/// Tokens that were found recently, and lookups in progress, each with the time of its start.
#[derive(Debug, Default)]
pub(super) struct Recent {
    found: RwLock<HashMap<SecretHash, (Instant, Token)>>,
    /// A lookup ends when no caller waits for it any more.
    asked: Mutex<HashMap<SecretHash, (Instant, WeakShared<Lookup>)>>,
}

impl Recent {
    fn get(&self, hash: SecretHash) -> Option<Token> {
        let tokens = self.found.read();
        tokens.get(&hash).filter(|(asked, _)| asked.elapsed() < RECENT).map(|(_, token)| token.clone())
    }

    /// The lookup in progress, unless it is so old that it may miss a revocation; otherwise the one that
    /// `ask` begins.
    fn share(&self, hash: SecretHash, ask: impl FnOnce() -> Lookup) -> Shared<Lookup> {
        let mut lookups = self.asked.lock();
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
        let mut tokens = self.found.write();
        tokens.retain(|_, (asked, _)| asked.elapsed() < RECENT);
        tokens.insert(hash, (asked, token));
    }
}

impl Store {
    /// The token with the secret, of any tenant, whether it is usable or not. Records its use.
    pub async fn token(&self, hash: SecretHash) -> Result<Option<Token>, Error> {
        if let Some(token) = self.tokens.get(hash) {
            return Ok(Some(token));
        }
        let ask = || {
            let store = self.clone();
            async move { store.look_up(hash).await }.boxed()
        };
        self.tokens.share(hash, ask).await
    }

    async fn look_up(&self, hash: SecretHash) -> Result<Option<Token>, Error> {
        let asked = Instant::now();
        // The secret determines the tenant.
        let any = self.tenant(TenantId::FIRST);
        let Some(token) = any.view(Cost::Short, hash, find).await? else { return Ok(None) };
        let now = Timestamp::now();
        if token.is_usable(now) && token.last_used_on.is_none_or(|last| now.duration_since(last) >= USE_INTERVAL) {
            let (tenant, id) = (self.tenant(token.tenant), token.id);
            // The caller does not wait for it. If the store is busy, the next use is recorded instead.
            tokio::spawn(async move { tenant.change((id, now), note_use).await });
        }
        self.tokens.keep(hash, asked, token.clone());
        Ok(Some(token))
    }
}

impl TenantStore {
    /// Creates a token. Its secret is returned only here.
    pub async fn create_token(&self, new: NewToken) -> Result<(Token, Secret), Error> {
        let secret = Secret::generate().map_err(Error::database)?;
        let token = self.change((new, secret.hash()), create).await?;
        Ok((token, secret))
    }

    /// All tokens, including revoked ones.
    pub async fn tokens(&self) -> Result<Vec<Token>, Error> {
        self.view(Cost::Long, (), |view, ()| async move {
            let sql = format!("SELECT {COLUMNS} FROM tokens WHERE tenant_id = $1 ORDER BY id");
            let rows = view.rows(Statement::new(sql, values![view.tenant.0])).await?;
            rows.iter().map(read).collect()
        })
        .await
    }

    /// Revokes a token. Returns false if there is none, or if it is revoked already.
    ///
    /// Returns once no process accepts the token any more.
    pub async fn revoke_token(&self, id: i32) -> Result<bool, Error> {
        let is_revoked = self.change(id, revoke).await?;
        if is_revoked {
            tokio::time::sleep(RECENT).await;
        }
        Ok(is_revoked)
    }
}

const COLUMNS: &str = "tenant_id, id, name, functions, scopes, accounts, assignee_id, created_on, expires_on, \
                       last_used_on, revoked_on";

fn read(row: &Row) -> Result<Token, Error> {
    let accounts: Option<String> = row.get(5)?;
    Ok(Token {
        tenant: TenantId(row.get(0)?),
        id: row.get(1)?,
        name: row.get::<String>(2)?.into(),
        grants: Arc::new(Grants {
            functions: text::read(&row.get::<String>(3)?)?,
            scopes: text::read(&row.get::<String>(4)?)?,
        }),
        visible: match accounts {
            Some(accounts) => Visibility::of(text::read(&accounts)?),
            None => Visibility::All,
        },
        assignee: row.get(6)?,
        created_on: row.get(7)?,
        expires_on: row.get(8)?,
        last_used_on: row.get(9)?,
        revoked_on: row.get(10)?,
    })
}

async fn find(view: View, hash: SecretHash) -> Result<Option<Token>, Error> {
    let mut statements = Vec::new();
    if view.session.dialect() == Dialect::Postgres {
        // Row-level security shows the row of any tenant to a session that knows its secret.
        let sql = "SELECT set_config('service.secret', encode($1, 'hex'), true)";
        statements.push(Statement::new(sql, values![hash.0]));
    }
    let sql = format!("SELECT {COLUMNS} FROM tokens WHERE secret_hash = $1");
    statements.push(Statement::new(sql, values![hash.0]));
    let answers = view.session.all(statements).await?;
    answers.last().and_then(|rows| rows.first()).map(read).transpose()
}

async fn create(change: Change, (new, hash): (NewToken, SecretHash)) -> Result<Token, Error> {
    let mut refusals = Vec::new();
    let visible = new.visible.accounts().map_or(Visibility::All, |accounts| Visibility::of(accounts.to_vec()));
    let checks = [
        ("/assignee", &resource::ASSIGNEES, new.assignee.as_slice()),
        ("/accounts", &resource::ACCOUNTS, visible.accounts().unwrap_or_default()),
    ];
    for (pointer, target, ids) in checks {
        let found = export::find(&change, target, ids).await?;
        let missing = ids.iter().zip(found).filter(|(_, found)| found.is_none());
        refusals.extend(missing.map(|(id, _)| Refusal::reference(pointer, target.one, id)));
    }
    if is_blank(&new.name) {
        refusals.push(Refusal::new("/name", "minLength", "is empty"));
    }
    accepted(refusals)?;

    let token = Token {
        id: change.id("tokens").await?,
        tenant: change.tenant,
        name: new.name.into(),
        grants: Arc::new(new.grants),
        visible,
        assignee: new.assignee,
        created_on: change.now,
        expires_on: new.expires_on,
        last_used_on: None,
        revoked_on: None,
    };
    let sql = "INSERT INTO tokens (tenant_id, id, name, secret_hash, functions, scopes, accounts, assignee_id, \
               created_on, expires_on) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let values = values![
        change.tenant.0,
        token.id,
        &*token.name,
        hash.0,
        array(token.grants.functions.iter().copied()),
        array(token.grants.scopes.iter().map(String::as_str)),
        token.visible.accounts().map(|accounts| array(accounts.iter().copied())),
        token.assignee,
        token.created_on,
        token.expires_on,
    ];
    change.rows(Statement::new(sql, values)).await?;
    change.note(&Subject::new("Token", token.id), None, Some(described(&token)));
    Ok(token)
}

async fn revoke(change: Change, id: i32) -> Result<bool, Error> {
    let for_update = change.session.dialect().for_update();
    let sql = format!("SELECT {COLUMNS} FROM tokens WHERE tenant_id = $1 AND id = $2{for_update}");
    let rows = change.rows(Statement::new(sql, values![change.tenant.0, id])).await?;
    let before = rows.first().map(read).transpose()?.filter(|token| token.revoked_on.is_none());
    let Some(before) = before else { return Ok(false) };
    let sql = "UPDATE tokens SET revoked_on = $3 WHERE tenant_id = $1 AND id = $2";
    change.rows(Statement::new(sql, values![change.tenant.0, id, change.now])).await?;
    let after = Token { revoked_on: Some(change.now), ..before.clone() };
    change.note(&Subject::new("Token", id), Some(described(&before)), Some(described(&after)));
    Ok(true)
}

/// Records when a token was presented.
async fn note_use(change: Change, (id, on): (i32, Timestamp)) -> Result<(), Error> {
    let sql = "UPDATE tokens SET last_used_on = $3
               WHERE tenant_id = $1 AND id = $2 AND (last_used_on IS NULL OR last_used_on < $3)";
    change.rows(Statement::new(sql, values![change.tenant.0, id, on])).await.map(drop)
}

/// A token for the audit log, without its secret.
fn described(token: &Token) -> String {
    let described = serde_json::json!({
        "Name": &*token.name,
        "Scopes": token.grants.scopes,
        "Functions": token.grants.functions,
        "Accounts": token.visible.accounts(),
        "AssigneeId": token.assignee,
        "ExpiresOn": token.expires_on,
        "RevokedOn": token.revoked_on,
    });
    described.to_string()
}
