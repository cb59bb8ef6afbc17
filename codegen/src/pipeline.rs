//! The stages, in their order: load → upgrade → lower → check → emit → render.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::diagnostic::Diagnostics;
use crate::emit::{self, Section, Side, WEBHOOKS};
use crate::ir::Api;
use crate::skip::{self, Remaining};
use crate::{Crate, Description, File, Generated, Options, Source, check, load, lower, package};
use crate::{parallel, render, upgrade};

/// Generates the requested crates.
pub(crate) fn generate(source: &Source<'_>, options: &Options) -> Result<Generated, Diagnostics> {
    let Description { api, skipped, warnings } = read(source, options)?;
    let client_crate = options.crate_name(Side::Client);
    let models_alone = options.wants(Side::Models).then(|| emit::part(&api, Side::Models));
    let part = |side| models_alone.as_deref().filter(|_| side == Side::Models).unwrap_or(&api);

    let emit = |side| {
        if options.wants(side) { emit::files(part(side), side, &client_crate) } else { Vec::new() }
    };
    let (server, client) = parallel::both(|| emit(Side::Server), || emit(Side::Client));
    let mcp = match &options.mcp {
        Some(_) => emit::mcp::files(&api, &options.name, &client_crate),
        None => Vec::new(),
    };
    let cli = match &options.cli {
        Some(_) => emit::cli::files(&api, &client_crate),
        None => Vec::new(),
    };
    let models = emit(Side::Models);
    let [server, client, models, mcp, cli] =
        render::render_all([&server, &client, &models, &mcp, &cli], &options.marker, None);

    let package = |side, files: Vec<File>| {
        if !options.wants(side) {
            return Crate::default();
        }
        Crate { package: package::package(part(side), side, &files, options), files }
    };
    let (server, client) = parallel::both(|| package(Side::Server, server), || package(Side::Client, client));
    let mcp = match &options.mcp {
        Some(client) => Crate { package: package::mcp::package(&api, client, options), files: mcp },
        None => Crate::default(),
    };
    let cli = match &options.cli {
        Some(client) => Crate { package: package::cli::package(&api, client, options), files: cli },
        None => Crate::default(),
    };
    let models = package(Side::Models, models);
    Ok(Generated { server, client, models, mcp, cli, operations: api.operations().count(), skipped, warnings })
}

/// Reads the description. Each stage reports all problems before the next one starts and may trust its input;
/// after the last one, nothing can fail.
pub(crate) fn read(source: &Source<'_>, options: &Options) -> Result<Description, Diagnostics> {
    let tree = load::entry(source, source.entry())?;
    let understand = |tree, diagnostics: &mut _| understand(source, options, tree, diagnostics).map(|(api, _)| api);
    let Remaining { read: api, skipped, warnings } =
        skip::leaving_out(source, source.entry(), tree, &options.policies, understand)?;
    Ok(Description { api, skipped, warnings })
}

/// The description in one file, as it is generated from: overlays applied, repaired, without what is skipped.
pub(crate) fn effective(source: &Source<'_>, options: &Options) -> Result<Value, Diagnostics> {
    let tree = load::entry(source, source.entry())?;
    let understand = |tree, diagnostics: &mut _| understand(source, options, tree, diagnostics).map(|(_, tree)| tree);
    skip::leaving_out(source, source.entry(), tree, &options.policies, understand).map(|remaining| remaining.read)
}

/// The entry file with the overlays applied, otherwise as it is written, and warnings.
pub(crate) fn overlaid(source: &Source<'_>, options: &Options) -> Result<(Value, Diagnostics), Diagnostics> {
    let mut tree = load::entry(source, source.entry())?;
    let mut found = Diagnostics::default();
    upgrade::overlay::apply(source, source.entry(), &options.overlays, &mut tree, &mut found);
    options.policies.apply(&mut found);
    if found.has_errors() { Err(found) } else { Ok((tree, found)) }
}

/// upgrade → lower → check. Locations refer to the files, not to the merged tree, which is the second result.
fn understand(
    source: &Source<'_>,
    options: &Options,
    tree: Value,
    diagnostics: &mut Diagnostics,
) -> Option<(Api, Value)> {
    let document = upgrade::upgrade(source, source.entry(), &options.overlays, tree, diagnostics)?;
    let mut found = Diagnostics::default();
    let mut api = lower::lower(&document, options, &mut found);
    check::check(&api, &mut found);
    found.relocate(|location| document.origin(location));
    api.relocate(|location| document.origin(location));
    diagnostics.append(found);
    Some((api, document.tree))
}

/// A starting implementation of each tag's trait, by tag.
pub(crate) fn scaffold(source: &Source<'_>, options: &Options) -> Result<BTreeMap<String, String>, Diagnostics> {
    let Description { api, .. } = read(source, options)?;
    let text = |section: Section<'_>, tag, side| {
        let places = section.places(Side::Server);
        package::outside(&render::code(emit::scaffold(section, tag), places), &options.crate_name(side))
    };
    let paths = Section::paths(&api);
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for tag in paths.tags {
        texts.insert(tag.name.wire.clone(), text(paths, tag, Side::Server));
    }
    for (webhooks, tag) in
        Section::webhooks(&api).into_iter().flat_map(|section| section.tags.iter().map(move |tag| (section, tag)))
    {
        texts.insert(format!("{WEBHOOKS} {}", tag.name.wire), text(webhooks, tag, Side::Client));
    }
    Ok(texts)
}
