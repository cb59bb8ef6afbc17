//! `service doctor`.

use anyhow::{Error, Result, bail};

use super::ensure_store;
use crate::{
    cli,
    config::Config,
    doctor,
    folder::{ATTACHMENTS, STORE},
    store::StoreFile,
};

/// Says what is wrong with the folder of data; fails when something is.
pub fn doctor(config: &Config, arguments: &cli::Doctor) -> Result<()> {
    ensure_store(config)?;
    let findings = doctor::examine(&config.data, arguments.full).map_err(Error::from_boxed)?;
    for finding in &findings {
        println!("{}\n    → {}", finding.what, finding.remedy);
    }
    match findings.len() {
        0 => {
            println!("nothing is wrong with {}", config.data.display());
            Ok(())
        }
        1 => bail!("1 finding"),
        count => bail!("{count} findings"),
    }
}

/// The hashes of contents that records refer to and that are not there.
pub(super) fn missing_contents(config: &Config) -> Result<Vec<String>> {
    let used = StoreFile::open(&config.data.join(STORE))?.used_contents()?;
    let hashes = used.iter().map(|content| content.hash.to_string());
    Ok(hashes.filter(|hash| !crate::blob::file(&config.data.join(ATTACHMENTS), hash).exists()).collect())
}
