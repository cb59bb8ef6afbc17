//! `service migrate`.

use anyhow::Result;

use super::ensure_store;
use crate::{config::Config, folder::Lock, start, store::Migrated};

/// Migrates the store while it is not served.
pub fn migrate(config: &Config) -> Result<()> {
    if config.is_embedded() {
        ensure_store(config)?;
    }
    let _lock = config.is_embedded().then(|| Lock::take(&config.data)).transpose()?;
    let store = start::open_store(config, false, true)?;
    if let Some(Migrated { from, to, copy }) = store.migrated() {
        let copy = copy.display();
        println!("the store has been brought from migration {from} to {to}; as it was it is kept in {copy}");
    } else {
        println!("the store has the newest migration that this program knows");
    }
    store.close();
    Ok(())
}
