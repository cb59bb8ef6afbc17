//! Where a generated crate gets its runtime from.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// Where a generated crate gets the crate `specwright-runtime` from: the code that is the same for every
/// description.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(rename_all = "lowercase"))]
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
    /// The source of that name; `None` if there is none, or no value.
    fn new(source: &str, value: &str) -> Result<Option<Self>, String> {
        Ok(Some(match source {
            _ if value.is_empty() => return Ok(None),
            "version" if !is_requirement(value) => return Err(format!("`{value}` is not a version requirement")),
            "version" => Self::Version(value.to_owned()),
            "path" => Self::Path(value.to_owned()),
            "git" => Self::Git(value.to_owned()),
            _ => return Ok(None),
        }))
    }

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
        let expected = || "expected `version=VERSION`, `path=DIR` or `git=URL`".to_owned();
        let (source, value) = text.split_once('=').ok_or_else(expected)?;
        Self::new(source, value)?.ok_or_else(expected)
    }
}

/// `{ version = "0.1" }`, `{ path = "../runtime" }` or `{ git = "https://example.com/specwright" }`
impl<'de> Deserialize<'de> for Runtime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = || D::Error::custom("expected one of `version`, `path` and `git`, with a text");
        let sources = BTreeMap::<String, String>::deserialize(deserializer).map_err(|_| expected())?;
        let mut sources = sources.into_iter();
        let runtime = match (sources.next(), sources.next()) {
            (Some((source, value)), None) => Self::new(&source, &value).map_err(D::Error::custom)?,
            _ => None,
        };
        runtime.ok_or_else(expected)
    }
}

/// Whether cargo reads the text as a version requirement: `0.1`, `>=1.2, <2`, `1.*`.
fn is_requirement(text: &str) -> bool {
    text.split(',').all(|part| {
        let version = part.trim().trim_start_matches(['=', '>', '<', '~', '^']).trim_start();
        let numbers = version.split(['-', '+']).next().unwrap_or_default();
        let is_part = |part: &str| part == "*" || part.parse::<u64>().is_ok();
        numbers.split('.').all(is_part) && numbers.split('.').count() <= 3
    })
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
        for version in ["1", "0.1.2-rc.1+x", ">=0.1, <0.3", "^1.2", "~ 1", "1.*", "*"] {
            assert!(parse(&format!("version={version}")).is_ok(), "{version}");
        }
        for wrong in ["crate", "path=", "../runtime", "branch=main", "", "version=abc", "version=1.2.3.4", "version=1,"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
