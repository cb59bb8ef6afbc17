//! `service init`: creates a store and its first token.

use anyhow::{Context as _, Result, anyhow};

use crate::{
    cli,
    config::Config,
    domain::{caller::Actor, tenant::TenantId, token::NewToken},
    folder::{Lock, STORE},
    sample, start,
    store::Location,
};

use super::token::{ensure_new, grants, hand_over};

/// Creates the store, or changes nothing.
pub async fn init(config: &Config, arguments: cli::Init) -> Result<()> {
    let location = config.location()?;
    let is_there = || anyhow!("there is a store in {location} already; nothing has been changed");
    let mut rights = arguments.rights;
    rights.all |= rights.scopes.is_empty() && rights.functions.is_empty();
    let new = NewToken { name: arguments.token_name, grants: grants(rights)?, ..NewToken::default() };
    let _lock = config.is_embedded().then(|| Lock::take(&config.data)).transpose()?;
    if let Location::Sqlite(file) = &location
        && file.exists()
    {
        return Err(is_there());
    }
    let file = arguments.token_file.as_deref();
    ensure_new(file)?;
    let made = async {
        let store = start::open_store(config, true, false)?;
        if !store.is_new() {
            return Err(is_there());
        }
        let records = store.tenant(TenantId::FIRST).acting_for(Actor::internal("init"));
        if arguments.sample {
            sample::load(&records)?;
        }
        let token = if arguments.no_token { None } else { Some(records.create_token(new).await?) };
        store.close();
        anyhow::Ok(token)
    };
    let token = match made.await {
        Ok(token) => token,
        Err(error) if !config.is_embedded() => return Err(error),
        Err(error) => {
            for suffix in ["", "-wal", "-shm"] {
                // Report the original error.
                let _ = std::fs::remove_file(config.data.join(format!("{STORE}{suffix}")));
            }
            return Err(error).with_context(|| format!("no store has been made in {}", config.data.display()));
        }
    };
    println!("the store of \"{}\" is in {location}", config.tenant_name);
    if let Some((token, secret)) = token {
        hand_over(&token, &secret, file)?;
    }
    Ok(())
}
