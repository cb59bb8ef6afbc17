//! Turns an OpenAPI description into a server crate and a client crate, all in memory.

#[cfg(feature = "build")]
pub mod build;
mod check;
mod customise;
mod dependencies;
mod diagnostic;
pub mod diff;
mod emit;
#[cfg(feature = "build")]
mod folder;
pub mod ir;
mod load;
mod location;
mod lower;
mod package;
mod parallel;
mod pipeline;
mod render;
mod selection;
mod skip;
mod upgrade;

use std::collections::BTreeMap;

pub use customise::{Rename, RustType, Types, is_crate_name};
pub use diagnostic::{
    Code, Diagnostic, Diagnostics, Located, NoRepair, Policies, Policy, Position, Severity, Style, UnknownCode,
};
#[cfg(feature = "build")]
pub use folder::DocumentFolder;
pub use ir::{Dependency, PerSide, Runtime};
pub use load::Files;
pub use location::Location;
#[doc(hidden)]
pub use pipeline::wire;
pub use pipeline::{generate, read, scaffold};
pub use render::File;
pub use selection::Selection;

/// What the caller decides.
#[derive(Clone, Debug)]
pub struct Options {
    /// The comment at the top of every generated file, without its slashes.
    pub marker: String,
    /// What code calls the server crate: `generated_server`. Its package has `-` for `_`.
    pub server_crate: String,
    /// What code calls the client crate: `generated_client`. Its package has `-` for `_`.
    pub client_crate: String,
    /// The files of the OpenAPI Overlays that change the description before it is read, in their order.
    pub overlays: Vec<String>,
    /// What is done about which problems.
    pub policies: Policies,
    /// The operations that are generated; all when it has no pattern.
    pub include: Selection,
    /// The operations that are left out all the same.
    pub exclude: Selection,
    /// Names of the user's own.
    pub rename: Rename,
    /// Types of the user's own.
    pub types: Types,
    /// What types derive besides, by patterns for the names of their schemas, in which `*` stands for any text.
    pub derives: BTreeMap<String, PerSide>,
    /// The crates that the user's types are from, by name.
    pub dependencies: BTreeMap<String, Dependency>,
    /// Where the crates have their runtime from.
    pub runtime: Runtime,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            marker: "@generated from an OpenAPI description. Do not edit.".to_owned(),
            server_crate: "generated_server".to_owned(),
            client_crate: "generated_client".to_owned(),
            overlays: Vec::new(),
            policies: Policies::default(),
            include: Selection::default(),
            exclude: Selection::default(),
            rename: Rename::default(),
            types: Types::default(),
            derives: BTreeMap::new(),
            dependencies: BTreeMap::new(),
            runtime: Runtime::default(),
        }
    }
}

/// What a description gives.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The files of the server crate below `src`, in the order of their paths.
    pub server: Vec<File>,
    /// Its `Cargo.toml`, `rustfmt.toml` and `README.md`, for those who have none of their own.
    pub server_package: Vec<File>,
    /// The files of the client crate below `src`, in the order of their paths.
    pub client: Vec<File>,
    /// Its `Cargo.toml`, `rustfmt.toml` and `README.md`, for those who have none of their own.
    pub client_package: Vec<File>,
    /// How many operations they have.
    pub operations: usize,
    /// How many they do not have, because the policy of a problem is [`Policy::Skip`].
    pub skipped: usize,
    /// What was repaired, assumed or left out.
    pub warnings: Diagnostics,
}

/// A program that proves that what the client sends is what the server receives, and the other way round.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Wire {
    /// The server crate, whose models can be read and written both ways, with its `Cargo.toml`.
    pub server: Vec<File>,
    /// The client crate, likewise.
    pub client: Vec<File>,
    /// The program below `src`, which depends on both and on the crate `wire` of this repository.
    pub program: Vec<File>,
}
