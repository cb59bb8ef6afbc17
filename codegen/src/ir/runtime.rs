//! Where a generated crate has its runtime from.

use std::str::FromStr;

use serde::Deserialize;

/// Where a generated crate has its runtime from: the code that is the same for every description.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Runtime {
    /// It has a copy of the modules that it needs.
    #[default]
    Embed,
    /// The crate `codegen-runtime` in this folder, relative to the generated crate.
    Path(String),
    /// The crate `codegen-runtime` that has been published, in a version that fits this requirement of Cargo.
    Version(String),
    /// The crate `codegen-runtime` of the repository with this address.
    Git(String),
}

/// `embed`, `path=../runtime`, `version=0.1` or `git=https://example.com/codegen`.
impl FromStr for Runtime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            None if text == "embed" => Ok(Self::Embed),
            Some(("path", path)) if !path.is_empty() => Ok(Self::Path(path.to_owned())),
            Some(("version", version)) if !version.is_empty() => Ok(Self::Version(version.to_owned())),
            Some(("git", address)) if !address.is_empty() => Ok(Self::Git(address.to_owned())),
            None | Some(_) => Err("`embed`, `path=DIR`, `version=VERSION` or `git=URL` is wanted".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Runtime;

    #[test]
    fn the_command_line_says_it_in_a_word() {
        let parse = str::parse::<Runtime>;
        assert_eq!(parse("embed"), Ok(Runtime::Embed));
        assert_eq!(parse("path=../a=b"), Ok(Runtime::Path("../a=b".to_owned())));
        assert_eq!(parse("version=0.1"), Ok(Runtime::Version("0.1".to_owned())));
        assert_eq!(parse("git=https://example.com/x"), Ok(Runtime::Git("https://example.com/x".to_owned())));
        for wrong in ["crate", "path=", "../runtime", "branch=main", ""] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
