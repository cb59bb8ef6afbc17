//! `service init`: makes a store and its first token.

use anyhow::{Context as _, Result, bail};

use crate::{
    cli,
    config::Config,
    domain::{caller::Actor, tenant::TenantId, token::NewToken},
    folder::{Lock, STORE},
    sample, start,
};

use super::token::{SecretFile, grants};

/// Makes the store, or leaves everything as it was.
pub async fn init(config: &Config, arguments: cli::Init) -> Result<()> {
    let file = config.data.join(STORE);
    if file.exists() {
        bail!("there is a store in {} already; nothing has been changed", config.data.display());
    }
    let mut rights = arguments.rights;
    rights.all |= rights.scopes.is_empty() && rights.functions.is_empty();
    let new = NewToken { name: arguments.token_name, grants: grants(rights)?, ..NewToken::default() };
    let mut config = config.clone();
    config.tenant_name = arguments.tenant_name.unwrap_or(config.tenant_name);

    let _lock = Lock::take(&config.data)?;
    let secrets = arguments.token_file.map(SecretFile::create).transpose()?;
    let made = async {
        let store = start::open_store(&config, true)?;
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
        Err(error) => {
            for suffix in ["", "-wal", "-shm"] {
                // What matters is why there is no store.
                let _ = std::fs::remove_file(config.data.join(format!("{STORE}{suffix}")));
            }
            return Err(error).with_context(|| format!("no store has been made in {}", config.data.display()));
        }
    };
    println!("the store of \"{}\" is in {}", config.tenant_name, config.data.display());
    if let Some((token, secret)) = token {
        super::token::hand_over(&token, &secret, secrets)?;
    }
    Ok(())
}
