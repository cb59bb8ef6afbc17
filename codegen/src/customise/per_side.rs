//! Values for one of the crates, or for both.

#[cfg(feature = "cli")]
use std::borrow::Cow;

use serde::{Deserialize, Deserializer};

use crate::ir::PerSide;

/// A list for both, or a list for each.
#[derive(Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "a list of texts, or `server` and `client` with a list each")]
enum Written {
    Both(Vec<String>),
    Each(Each),
}

#[derive(Default, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
struct Each {
    server: Vec<String>,
    client: Vec<String>,
}

#[cfg(feature = "cli")]
impl schemars::JsonSchema for PerSide {
    fn schema_name() -> Cow<'static, str> {
        "PerSide".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Written::json_schema(generator)
    }
}

impl<'de> Deserialize<'de> for PerSide {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Written::deserialize(deserializer).map(|written| match written {
            Written::Both(list) => Self { server: list.clone(), client: list },
            Written::Each(Each { server, client }) => Self { server, client },
        })
    }
}
