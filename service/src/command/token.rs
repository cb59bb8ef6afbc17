//! `service token …`: makes, lists and revokes tokens.

use anyhow::{Result, bail};
use jiff::{SignedDuration, Timestamp};

use crate::{
    api,
    cli::{CreateToken, Token as Command},
    config::Config,
    domain::{
        caller::{Actor, Visibility},
        tenant::TenantId,
        token::{AREAS, Grants, NewToken, Token},
    },
};

/// Does what the command says.
pub async fn token(config: &Config, command: Command) -> Result<()> {
    super::ensure_store(config)?;
    let store = super::store(config)?;
    let records = store.tenant(TenantId::FIRST).acting_for(Actor::internal("token"));
    match command {
        Command::Create(arguments) => {
            let (token, secret) = records.create_token(new_token(arguments)?).await?;
            println!("token {} \"{}\", shown this once:\n{}", token.id, token.name, secret.reveal());
        }
        Command::List => {
            for token in records.tokens().await? {
                println!("{}", line(&token));
            }
        }
        Command::Revoke { id } => {
            if !records.revoke_token(id).await? {
                bail!("there is no token {id} that could be revoked");
            }
            println!("token {id} is revoked");
        }
    }
    store.close();
    Ok(())
}

fn new_token(arguments: CreateToken) -> Result<NewToken> {
    let functions = match (arguments.no_functions, arguments.functions.as_slice()) {
        (true, _) => Vec::new(),
        (false, []) => api::functions(),
        (false, functions) => functions.to_vec(),
    };
    let grants = Grants { functions: functions.into_iter().collect(), scopes: arguments.scopes.into_iter().collect() };
    if let Some(scope) = grants.empty_scope() {
        bail!(
            "the scope `{scope}` covers nothing: a scope is `read:` or `write:` and one of {}; `*` stands for any",
            AREAS.join(", ")
        );
    }
    let mut accounts = arguments.accounts;
    accounts.sort_unstable();
    let days = |days: u32| Timestamp::now().checked_add(SignedDuration::from_hours(24 * i64::from(days)));
    Ok(NewToken {
        name: arguments.name,
        grants,
        visible: if accounts.is_empty() { Visibility::All } else { Visibility::Accounts(accounts.into()) },
        assignee: arguments.assignee,
        expires_on: arguments.days.map(days).transpose()?,
    })
}

fn line(token: &Token) -> String {
    let scopes = token.grants.scopes.iter().cloned().collect::<Vec<_>>().join(",");
    let functions = token.grants.functions.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let accounts = match &token.visible {
        Visibility::All => "all".to_owned(),
        Visibility::Accounts(accounts) => accounts.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
    };
    let moment = |moment: Option<Timestamp>| moment.map_or("never".to_owned(), |moment| format!("{moment:.0}"));
    let state = if token.is_usable(Timestamp::now()) { "usable" } else { "ended" };
    format!(
        "{}\t{}\t{state}\tscopes {scopes}\tfunctions {functions}\taccounts {accounts}\tlast used {}\texpires {}",
        token.id,
        token.name,
        moment(token.last_used_on),
        moment(token.expires_on),
    )
}
