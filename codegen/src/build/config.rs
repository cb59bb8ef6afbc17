//! The settings in a TOML file, such as `specwright.toml`.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
#[cfg(feature = "cli")]
use serde_json::json;

use super::Failure;
use crate::{
    Dependency, DocumentFolder, Features, Generator, PerSide, Policies, Policy, Rename, Runtime, Selection, Types,
    is_crate_name,
};

/// The settings; all may be left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "cli", schemars(title = "The configuration of specwright"))]
#[non_exhaustive]
pub struct Config {
    /// Base name of the generated crates, without `-server`, `-client` and `-models`; by default, the name of the description's file.
    #[cfg_attr(feature = "cli", schemars(example = "pet-store"))]
    pub name: Option<String>,
    /// OpenAPI Overlays, relative to this file; applied before those of the command line.
    #[cfg_attr(feature = "cli", schemars(example = ["ours.yaml"]))]
    pub overlays: Vec<PathBuf>,
    /// How problems are treated (`deny`, `warn`, `allow`, `skip`), by the name or number of their kind, as `specwright explain`
    /// lists them; `errors` and `warnings` mean all others.
    #[cfg_attr(feature = "cli", schemars(example = json!({ "warnings": "deny", "path-parameter-outside-template": "allow", "E0203": "skip" })))]
    pub diagnostics: BTreeMap<String, Policy>,
    /// Folders with copies of remote documents, by URL prefix; relative to this file.
    #[cfg_attr(feature = "cli", schemars(example = json!({ "https://example.com/schemas/": "vendor" })))]
    pub offline: BTreeMap<String, PathBuf>,
    /// The operations that are generated; by default, all. In each pattern `*` matches any text, in a path any text within a
    /// segment; `**` matches several segments.
    pub include: Selection,
    /// The operations that are left out, by patterns as in `include`.
    pub exclude: Selection,
    /// Cargo features of the generated crates.
    pub features: Features,
    /// Rust names in place of those that are derived from the description. Nothing changes on the wire.
    pub rename: Rename,
    /// Types of yours in place of generated ones: a whole path, or `path`, `crate` and `with`.
    pub types: Types,
    /// Additional derives, by patterns for names of schemas; a list for all crates, or `server`, `client` and `models`.
    #[cfg_attr(feature = "cli", schemars(example = json!({ "*": ["::serde::Deserialize"], "Invoice*": { "server": ["::sqlx::FromRow"] } })))]
    pub derives: BTreeMap<String, PerSide>,
    /// Dependencies of the generated crates, for types and derives of yours. A `path` is relative to the generated crate.
    #[cfg_attr(feature = "cli", schemars(example = json!({ "ids": { "path": "../ids" }, "money": "2" })))]
    pub dependencies: BTreeMap<String, Dependency>,
    /// Where the crates get `specwright-runtime` from: `version`, `path` or `git`.
    #[cfg_attr(feature = "cli", schemars(example = json!({ "version": "0.1" })))]
    pub runtime: Option<Runtime>,
}

impl Config {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let failure = |error: &dyn Display| Failure(format!("{}: {}", path.display(), error.to_string().trim_end()));
        let text = fs::read_to_string(path).map_err(|error| failure(&error))?;
        let mut config: Self = toml::from_str(&text).map_err(|error| failure(&error))?;
        config.check().map_err(|error| failure(&error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for named in config.overlays.iter_mut().chain(config.offline.values_mut()) {
            *named = folder.join(&*named);
        }
        Ok(config)
    }

    /// The generator of the description at `document` with the settings of the file at `path`, for build scripts and macros.
    pub fn generator_of(path: &Path, document: &Path) -> Result<Generator, Failure> {
        let config = Self::read(path)?;
        if !config.offline.is_empty() {
            let why = "`offline` is a setting of the command only; name a copy of the document instead of its URL";
            return Err(Failure(format!("{}: {why}", path.display())));
        }
        let (folder, _) = DocumentFolder::of(document);
        let mut generator = config.generator().settings_file(folder.path_of(path)).policies(config.policies()?);
        for overlay in &config.overlays {
            generator = generator.overlay(folder.path_of(overlay));
        }
        Ok(match config.runtime {
            None => generator,
            Some(runtime) => generator.runtime(runtime),
        })
    }

    /// The generator with these settings. Overlays and policies are not among them: the command has options for
    /// both, too.
    pub fn generator(&self) -> Generator {
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

    /// Checks what TOML and serde do not.
    pub fn check(&self) -> Result<(), Failure> {
        let names = self.name.iter().chain(self.dependencies.keys());
        if let Some(name) = names.into_iter().find(|name| !is_crate_name(name)) {
            return Err(Failure(format!("`{name}` is not a crate name: use letters, digits, `-` and `_`")));
        }
        self.policies().map(drop)
    }

    fn policies(&self) -> Result<Policies, Failure> {
        let mut policies = Policies::default();
        policies.decide(self.diagnostics.iter().map(|(kind, policy)| (kind.as_str(), *policy))).map_err(Failure)?;
        Ok(policies)
    }
}
