//! The settings in the file that `--config` names.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use codegen::{Dependency, Features, Generator, PerSide, Policy, Rename, Runtime, Selection, Types};
use serde::Deserialize;

use super::offline::Mirror;
use super::{Failure, crate_name, policies};

/// The settings; all may be left out.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Config {
    /// What the generated crates are called, without `-server` and `-client`.
    pub(super) name: Option<String>,
    /// OpenAPI Overlays, relative to this file; those of the command line come after them.
    pub(super) overlays: Vec<PathBuf>,
    /// What is done about problems: by code, or `errors` and `warnings` for all others.
    pub(super) diagnostics: BTreeMap<String, Policy>,
    /// Folders with copies of what is on the network, by the start of its URL; relative to the file of the settings.
    pub(super) offline: BTreeMap<String, PathBuf>,
    /// The operations that are generated.
    pub(super) include: Selection,
    /// The operations that are not.
    pub(super) exclude: Selection,
    /// Cargo features of the crates.
    pub(super) features: Features,
    /// Names of the user's own.
    pub(super) rename: Rename,
    /// Types of the user's own.
    pub(super) types: Types,
    /// What types derive besides.
    pub(super) derives: BTreeMap<String, PerSide>,
    /// The crates they are from.
    pub(super) dependencies: BTreeMap<String, Dependency>,
    /// Where the crates have their runtime from.
    pub(super) runtime: Option<Runtime>,
}

impl Config {
    /// Reads the file, if one is named.
    pub(super) fn read(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self::default()) };
        let failure = |error: &dyn Display| Failure::usage(error.to_string().trim_end()).in_file(path);
        let text = fs::read_to_string(path).map_err(|error| failure(&error))?;
        let mut config: Self = toml::from_str(&text).map_err(|error| failure(&error))?;
        config.check().map_err(|error| error.in_file(path))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for named in config.overlays.iter_mut().chain(config.offline.values_mut()) {
            *named = folder.join(&*named);
        }
        Ok(config)
    }

    /// What it decides about the generated code; overlays and problems are the command line's too.
    pub(super) fn generator(&self) -> Generator {
        let generator = Generator::new()
            .include(self.include.clone())
            .exclude(self.exclude.clone())
            .features(self.features)
            .rename(self.rename.clone())
            .types(self.types.clone());
        let derives = self.derives.clone().into_iter();
        let generator = derives.fold(generator, |generator, (schemas, traits)| generator.derive(schemas, traits));
        let crates = self.dependencies.clone().into_iter();
        crates.fold(generator, |generator, (name, dependency)| generator.dependency(name, dependency))
    }

    /// What only this command knows of the values.
    fn check(&self) -> Result<(), Failure> {
        if let Some(name) = &self.name {
            crate_name::choose(Some(name), Path::new(""))?;
        }
        for name in self.dependencies.keys() {
            crate_name::choose(Some(name), Path::new(""))?;
        }
        for (prefix, folder) in &self.offline {
            Mirror::new(prefix, folder.clone()).map_err(Failure::usage)?;
        }
        policies::policies(&policies::Decisions::default(), &self.diagnostics)?;
        Ok(())
    }
}
