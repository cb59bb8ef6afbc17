//! The crates of user types.

#[cfg(feature = "cli")]
use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::ir::Dependency;

/// A version, or a table.
#[derive(Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "a version, or a table with `version`, `path`, `features` or `default-features`")]
enum Written {
    Version(String),
    Table(Table),
}

#[derive(Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Table {
    version: Option<String>,
    path: Option<String>,
    #[serde(default)]
    features: Vec<String>,
    #[serde(default = "yes")]
    default_features: bool,
}

/// A crate with its name.
#[derive(Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Named {
    #[serde(deserialize_with = "crate_name")]
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    name: String,
    version: Option<String>,
    path: Option<String>,
    #[serde(default)]
    features: Vec<String>,
    #[serde(default = "yes")]
    default_features: bool,
}

fn crate_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    if is_crate_name(&name) { Ok(name) } else { Err(D::Error::custom(format!("`{name}` is not a crate name"))) }
}

/// Whether Cargo accepts the crate name.
pub fn is_crate_name(name: &str) -> bool {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(is_word)
}

fn yes() -> bool {
    true
}

#[cfg(feature = "cli")]
impl schemars::JsonSchema for Dependency {
    fn schema_name() -> Cow<'static, str> {
        "Dependency".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Written::json_schema(generator)
    }
}

impl<'de> Deserialize<'de> for Dependency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Written::deserialize(deserializer).map(|written| match written {
            Written::Version(version) => {
                Self { version: Some(version), path: None, features: Vec::new(), default_features: true }
            }
            Written::Table(Table { version, path, features, default_features }) => {
                Self { version, path, features, default_features }
            }
        })
    }
}

impl Named {
    /// The name, and the dependency.
    pub(super) fn split(self) -> (String, Dependency) {
        let Self { name, version, path, features, default_features } = self;
        (name, Dependency { version, path, features, default_features })
    }
}
