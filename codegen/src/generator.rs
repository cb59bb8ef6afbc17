//! The entry point of the library: collects options and generates.

use std::collections::BTreeMap;

use crate::{
    Dependency, Description, Diagnostics, Features, Generated, Options, PerSide, Policies, Rename, Runtime, Selection,
    Side, Source, Types, pipeline,
};

/// Generates crates from descriptions; unset options follow the description.
///
/// ```
/// use specwright::{Generator, Runtime, Selection, Source};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/openapi.yaml");
/// let generated = Generator::new()
///     .name("accounts")
///     .runtime(Runtime::Git("https://example.com/specwright".to_owned()))
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
    /// Generates the server and the client, of all operations.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the base name of the crates, without `-server`, `-client` and `-models`; `generated` by default.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.options.name = name.into();
        self
    }

    /// Sets the sides that are generated; by default, the server and the client.
    pub fn sides(mut self, sides: impl IntoIterator<Item = Side>) -> Self {
        self.options.sides = sides.into_iter().collect();
        self
    }

    /// Also generates a crate that serves the operations as tools of the Model Context Protocol. It depends on the client
    /// crate, whose folder is at `client`, relative to its own.
    pub fn mcp(mut self, client: impl Into<String>) -> Self {
        self.options.mcp = Some(client.into());
        self
    }

    /// Also generates a crate with a command-line program of the operations. It depends on the client crate, whose folder is
    /// at `client`, relative to its own.
    pub fn cli(mut self, client: impl Into<String>) -> Self {
        self.options.cli = Some(client.into());
        self
    }

    /// Sets the comment at the top of every generated file, without its slashes.
    pub fn marker(mut self, marker: impl Into<String>) -> Self {
        self.options.marker = marker.into();
        self
    }

    /// Sets where the crates get their runtime from; by default, the published crate of the same version.
    pub fn runtime(mut self, runtime: Runtime) -> Self {
        self.options.runtime = Some(runtime);
        self
    }

    /// Sets the TOML file that these options come from, in the tables of the command's configuration.
    /// Mistakes in them are reported there.
    pub fn settings_file(mut self, file: impl Into<String>) -> Self {
        self.options.settings = Some(file.into());
        self
    }

    /// Applies the OpenAPI Overlay in this file before the description is read, after overlays added earlier.
    pub fn overlay(mut self, file: impl Into<String>) -> Self {
        self.options.overlays.push(file.into());
        self
    }

    /// Sets how problems are treated.
    pub fn policies(mut self, policies: Policies) -> Self {
        self.options.policies = policies;
        self
    }

    /// Selects the operations that are generated.
    pub fn include(mut self, selection: Selection) -> Self {
        self.options.include = selection;
        self
    }

    /// Selects operations to leave out, even if they are included.
    pub fn exclude(mut self, selection: Selection) -> Self {
        self.options.exclude = selection;
        self
    }

    /// Sets the cargo features of the crates.
    pub fn features(mut self, features: Features) -> Self {
        self.options.features = features;
        self
    }

    /// Sets names chosen by the user.
    pub fn rename(mut self, rename: Rename) -> Self {
        self.options.rename = rename;
        self
    }

    /// Sets types chosen by the user.
    pub fn types(mut self, types: Types) -> Self {
        self.options.types = types;
        self
    }

    /// Adds derives to the types of some schemas; in the name pattern `*` matches any text.
    pub fn derive(mut self, schemas: impl Into<String>, traits: PerSide) -> Self {
        self.options.derives.insert(schemas.into(), traits);
        self
    }

    /// Adds a crate that the user's types come from.
    pub fn dependency(mut self, name: impl Into<String>, dependency: Dependency) -> Self {
        self.options.dependencies.insert(name.into(), dependency);
        self
    }

    /// Reads and checks a description without generating anything.
    pub fn read(&self, source: &Source<'_>) -> Result<Description, Diagnostics> {
        pipeline::read(source, &self.options)
    }

    /// The description in one file, as the crates are generated from it: with overlays applied, repaired, in OpenAPI 3 if
    /// it was Swagger, and without operations that are skipped. Parts of other files are below `x-specwright-files`.
    pub fn effective(&self, source: &Source<'_>) -> Result<serde_json::Value, Diagnostics> {
        pipeline::effective(source, &self.options)
    }

    /// The entry file with the overlays applied, otherwise as it is written, and the warnings about the overlays.
    pub fn overlaid(&self, source: &Source<'_>) -> Result<(serde_json::Value, Diagnostics), Diagnostics> {
        pipeline::overlaid(source, &self.options)
    }

    /// Generates the crates.
    ///
    /// On failure the diagnostics list the problems of the description; [`Diagnostics::render`] shows them
    /// with their source lines.
    pub fn generate(&self, source: &Source<'_>) -> Result<Generated, Diagnostics> {
        pipeline::generate(source, &self.options)
    }

    /// A starting implementation of each tag's trait, by tag: it compiles, and responds to every operation
    /// with 501. Entries named `webhooks <tag>` receive webhooks, with the client crate.
    pub fn scaffold(&self, source: &Source<'_>) -> Result<BTreeMap<String, String>, Diagnostics> {
        pipeline::scaffold(source, &self.options)
    }
}
