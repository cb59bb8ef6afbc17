//! What a fixture is generated with: `<name>/options.toml` beside `<name>.yaml`, if it is there.

use std::collections::BTreeMap;
use std::path::Path;

use codegen::{Dependency, Options, PerSide, Policies, Policy, Rename, Selection, Severity, Types};
use serde::Deserialize;

/// The options that are not the default ones.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    overlays: Vec<String>,
    /// What is done about every error.
    errors: Option<Policy>,
    include: Selection,
    exclude: Selection,
    rename: Rename,
    types: Types,
    derives: BTreeMap<String, PerSide>,
    dependencies: BTreeMap<String, Dependency>,
}

/// The options of the fixture `entry` in `folder`.
///
/// # Panics
/// If they cannot be read.
pub fn options(folder: &Path, entry: &str) -> Options {
    let name = entry.rsplit_once('.').map_or(entry, |(name, _)| name);
    let path = folder.join(name).join("options.toml");
    let settings = match std::fs::read_to_string(&path) {
        Ok(text) => toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
        Err(_) => Settings::default(),
    };
    let Settings { overlays, errors, include, exclude, rename, types, derives, dependencies } = settings;
    let mut policies = Policies::default();
    if let Some(policy) = errors {
        policies.set_all(Severity::Error, policy).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    Options { overlays, policies, include, exclude, rename, types, derives, dependencies, ..Options::default() }
}
