//! `service token …`: creates, lists and revokes tokens.

use std::{fs::File, io::Write as _, path::Path};

use anyhow::{Context as _, Result, bail};
use jiff::{SignedDuration, Timestamp};

use crate::{
    api,
    cli::{CreateToken, Rights, Token as Command},
    config::Config,
    domain::{
        caller::{Actor, Visibility},
        tenant::TenantId,
        token::{AREAS, Grants, NewToken, Secret, Token},
    },
    start,
};

/// Runs the command.
pub async fn token(config: &Config, command: Command) -> Result<()> {
    let store = match command {
        Command::List => start::open_store_to_read(config)?,
        Command::Create(_) | Command::Revoke { .. } => start::open_store(config, false, false)?,
    };
    let records = store.tenant(TenantId::FIRST).acting_for(Actor::internal("token"));
    match command {
        Command::Create(mut arguments) => {
            let path = arguments.token_file.take();
            let new = new_token(arguments)?;
            ensure_new(path.as_deref())?;
            let (token, secret) = records.create_token(new).await?;
            hand_over(&token, &secret, path.as_deref())?;
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

/// Refuses an existing file for a token: it may hold another secret.
pub(super) fn ensure_new(file: Option<&Path>) -> Result<()> {
    match file {
        Some(file) if file.exists() => bail!("{} cannot be made: it is there already", file.display()),
        Some(file) if file.parent().is_some_and(|folder| !folder.as_os_str().is_empty() && !folder.exists()) => {
            bail!("{} cannot be made: there is no such folder", file.display())
        }
        _ => Ok(()),
    }
}

/// Writes a new token to the file, or to standard output.
pub(super) fn hand_over(token: &Token, secret: &Secret, file: Option<&Path>) -> Result<()> {
    let (id, name) = (token.id, &token.name);
    let Some(path) = file else {
        println!("token {id} \"{name}\", shown this once:\n{}", secret.reveal());
        return Ok(());
    };
    let written = File::create_new(path).and_then(|mut file| {
        writeln!(file, "{}", secret.reveal())?;
        file.sync_all()
    });
    let path = path.display();
    written.with_context(|| format!("{path} cannot be written: revoke token {id}, which is lost, and make another"))?;
    println!("token {id} \"{name}\" is in {path}");
    Ok(())
}

/// The requested rights; a token without rights is refused.
pub(super) fn grants(rights: Rights) -> Result<Grants> {
    if rights.all {
        return Ok(Grants::all(api::functions()));
    }
    let grants =
        Grants { functions: rights.functions.into_iter().collect(), scopes: rights.scopes.into_iter().collect() };
    if grants.scopes.is_empty() {
        bail!("say what the token may do: `--scope read:crm`, as often as needed, or `--all`");
    }
    if let Some(scope) = grants.empty_scope() {
        bail!(
            "the scope `{scope}` covers nothing: a scope is `read:` or `write:` and one of {}; `*` stands for any",
            AREAS.join(", ")
        );
    }
    let known = api::functions();
    if let Some(function) = grants.functions.iter().find(|function| !known.contains(function)) {
        let known: Vec<_> = known.iter().map(ToString::to_string).collect();
        bail!("the function {function} is not known: {}", known.join(", "));
    }
    Ok(grants)
}

fn new_token(arguments: CreateToken) -> Result<NewToken> {
    let grants = grants(arguments.rights)?;
    let days = |days: u32| Timestamp::now().checked_add(SignedDuration::from_hours(24 * i64::from(days)));
    Ok(NewToken {
        name: arguments.name,
        grants,
        visible: if arguments.accounts.is_empty() { Visibility::All } else { Visibility::of(arguments.accounts) },
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
