//! Where a generated crate gets its runtime from.

use std::path::Path;
use std::str::FromStr;

use serde::Deserialize;

/// Where a generated crate gets the crate `specwright-runtime` from: the code that is the same for every
/// description.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Runtime {
    /// The published crate, with this version requirement.
    Version(String),
    /// This folder, absolute or relative to the generated crate.
    Path(String),
    /// The repository at this URL.
    Git(String),
}

impl Runtime {
    /// The runtime of the checkout that this generator was built from, if it still exists.
    pub fn of_checkout() -> Option<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?.join("runtime");
        folder.join("Cargo.toml").is_file().then(|| Self::Path(folder.display().to_string()))
    }
}

/// The published crate with the generator's own version.
impl Default for Runtime {
    fn default() -> Self {
        Self::Version(env!("CARGO_PKG_VERSION").to_owned())
    }
}

/// `version=0.1`, `path=../runtime` or `git=https://example.com/specwright`.
impl FromStr for Runtime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some(("version", version)) if !version.is_empty() => Ok(Self::Version(version.to_owned())),
            Some(("path", path)) if !path.is_empty() => Ok(Self::Path(path.to_owned())),
            Some(("git", address)) if !address.is_empty() => Ok(Self::Git(address.to_owned())),
            None | Some(_) => Err("expected `version=VERSION`, `path=DIR` or `git=URL`".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Runtime;

    #[test]
    fn the_command_line_names_a_kind_and_a_value() {
        let parse = str::parse::<Runtime>;
        assert_eq!(parse("version=0.1"), Ok(Runtime::Version("0.1".to_owned())));
        assert_eq!(parse("path=../a=b"), Ok(Runtime::Path("../a=b".to_owned())));
        assert_eq!(parse("git=https://example.com/x"), Ok(Runtime::Git("https://example.com/x".to_owned())));
        for wrong in ["crate", "path=", "../runtime", "branch=main", ""] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
