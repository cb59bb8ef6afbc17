//! What users want otherwise than the description says it: names and types of their own.

mod dependency;
mod per_side;

use std::collections::BTreeMap;

use serde::Deserialize;

pub use self::dependency::is_crate_name;
use crate::ir::Dependency;

/// Names of the user's own.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rename {
    /// The types of schemas, by their names below `components.schemas`, or `definitions`.
    pub schemas: BTreeMap<String, String>,
    /// The methods of operations, by `operationId`.
    pub operations: BTreeMap<String, String>,
    /// The traits of tags.
    pub tags: BTreeMap<String, String>,
    /// By JSON Pointer, as in [`Types::pointers`]: members, parameters, values of an `enum`, and all of the above.
    pub pointers: BTreeMap<String, String>,
}

/// Cargo features of the generated crates.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Features {
    /// Every tag is a feature: a user of the crate compiles only the operations and models of the tags it names.
    pub per_tag: bool,
}

/// Types of the user's own, in place of those that schemas become.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Types {
    /// By the name of a schema below `components.schemas`, or `definitions`.
    pub schemas: BTreeMap<String, RustType>,
    /// By `format`, known or not.
    pub formats: BTreeMap<String, RustType>,
    /// By the JSON Pointer of a schema in the file that the description starts in; `other.yaml#/Pointer` in another one.
    pub pointers: BTreeMap<String, RustType>,
}

/// A type, the crate it is from, and what it is read and written with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Written")]
pub struct RustType {
    /// The whole path, `::money::Money`, or a type that generated code has without being asked: `String`, `i64`.
    pub path: String,
    /// The crate, for the generated `Cargo.toml`.
    pub dependency: Option<(String, Dependency)>,
    /// The module whose functions `to_text` and `from_text` write and read it: `::my_crate::local_time`
    pub with: Option<String>,
}

/// A path, or a path and what more there is to say.
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
