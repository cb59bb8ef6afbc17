//! Turns an OpenAPI description into a server crate and a client crate, all in memory.

#[cfg(feature = "build")]
pub mod build;
mod check;
mod customise;
mod dependencies;
mod diagnostic;
pub mod diff;
mod emit;
#[cfg(feature = "build")]
mod folder;
pub mod ir;
mod load;
mod location;
mod lower;
mod package;
mod parallel;
mod render;
mod selection;
mod skip;
mod tokens;
mod upgrade;

use std::collections::BTreeMap;

use emit::{Section, Side, WEBHOOKS};
use ir::Api;
use serde_json::Value;
use skip::Skipped;

pub use customise::{Rename, RustType, Types, is_crate_name};
pub use diagnostic::{
    Code, Diagnostic, Diagnostics, Located, NoRepair, Policies, Policy, Position, Severity, Style, UnknownCode,
};
#[cfg(feature = "build")]
pub use folder::DocumentFolder;
pub use ir::{Dependency, PerSide, Runtime};
pub use load::Files;
pub use location::Location;
pub use render::File;
pub use selection::Selection;

/// What the caller decides.
#[derive(Clone, Debug)]
pub struct Options {
    /// The comment at the top of every generated file, without its slashes.
    pub marker: String,
    /// What code calls the server crate: `generated_server`. Its package has `-` for `_`.
    pub server_crate: String,
    /// What code calls the client crate: `generated_client`. Its package has `-` for `_`.
    pub client_crate: String,
    /// The files of the OpenAPI Overlays that change the description before it is read, in their order.
    pub overlays: Vec<String>,
    /// What is done about which problems.
    pub policies: Policies,
    /// The operations that are generated; all when it has no pattern.
    pub include: Selection,
    /// The operations that are left out all the same.
    pub exclude: Selection,
    /// Names of the user's own.
    pub rename: Rename,
    /// Types of the user's own.
    pub types: Types,
    /// What types derive besides, by patterns for the names of their schemas, in which `*` stands for any text.
    pub derives: BTreeMap<String, PerSide>,
    /// The crates that the user's types are from, by name.
    pub dependencies: BTreeMap<String, Dependency>,
    /// Where the crates have their runtime from.
    pub runtime: Runtime,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            marker: "@generated from an OpenAPI description. Do not edit.".to_owned(),
            server_crate: "generated_server".to_owned(),
            client_crate: "generated_client".to_owned(),
            overlays: Vec::new(),
            policies: Policies::default(),
            include: Selection::default(),
            exclude: Selection::default(),
            rename: Rename::default(),
            types: Types::default(),
            derives: BTreeMap::new(),
            dependencies: BTreeMap::new(),
            runtime: Runtime::default(),
        }
    }
}

/// What a description gives.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The files of the server crate below `src`, in the order of their paths.
    pub server: Vec<File>,
    /// Its `Cargo.toml`, `rustfmt.toml` and `README.md`, for those who have none of their own.
    pub server_package: Vec<File>,
    /// The files of the client crate below `src`, in the order of their paths.
    pub client: Vec<File>,
    /// Its `Cargo.toml`, `rustfmt.toml` and `README.md`, for those who have none of their own.
    pub client_package: Vec<File>,
    /// How many operations they have.
    pub operations: usize,
    /// How many they do not have, because the policy of a problem is [`Policy::Skip`].
    pub skipped: usize,
    /// What was repaired, assumed or left out.
    pub warnings: Diagnostics,
}

/// Generates both crates from the description that starts in the file `entry`.
///
/// On failure the diagnostics say what is wrong with the description; [`Diagnostics::render`] shows them.
///
/// ```
/// # let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../spec"));
/// let files = |path: &str| std::fs::read(folder.join(path));
/// match codegen::generate(&files, "openapi.yaml", &codegen::Options::default()) {
///     Ok(generated) => println!("{} files for the server", generated.server.len()),
///     Err(diagnostics) => eprint!("{}", diagnostics.render(&files, codegen::Style::Plain)),
/// }
/// ```
pub fn generate(files: &dyn Files, entry: &str, options: &Options) -> Result<Generated, Diagnostics> {
    let Read { api, skipped, warnings } = read_all(files, entry, options)?;
    let Options { marker, server_crate, client_crate, .. } = options;
    let (server, client) = parallel::both(|| emit::server(&api), || emit::client(&api, client_crate));
    let [server, client] = render::render_all([&server, &client], marker, None);
    let (server_package, client_package) = parallel::both(
        || package::package(&api, Side::Server, server_crate, &server, marker),
        || package::package(&api, Side::Client, client_crate, &client, marker),
    );
    Ok(Generated {
        server_package,
        server,
        client_package,
        client,
        operations: api.operations().count(),
        skipped,
        warnings,
    })
}

