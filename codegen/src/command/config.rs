//! The settings in the file that `--config` names.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use specwright::{Dependency, Features, Generator, PerSide, Policy, Rename, Runtime, Selection, Types};

use super::offline::Mirror;
use super::{Failure, crate_name, policies};

/// The settings; all may be left out.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(title = "The configuration of specwright")]
pub(super) struct Config {
    /// Base name of the generated crates, without `-server`, `-client` and `-models`; by default, the name of the description's file.
    #[schemars(example = "pet-store")]
    pub(super) name: Option<String>,
    /// OpenAPI Overlays, relative to this file; applied before those of the command line.
    #[schemars(example = ["ours.yaml"])]
    pub(super) overlays: Vec<PathBuf>,
    /// How problems are treated (`deny`, `warn`, `allow`, `skip`), by the name or number of their kind, as `specwright explain`
    /// lists them; `errors` and `warnings` mean all others.
    #[schemars(example = json!({ "warnings": "deny", "path-parameter-outside-template": "allow", "E0203": "skip" }))]
    pub(super) diagnostics: BTreeMap<String, Policy>,
    /// Folders with copies of remote documents, by URL prefix; relative to this file.
    #[schemars(example = json!({ "https://example.com/schemas/": "vendor" }))]
    pub(super) offline: BTreeMap<String, PathBuf>,
    /// The operations that are generated; by default, all. In each pattern `*` matches any text, in a path any text within a
    /// segment; `**` matches several segments.
    pub(super) include: Selection,
    /// The operations that are left out, by patterns as in `include`.
    pub(super) exclude: Selection,
    /// Cargo features of the generated crates.
    pub(super) features: Features,
    /// Rust names in place of those that are derived from the description. Nothing changes on the wire.
    pub(super) rename: Rename,
    /// Types of yours in place of generated ones: a whole path, or `path`, `crate` and `with`.
    pub(super) types: Types,
    /// Additional derives, by patterns for names of schemas; a list for all crates, or `server`, `client` and `models`.
    #[schemars(example = json!({ "*": ["::serde::Deserialize"], "Invoice*": { "server": ["::sqlx::FromRow"] } }))]
    pub(super) derives: BTreeMap<String, PerSide>,
    /// Dependencies of the generated crates, for types and derives of yours. A `path` is relative to the generated crate.
    #[schemars(example = json!({ "ids": { "path": "../ids" }, "money": "2" }))]
    pub(super) dependencies: BTreeMap<String, Dependency>,
    /// Where the crates get `specwright-runtime` from: `version`, `path` or `git`.
    #[schemars(example = json!({ "version": "0.1" }))]
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

    /// The generator with these settings. Overlays and policies are added by the commands, which have options
    /// for them, too.
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

    /// Checks values that only this command can judge.
    pub(super) fn check(&self) -> Result<(), Failure> {
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
