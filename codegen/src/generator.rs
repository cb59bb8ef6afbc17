//! The entry of the library: takes what the caller decides, and generates.

use std::collections::BTreeMap;

use crate::{
    Dependency, Description, Diagnostics, Features, Generated, Options, PerSide, Policies, Rename, Runtime, Selection,
    Side, Source, Types, pipeline,
};

/// Generates crates from descriptions; what is not set stays as the description says it.
///
/// ```
/// use codegen::{Generator, Runtime, Selection, Source};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/openapi.yaml");
/// let generated = Generator::new()
///     .name("accounts")
///     .runtime(Runtime::Git("https://example.com/codegen".to_owned()))
///     .include(Selection { tags: vec!["Accounts".to_owned()], ..Selection::default() })
///     .generate(&Source::path(path))?;
/// for file in generated.server.package.iter().chain(&generated.server.files) {
///     println!("accounts-server/{}: {} bytes", file.path, file.text.len());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "it does nothing before it is asked for something"]
pub struct Generator {
    pub(crate) options: Options,
}

impl Generator {
    /// Generates both crates, of all operations.
    pub fn new() -> Self {
        Self::default()
    }

    /// What the crates are called, without `-server` and `-client`; `generated` unless it is said.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.options.name = name.into();
        self
    }

    /// Generates one crate only.
    pub fn only(mut self, side: Side) -> Self {
        self.options.only = Some(side);
        self
    }

    /// The comment at the top of every generated file, without its slashes.
    pub fn marker(mut self, marker: impl Into<String>) -> Self {
        self.options.marker = marker.into();
        self
    }

    /// Where the crates have their runtime from; by default, the published crate of the same version.
    pub fn runtime(mut self, runtime: Runtime) -> Self {
        self.options.runtime = Some(runtime);
        self
    }

    /// The TOML file that the caller has all of this from, in the tables of the command's configuration: a mistake in it is
    /// shown there, and not in the description.
    pub fn settings_file(mut self, file: impl Into<String>) -> Self {
        self.options.settings = Some(file.into());
        self
    }

    /// Changes the description by the OpenAPI Overlay in this file before it is read, and after those named before.
    pub fn overlay(mut self, file: impl Into<String>) -> Self {
        self.options.overlays.push(file.into());
        self
    }

    /// What is done about which problems.
    pub fn policies(mut self, policies: Policies) -> Self {
        self.options.policies = policies;
        self
    }

    /// The operations that are generated.
    pub fn include(mut self, selection: Selection) -> Self {
        self.options.include = selection;
        self
    }

    /// The operations that are left out, though they may be included.
    pub fn exclude(mut self, selection: Selection) -> Self {
        self.options.exclude = selection;
        self
    }

    /// The cargo features of the crates.
    pub fn features(mut self, features: Features) -> Self {
        self.options.features = features;
        self
    }

    /// Names of the user's own.
    pub fn rename(mut self, rename: Rename) -> Self {
        self.options.rename = rename;
        self
    }

    /// Types of the user's own.
    pub fn types(mut self, types: Types) -> Self {
        self.options.types = types;
        self
    }

    /// What the types of some schemas derive besides; in the pattern for their names `*` stands for any text.
    pub fn derive(mut self, schemas: impl Into<String>, traits: PerSide) -> Self {
        self.options.derives.insert(schemas.into(), traits);
        self
    }

    /// A crate that the user's types are from.
    pub fn dependency(mut self, name: impl Into<String>, dependency: Dependency) -> Self {
        self.options.dependencies.insert(name.into(), dependency);
        self
    }

    /// Reads a description and says what is wrong with it, without generating anything.
    pub fn read(&self, source: &Source<'_>) -> Result<Description, Diagnostics> {
        pipeline::read(source, &self.options)
    }

    /// Generates the crates.
    ///
    /// On failure the diagnostics say what is wrong with the description; [`Diagnostics::render`] shows them with the
    /// lines that they are about.
    pub fn generate(&self, source: &Source<'_>) -> Result<Generated, Diagnostics> {
        pipeline::generate(source, &self.options)
    }

    /// An implementation of each tag's trait to start from, by tag: it compiles, and answers every operation with 501.
    /// Those of `webhooks <tag>` receive webhooks, with the client crate.
    pub fn scaffold(&self, source: &Source<'_>) -> Result<BTreeMap<String, String>, Diagnostics> {
        pipeline::scaffold(source, &self.options)
    }
}
