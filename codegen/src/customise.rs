//! What users customise: names and types of their own.

mod dependency;
mod per_side;

use std::collections::BTreeMap;

use serde::Deserialize;

pub use self::dependency::is_crate_name;
use crate::ir::Dependency;

/// Names chosen by the user.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Rename {
    /// Names of types, by the schema's name below `components.schemas` or `definitions`.
    #[cfg_attr(feature = "cli", schemars(example = serde_json::json!({ "AcctDto": "Account" })))]
    pub schemas: BTreeMap<String, String>,
    /// Names of methods, by `operationId`.
    #[cfg_attr(feature = "cli", schemars(example = serde_json::json!({ "Account_Get": "account" })))]
    pub operations: BTreeMap<String, String>,
    /// Names of traits, by tag.
    #[cfg_attr(feature = "cli", schemars(example = serde_json::json!({ "AccountApiV1": "Ledger" })))]
    pub tags: BTreeMap<String, String>,
    /// Names by JSON Pointer, as in `types.pointers`: members, parameters, values of an `enum`, and all of
    /// the above.
    #[cfg_attr(feature = "cli", schemars(example = serde_json::json!({ "/components/schemas/Color/enum/2": "Black" })))]
    pub pointers: BTreeMap<String, String>,
}

/// Cargo features of the generated crates.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Features {
    /// Each tag is a feature: users of the crate compile only the operations and models of the tags they
    /// enable.
    #[cfg_attr(feature = "cli", schemars(example = true))]
    pub per_tag: bool,
}

/// Types of the user, used in place of generated ones.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Types {
    /// By the schema's name below `components.schemas` or `definitions`.
    #[cfg_attr(feature = "cli", schemars(example = serde_json::json!({ "Point": "::geo::Point" })))]
    pub schemas: BTreeMap<String, RustType>,
    /// By `format`, known or not.
    #[cfg_attr(feature = "cli", schemars(example = serde_json::json!({ "account-id": "::ids::AccountId", "date-time": "chrono" })))]
    pub formats: BTreeMap<String, RustType>,
    /// By the JSON Pointer of a schema in the entry file, or `other.yaml#/Pointer`.
    #[cfg_attr(feature = "cli", schemars(example = serde_json::json!({ "/components/schemas/Account/properties/notes": "::ids::Notes" })))]
    pub pointers: BTreeMap<String, RustType>,
}

/// A type, its crate, and the module that converts it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
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
