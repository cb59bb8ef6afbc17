//! What users customise: names and types of their own.

mod dependency;
mod per_side;

use std::collections::BTreeMap;

use serde::Deserialize;

pub use self::dependency::is_crate_name;
use crate::ir::Dependency;

/// Names chosen by the user.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rename {
    /// Names of types, by the schema's name below `components.schemas` or `definitions`.
    pub schemas: BTreeMap<String, String>,
    /// Names of methods, by `operationId`.
    pub operations: BTreeMap<String, String>,
    /// Names of traits, by tag.
    pub tags: BTreeMap<String, String>,
    /// Names by JSON Pointer, as in [`Types::pointers`]: members, parameters, values of an `enum`, and all of
    /// the above.
    pub pointers: BTreeMap<String, String>,
}

/// Cargo features of the generated crates.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Features {
    /// Each tag is a feature: users of the crate compile only the operations and models of the tags they
    /// enable.
    pub per_tag: bool,
}

/// Types of the user, used in place of generated ones.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Types {
    /// By the schema's name below `components.schemas` or `definitions`.
    pub schemas: BTreeMap<String, RustType>,
    /// By `format`, known or not.
    pub formats: BTreeMap<String, RustType>,
    /// By the JSON Pointer of a schema in the entry file, or `other.yaml#/Pointer`.
    pub pointers: BTreeMap<String, RustType>,
}

/// A type, its crate, and the module that converts it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Written")]
pub struct RustType {
    /// The full path, `::money::Money`, or a type that needs no import: `String`, `i64`.
    pub path: String,
    /// The crate, for the generated `Cargo.toml`.
    pub dependency: Option<(String, Dependency)>,
    /// The module with the functions `to_text` and `from_text`: `::my_crate::local_time`
    pub with: Option<String>,
}

/// A path, or a table with more settings.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "the path of a type, or its `path`, the `crate` it is from, with `name` and `version`, and `with`, \
                 the module that reads and writes it"
)]
enum Written {
    Path(String),
    Whole(Whole),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    path: String,
    #[serde(rename = "crate")]
    crate_: Option<dependency::Named>,
    with: Option<String>,
}

impl From<Written> for RustType {
    fn from(written: Written) -> Self {
        match written {
            Written::Path(path) => Self { path, dependency: None, with: None },
            Written::Whole(Whole { path, crate_, with }) => {
                Self { path, dependency: crate_.map(dependency::Named::split), with }
            }
        }
    }
}
