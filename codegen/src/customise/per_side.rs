//! Values for each side, or for all.

#[cfg(feature = "cli")]
use std::borrow::Cow;

use serde::{Deserialize, Deserializer};

use crate::ir::PerSide;

/// A list for all, or a list for each.
#[derive(Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "a list of texts, or `server`, `client` and `models` with a list each")]
enum Written {
    All(Vec<String>),
    Each(Each),
}

#[derive(Default, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
struct Each {
    server: Vec<String>,
    client: Vec<String>,
    models: Vec<String>,
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
            Written::All(list) => Self { server: list.clone(), client: list.clone(), models: list },
            Written::Each(Each { server, client, models }) => Self { server, client, models },
        })
    }
}
