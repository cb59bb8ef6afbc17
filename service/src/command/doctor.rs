//! `service doctor`.

use anyhow::{Error, Result, bail};

use super::{ensure_embedded, ensure_folder, ensure_store};
use crate::{cli, config::Config, doctor};

/// Says what is wrong with the folder of data; fails when something is.
pub fn doctor(config: &Config, arguments: &cli::Doctor) -> Result<()> {
    const INSTEAD: &str = "`service check` says whether it can be read and every content is there";
    ensure_embedded(config, "doctor", INSTEAD)?;
    ensure_folder(config, "doctor", INSTEAD)?;
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
