//! The list of proofs.

mod mixed_load;
mod soak;

use anyhow::Result;

use crate::figure::Outcome;

/// How much is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A few seconds, for every change.
    Short,
    /// Everything, which may take minutes or hours.
    Long,
}

/// A promise, and how it is tried.
pub struct Proof {
    /// What the command line calls it.
    pub name: &'static str,
    /// The promise, in a line.
    pub about: &'static str,
    /// Tries it.
    pub run: fn(Form) -> Result<Outcome>,
}

/// Every proof.
pub const PROOFS: &[Proof] = &[
    Proof {
        name: "mixed-load",
        about: "every answer is declared, and quick reads stay quick beside slow ones",
        run: mixed_load::run,
    },
    Proof { name: "soak", about: "memory, open files and times stay flat under a mixed load", run: soak::run },
];

impl Form {
    /// `short` in the short form, else `long`.
    pub fn pick<T>(self, short: T, long: T) -> T {
        if self == Self::Short { short } else { long }
    }
}
