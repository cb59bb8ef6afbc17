//! The one table of the crates that generated code uses.

/// A crate that generated code may use.
pub(crate) struct Dependency {
    /// As `Cargo.toml` spells it.
    pub(crate) name: &'static str,
    /// The oldest version that will do.
    pub(crate) version: &'static str,
    /// Without its default features.
    pub(crate) bare: bool,
    /// What generated code needs of it.
    pub(crate) features: &'static [&'static str],
}

/// All of them, in the order in which they are written.
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

/// The table has a crate of that name.
pub(crate) fn is_known(name: &str) -> bool {
    DEPENDENCIES.iter().any(|dependency| dependency.name.replace('-', "_") == name.replace('-', "_"))
}
