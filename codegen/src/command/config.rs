//! The settings in the file that `--config` names.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::Failure;

/// The settings; all may be left out.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Config {
    /// What the generated crates are called, without `-server` and `-client`.
    pub(super) name: Option<String>,
}

impl Config {
    /// Reads the file, if one is named.
    pub(super) fn read(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self::default()) };
        let shown = path.display();
        let text = fs::read_to_string(path).map_err(|error| Failure::usage(format!("{shown}: {error}")))?;
        toml::from_str(&text).map_err(|error| Failure::usage(format!("{shown}: {}", error.to_string().trim_end())))
    }
}
