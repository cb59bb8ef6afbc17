//! The table of crates that generated code uses.

/// A crate that generated code may use.
pub(crate) struct Dependency {
    /// The name in `Cargo.toml`.
    pub(crate) name: &'static str,
    /// The minimum version.
    pub(crate) version: &'static str,
    /// Whether default features are disabled.
    pub(crate) bare: bool,
    /// The required features.
    pub(crate) features: &'static [&'static str],
}

/// All dependencies, in output order.
pub(crate) const DEPENDENCIES: &[Dependency] = &[
    bare("axum", "0.8", &["matched-path"]),
    whole("bytes", "1", &[]),
    bare("chrono", "0.4", &["std"]),
    whole("http", "1", &[]),
    bare("jiff", "0.2", &["std"]),
    bare("reqwest", "0.13", &["http2", "rustls", "stream"]),
    bare("rust_decimal", "1.43", &["std"]),
    whole("serde", "1", &[]),
    whole("serde_json", "1", &[]),
    bare("time", "0.3", &["std"]),
    whole("uuid", "1", &[]),
];

const fn whole(name: &'static str, version: &'static str, features: &'static [&'static str]) -> Dependency {
    Dependency { name, version, bare: false, features }
}

const fn bare(name: &'static str, version: &'static str, features: &'static [&'static str]) -> Dependency {
    Dependency { name, version, bare: true, features }
}

/// Whether the table has a crate with this name.
pub(crate) fn is_known(name: &str) -> bool {
    DEPENDENCIES.iter().any(|dependency| dependency.name.replace('-', "_") == name.replace('-', "_"))
}
