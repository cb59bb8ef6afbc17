//! The stages, in their order: load → upgrade → lower → check → emit → render.

use std::collections::BTreeMap;

use crate::diagnostic::Diagnostics;
use crate::emit::{self, Section, Side, WEBHOOKS};
use crate::ir::Api;
use crate::load::{self, Files};
use crate::skip::{self, Remaining};
use crate::{Generated, Options, Wire, check, lower, package, parallel, render, upgrade};

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
    let Remaining { read: api, skipped, warnings } = checked(files, entry, options)?;
    let Options { marker, server_crate, client_crate, .. } = options;

    let (server, client) = parallel::both(|| emit::server(&api), || emit::client(&api, client_crate));
    let [server, client] = render::render_all([&server, &client], marker, None);

    let (server_package, client_package) = parallel::both(
        || package::package(&api, Side::Server, server_crate, &server, marker),
        || package::package(&api, Side::Client, client_crate, &client, marker),
    );
    let operations = api.operations().count();
    Ok(Generated { server, server_package, client, client_package, operations, skipped, warnings })
}

/// The description in Rust's terms, which everything starts from. Each stage reports all it finds before the next one
/// starts, which may then trust its input; after the last one, nothing can fail.
fn checked(files: &dyn Files, entry: &str, options: &Options) -> Result<Remaining<Api>, Diagnostics> {
    let tree = load::entry(files, entry)?;
    skip::leaving_out(files, entry, tree, &options.policies, |tree, diagnostics| {
        let document = upgrade::upgrade(files, entry, &options.overlays, tree, diagnostics)?;
        let mut found = Diagnostics::default();
        let mut api = lower::lower(&document, options, &mut found);
        check::check(&api, &mut found);
        found.relocate(|location| document.origin(location));
        diagnostics.append(found);
        api.relocate(|location| document.origin(location));
        Some(api)
    })
}

/// Reads a description; with it comes what is only worth a warning.
pub fn read(files: &dyn Files, entry: &str, options: &Options) -> Result<(Api, Diagnostics), Diagnostics> {
    checked(files, entry, options).map(|checked| (checked.read, checked.warnings))
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
