//! Turns an OpenAPI description into a server crate and a client crate, all in memory.
//!
//! A [`Generator`] holds the options, a [`Source`] says where the description is, and the result is
//! [`Generated`]:
//!
//! ```
//! use specwright::{Generator, Source};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/openapi.yaml");
//! let generated = Generator::new().name("petstore").generate(&Source::path(path))?;
//! println!("{} operations in {} files", generated.operations, generated.server.files.len());
//! # Ok(())
//! # }
//! ```
//!
//! In a build script, the module `build` writes the code to where the crate includes it.

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
