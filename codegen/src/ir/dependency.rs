//! Crates that generated code needs because the user wants it to.

/// A crate as `Cargo.toml` asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// A requirement of Cargo: `1.2`
    pub version: Option<String>,
    /// A folder, relative to the generated crate.
    pub path: Option<String>,
    /// Features that are needed.
    pub features: Vec<String>,
    /// With the features that the crate has by default.
    pub default_features: bool,
}
