//! Dependencies that the user adds.

/// A dependency as in `Cargo.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// A version requirement: `1.2`
    pub version: Option<String>,
    /// A folder, relative to the generated crate.
    pub path: Option<String>,
    /// Enabled features.
    pub features: Vec<String>,
    /// Whether default features are enabled.
    pub default_features: bool,
}
