#![doc = include_str!("../README.md")]
//! # Where to start
//!
//! A [`Generator`] holds the options, a [`Source`] says where the description is, and [`Generated`] is the result, all in
//! memory. [`CrateFolder`] writes a crate, the module `build` a module for a build script, and [`diff`] compares two
//! descriptions.

#[cfg(feature = "build")]
pub mod build;
mod check;
mod crate_folder;
mod customise;
mod dependencies;
mod diagnostic;
pub mod diff;
mod emit;
mod files;
mod folder;
mod generated;
mod generator;
#[doc(hidden)]
pub mod ir;
mod load;
mod location;
mod lower;
mod options;
mod package;
mod parallel;
mod pipeline;
mod render;
mod runtime;
mod selection;
mod skip;
mod source;
mod upgrade;
#[doc(hidden)]
pub mod wire;

use options::Options;

pub use crate_folder::{CrateFolder, FileChange, Owned};
pub use customise::{Features, Rename, RustType, Types, is_crate_name};
pub use diagnostic::{
    Code, Diagnostic, Diagnostics, Located, NoRepair, Policies, Policy, Position, Severity, Style, UnknownCode,
};
pub use emit::Side;
pub use files::Files;
pub use folder::DocumentFolder;
pub use generated::{Crate, Description, Generated};
pub use generator::Generator;
pub use ir::{Dependency, PerSide};
pub use location::Location;
pub use render::File;
pub use runtime::Runtime;
pub use selection::Selection;
pub use source::Source;
