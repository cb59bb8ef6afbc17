//! The settings in the file that `--config` names.

use std::path::Path;

pub(super) use specwright::build::Config;

use super::Failure;
use super::offline::Mirror;

/// Reads the file, if one is named.
pub(super) fn read(path: Option<&Path>) -> Result<Config, Failure> {
    let Some(path) = path else { return Ok(Config::default()) };
    let config = Config::read(path).map_err(|error| Failure::usage(error.to_string()))?;
    for (prefix, folder) in &config.offline {
        Mirror::new(prefix, folder.clone()).map_err(|error| Failure::usage(error).in_file(path))?;
    }
    Ok(config)
}
