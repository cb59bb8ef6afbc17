//! Values for one of the crates, or for both.

use serde::{Deserialize, Deserializer};

use crate::ir::PerSide;

/// A list for both, or a list for each.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a list of texts, or `server` and `client` with a list each")]
enum Written {
    Both(Vec<String>),
    Each(Each),
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Each {
    server: Vec<String>,
    client: Vec<String>,
}

impl<'de> Deserialize<'de> for PerSide {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Written::deserialize(deserializer).map(|written| match written {
            Written::Both(list) => Self { server: list.clone(), client: list },
            Written::Each(Each { server, client }) => Self { server, client },
        })
    }
}
