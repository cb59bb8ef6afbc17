//! Options of the generated crates.

use std::collections::BTreeMap;

use crate::{Dependency, Features, PerSide, Policies, Rename, Runtime, Selection, Side, Types};

/// The options; unset ones follow the description.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) marker: String,
    pub(crate) name: String,
    /// The sides to generate.
    pub(crate) sides: Vec<Side>,
    /// The folder of the client crate, relative to the crate that serves tools; `None` generates no tools.
    pub(crate) mcp: Option<String>,
    /// The folder of the client crate, relative to the crate of the command-line program; `None` generates no program.
    pub(crate) cli: Option<String>,
    /// The file that these options come from.
    pub(crate) settings: Option<String>,
    pub(crate) overlays: Vec<String>,
    pub(crate) policies: Policies,
    pub(crate) include: Selection,
    pub(crate) exclude: Selection,
    pub(crate) features: Features,
    pub(crate) rename: Rename,
    pub(crate) types: Types,
    pub(crate) derives: BTreeMap<String, PerSide>,
    pub(crate) dependencies: BTreeMap<String, Dependency>,
    /// Where the crates get their runtime from; by default, the registry.
    pub(crate) runtime: Option<Runtime>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            marker: "@generated from an OpenAPI description. Do not edit.".to_owned(),
            name: "generated".to_owned(),
            sides: vec![Side::Server, Side::Client],
            mcp: None,
            cli: None,
            settings: None,
            overlays: Vec::new(),
            policies: Policies::default(),
            include: Selection::default(),
            exclude: Selection::default(),
            features: Features::default(),
            rename: Rename::default(),
            types: Types::default(),
            derives: BTreeMap::new(),
            dependencies: BTreeMap::new(),
            runtime: None,
        }
    }
}

impl Options {
    /// The crate's name in code: `petstore_server`. Its package has `-` for `_`.
    pub(crate) fn crate_name(&self, side: Side) -> String {
        format!("{}_{}", self.name.replace('-', "_"), side.name())
    }

    /// The name of the crate that serves tools.
    pub(crate) fn mcp_name(&self) -> String {
        format!("{}_mcp", self.name.replace('-', "_"))
    }

    /// The name of the crate of the command-line program.
    pub(crate) fn cli_name(&self) -> String {
        format!("{}_cli", self.name.replace('-', "_"))
    }

    pub(crate) fn wants(&self, side: Side) -> bool {
        self.sides.contains(&side)
    }
}
