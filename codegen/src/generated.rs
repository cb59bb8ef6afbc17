//! The output of a generation.

use std::iter::Chain;
use std::vec::IntoIter;

use quote::quote;

use crate::diagnostic::Diagnostics;
use crate::emit;
use crate::ir::{Api, Operation};
use crate::render::{self, File};

/// The crates generated from a description.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Generated {
    /// The server; empty unless [`sides`](crate::Generator::sides) has it.
    pub server: Crate,
    /// The client; empty unless [`sides`](crate::Generator::sides) has it.
    pub client: Crate,
    /// The models alone; empty unless [`sides`](crate::Generator::sides) has them.
    pub models: Crate,
    /// The server of tools; empty unless [`mcp`](crate::Generator::mcp) asked for it.
    pub mcp: Crate,
    /// The command-line program; empty unless [`cli`](crate::Generator::cli) asked for it.
    pub cli: Crate,
    /// The number of generated operations.
    pub operations: usize,
    /// The number of operations left out by [`Policy::Skip`](crate::Policy::Skip).
    pub skipped: usize,
    /// What was repaired, assumed or left out.
    pub warnings: Diagnostics,
}

/// The files of a crate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Crate {
    /// Those below `src`, in the order of their paths.
    pub files: Vec<File>,
    /// `Cargo.toml`, `rustfmt.toml` and `README.md`, for crates that have none.
    pub package: Vec<File>,
}

impl IntoIterator for Crate {
    type Item = File;
    type IntoIter = Chain<IntoIter<File>, IntoIter<File>>;

    fn into_iter(self) -> Self::IntoIter {
        self.files.into_iter().chain(self.package)
    }
}

/// A description that has been read; crates can be generated from it.
#[derive(Clone, Debug)]
pub struct Description {
    pub(crate) api: Api,
    pub(crate) skipped: usize,
    pub(crate) warnings: Diagnostics,
}

impl Description {
    /// What was repaired, assumed or left out.
    pub fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    /// The number of operations, without those left out.
    pub fn operations(&self) -> usize {
        self.api.operations().count()
    }

    /// The number of operations left out by [`Policy::Skip`](crate::Policy::Skip).
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    /// How the handler of an operation is written, and how the method that calls it is declared; unstable, for `specwright list`.
    #[doc(hidden)]
    pub fn signatures(&self, operation: &Operation) -> [String; 2] {
        let handler = emit::server::signature(&self.api, operation, &quote!(Self::Principal), &quote!(request));
        [handler, emit::client::signature(&self.api, operation)].map(|tokens| render::signature(&tokens))
    }

    /// The input of the emitters, unstable and only for this repository.
    #[doc(hidden)]
    pub fn api(&self) -> &Api {
        &self.api
    }
}
