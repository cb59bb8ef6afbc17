//! `service doctor`.

use anyhow::{Error, Result, bail};

use super::ensure_store;
use crate::{cli, config::Config, doctor, place::Place};

/// Reports problems of the store and its attachments; fails if there are any.
pub async fn doctor(config: &Config, arguments: &cli::Doctor) -> Result<()> {
    let place = Place::of(config).map_err(Error::msg)?;
    if place.is_embedded() {
        ensure_store(config)?;
    }
    let findings = doctor::examine(&place, arguments.full).await.map_err(Error::from_boxed)?;
    for finding in &findings {
        println!("{}\n    → {}", finding.what, finding.remedy);
    }
    match findings.len() {
        0 => {
            println!("nothing is wrong with {}, and its attachments in {}", place.store, place.attachments);
            Ok(())
        }
        1 => bail!("1 finding"),
        count => bail!("{count} findings"),
    }
}
