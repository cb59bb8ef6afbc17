//! A name on the wire and in Rust.

/// The name in the description, and the name in Rust.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    /// As the description spells it.
    pub wire: String,
    /// The Rust identifier, unique in its scope; a keyword gets a trailing underscore.
    pub rust: String,
}