/// A program that proves that what the client sends is what the server receives, and the other way round.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Wire {
    /// The server crate, whose models can be read and written both ways, with its `Cargo.toml`.
    pub server: Vec<File>,
    /// The client crate, likewise.
    pub client: Vec<File>,
    /// The program below `src`, which depends on both and on the crate `wire` of this repository.
    pub program: Vec<File>,
}

/// Generates a [`Wire`] from the description that starts in the file `entry`.
#[doc(hidden)]
pub fn wire(files: &dyn Files, entry: &str, options: &Options) -> Result<Wire, Diagnostics> {
    let (mut api, _) = read(files, entry, options)?;
    api.go_both_ways();
    let Options { marker, server_crate, client_crate, .. } = options;
    let mut server = render::render(&emit::server(&api), marker, None);
    let mut client = render::render(&emit::client(&api, client_crate), marker, None);
    server.extend(package::package(&api, Side::Server, server_crate, &server, marker));
    client.extend(package::package(&api, Side::Client, client_crate, &client, marker));
    Ok(Wire { server, client, program: render::render(&emit::wire(&api, server_crate, client_crate), marker, None) })
}

/// An implementation of each tag's trait to start from, by tag: it compiles, and answers every operation with 501.
/// They are for the server crate of the same options. Those of `webhooks <tag>` receive webhooks, with the client crate.
pub fn scaffold(files: &dyn Files, entry: &str, options: &Options) -> Result<BTreeMap<String, String>, Diagnostics> {
    let (api, _) = read(files, entry, options)?;
    let text = |section: Section<'_>, tag, crate_name: &str| {
        package::outside(&render::code(&emit::scaffold(section, tag)), crate_name)
    };
    let paths = Section::paths(&api);
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for tag in paths.tags {
        texts.insert(tag.name.wire.clone(), text(paths, tag, &options.server_crate));
    }
    for (webhooks, tag) in
        Section::webhooks(&api).into_iter().flat_map(|section| section.tags.iter().map(move |tag| (section, tag)))
    {
        texts.insert(format!("{WEBHOOKS} {}", tag.name.wire), text(webhooks, tag, &options.client_crate));
    }
    Ok(texts)
}

/// Reads a description; with it comes what is only worth a warning.
pub fn read(files: &dyn Files, entry: &str, options: &Options) -> Result<(Api, Diagnostics), Diagnostics> {
    read_all(files, entry, options).map(|read| (read.api, read.warnings))
}

/// A description that can be generated from.
struct Read {
    api: Api,
    /// How many operations were left out.
    skipped: usize,
    warnings: Diagnostics,
}

/// Reads a description; what it was decided to skip is left out, and the rest read again.
fn read_all(files: &dyn Files, entry: &str, options: &Options) -> Result<Read, Diagnostics> {
    let mut diagnostics = Diagnostics::default();
    let Some(mut tree) = load::load(files, entry, None, &mut diagnostics) else { return Err(diagnostics) };
    let policies = &options.policies;
    let mut skipped = Skipped::default();
    let (api, found) = loop {
        let rest = policies.may_skip().then(|| tree.clone());
        let mut found = Diagnostics::default();
        let api = stages(files, entry, tree, options, &mut found);
        policies.apply(&mut found);
        match rest
            .filter(|_| found.has_errors())
            .and_then(|rest| skipped.leave_out(files, entry, rest, &found, policies))
        {
            Some(rest) => tree = rest,
            None => break (api, found),
        }
    };
    let operations = skipped.operations();
    let mut diagnostics = skipped.into_diagnostics();
    policies.apply(&mut diagnostics);
    diagnostics.append(found);
    match api {
        Some(api) if !diagnostics.has_errors() => Ok(Read { api, skipped: operations, warnings: diagnostics }),
        Some(_) | None => Err(diagnostics),
    }
}

/// Everything that can fail once there is a tree. Each stage reports all it finds before the next one starts, which may
/// then trust its input.
fn stages(
    files: &dyn Files,
    entry: &str,
    tree: Value,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<Api> {
    let document = upgrade::upgrade(files, entry, &options.overlays, tree, diagnostics)?;
    let mut found = Diagnostics::default();
    let mut api = lower::lower(&document, options, &mut found);
    check::check(&api, &mut found);
    found.relocate(|location| document.origin(location));
    diagnostics.append(found);
    api.relocate(|location| document.origin(location));
    Some(api)
}
