//! The table of tools.

use crate::arguments::Arguments;

/// An operation as a tool.
#[derive(Debug)]
pub struct Tool {
    /// Its name, which no other tool has.
    pub name: &'static str,
    /// What it does, as Markdown.
    pub description: &'static str,
    /// Who may call it.
    pub tier: Tier,
    /// Whether it may change or remove what exists, instead of only adding to it.
    pub destructive: bool,
    /// What it takes.
    pub arguments: Arguments,
}

/// What a tool does to the data of the service. Each tier includes the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Tier {
    /// Reads.
    Read,
    /// Creates and changes.
    Write,
    /// Removes.
    Destructive,
}

impl Tier {
    /// As the option `--allow` has it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Destructive => "destructive",
        }
    }
}
