//! `service token …`: creates, lists and revokes tokens.

use std::{
    fs::{self, File},
    io::Write as _,
    path::PathBuf,
};

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
};

/// Runs the command.
pub async fn token(config: &Config, command: Command) -> Result<()> {
    let store = match command {
        Command::List => super::store_to_read(config)?,
        Command::Create(_) | Command::Revoke { .. } => super::store(config)?,
    };
    let records = store.tenant(TenantId::FIRST).acting_for(Actor::internal("token"));
    match command {
        Command::Create(mut arguments) => {
            let path = arguments.token_file.take();
            let new = new_token(arguments)?;
            let file = path.map(SecretFile::create).transpose()?;
            let (token, secret) = records.create_token(new).await?;
            hand_over(&token, &secret, file)?;
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

/// A file for a new token. Dropping it without a token removes it.
pub(super) struct SecretFile {
    path: PathBuf,
    file: File,
    is_kept: bool,
}

impl SecretFile {
    /// Creates the file, which must not exist: it may contain another secret.
    pub(super) fn create(path: PathBuf) -> Result<Self> {
        let file = File::create_new(&path).with_context(|| format!("{} cannot be made", path.display()))?;
        Ok(Self { path, file, is_kept: false })
    }

    fn keep(mut self, secret: &Secret) -> Result<()> {
        let written = writeln!(self.file, "{}", secret.reveal()).and_then(|()| self.file.sync_all());
        written.with_context(|| format!("{} cannot be written", self.path.display()))?;
        self.is_kept = true;
        Ok(())
    }
}

impl Drop for SecretFile {
    fn drop(&mut self) {
        if !self.is_kept {
            // The original error has been reported; the file is empty.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Writes a new token to the file, or else to standard output.
pub(super) fn hand_over(token: &Token, secret: &Secret, file: Option<SecretFile>) -> Result<()> {
    let (id, name) = (token.id, &token.name);
    match file {
        None => println!("token {id} \"{name}\", shown this once:\n{}", secret.reveal()),
        Some(file) => {
            let path = file.path.display().to_string();
            file.keep(secret).with_context(|| format!("revoke token {id}, which nobody has, and make another"))?;
            println!("token {id} \"{name}\" is in {path}");
        }
    }
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
