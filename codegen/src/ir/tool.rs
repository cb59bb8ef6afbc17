//! Operations as tools of the Model Context Protocol.

/// An operation as a tool that a language model calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its name: 1 to 64 ASCII letters, digits, `_` and `-`. No other tool has it.
    pub name: String,
    /// What it does; `None`: as the operation says.
    pub description: Option<String>,
    /// Who may call it.
    pub tier: Tier,
    /// Whether it may change or remove what exists, instead of only adding to it.
    pub destructive: bool,
}

/// What a tool does to the data of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// It reads.
    Read,
    /// It creates and changes.
    Write,
    /// It removes.
    Destructive,
}
