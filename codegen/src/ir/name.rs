//! A name on the wire and in Rust.

/// What the description calls a thing, and what Rust calls it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    /// As the description spells it.
    pub wire: String,
    /// The Rust identifier, collision-free in its scope; a keyword has a trailing underscore.
    pub rust: String,
}
