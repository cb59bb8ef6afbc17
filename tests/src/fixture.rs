//! What a fixture is generated with: `<name>/options.toml` beside `<name>.yaml`, if it is there.

use std::collections::BTreeMap;
use std::path::Path;

use codegen::{Dependency, Generator, PerSide, Policies, Policy, Rename, Selection, Severity, Types};
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

/// What generates from the fixture `entry` in `folder`.
///
/// # Panics
/// If they cannot be read.
pub fn generator(folder: &Path, entry: &str) -> Generator {
    let name = entry.rsplit_once('.').map_or(entry, |(name, _)| name);
    let path = folder.join(name).join("options.toml");
    let mut generator = Generator::new();
    let settings = match std::fs::read_to_string(&path) {
        Ok(text) => {
            generator = generator.settings_file(format!("{name}/options.toml"));
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        }
        Err(_) => Settings::default(),
    };
    let Settings { overlays, errors, include, exclude, rename, types, derives, dependencies } = settings;
    let mut policies = Policies::default();
    if let Some(policy) = errors {
        policies.set_all(Severity::Error, policy).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let generator = generator.policies(policies).include(include).exclude(exclude).rename(rename).types(types);
    let generator = overlays.into_iter().fold(generator, Generator::overlay);
    let generator =
        derives.into_iter().fold(generator, |generator, (schemas, traits)| generator.derive(schemas, traits));
    dependencies.into_iter().fold(generator, |generator, (name, dependency)| generator.dependency(name, dependency))
}
