//! Additional derives and attributes.

use serde::Deserialize;

use super::ty::note_crate_of;
use super::{Overrides, rust};
use crate::diagnostic::Code;
use crate::ir::{ModelKind, PerSide};
use crate::location::Location;
use crate::lower::node::Node;
use crate::lower::passes::Draft;
use crate::lower::reference::{Resolver, node_at};
use crate::lower::reporter::Reporter;
use crate::selection::matches;

/// The table of the configuration.
pub(crate) const DERIVES: &str = "derives";

/// The extensions of a schema.
const DERIVE: &str = "x-rust-derive";
const ATTRIBUTES: &str = "x-rust-attributes";

/// Parses one entry to Rust, or says why it is invalid.
type Read = fn(&str) -> Result<String, &'static str>;

/// Adds the derives and attributes to each model.
pub(crate) fn add_derives(resolver: &mut Resolver<'_>, overrides: &mut Overrides<'_>, models: &mut [Draft]) {
    let configured = &overrides.options.derives;
    for model in models {
        let Some(node) = node_at(resolver.document, &model.location) else { continue };
        if matches!(model.kind, ModelKind::Alias(_)) {
            report_unused_derives(&mut resolver.reporter, &node);
            continue;
        }
        for (pattern, wanted) in configured {
            if matches(pattern, &model.name.wire) || matches(pattern, &model.name.rust) {
                overrides.used.insert((DERIVES, pattern.clone()));
                let place = overrides.settings_place(DERIVES, pattern).unwrap_or_else(|| model.location.clone());
                add_valid(&mut resolver.reporter, overrides, &mut model.derives, wanted, rust::derive, &|_, _| {
                    place.clone()
                });
            }
        }
        for (extension, list, read) in
            [(DERIVE, &mut model.derives, rust::derive as Read), (ATTRIBUTES, &mut model.attributes, rust::attribute)]
        {
            let Some(said) = node.get(extension) else { continue };
            match PerSide::deserialize(said.value) {
                Ok(wanted) => add_valid(&mut resolver.reporter, overrides, list, &wanted, read, &|side, index| {
                    let list = if said.value.is_array() { said.location.clone() } else { said.location.member(side) };
                    list.item(index)
                }),
                Err(error) => {
                    resolver.report(Code::InvalidRustAttribute, &said.location, format!("this is not {error}"));
                }
            }
        }
    }
    for pattern in overrides.unused(DERIVES, configured) {
        let message = format!("no type `{pattern}` has derives");
        let place = overrides.settings_place(DERIVES, pattern).map(|place| place.name());
        let place = place.unwrap_or_else(|| resolver.document.root.clone());
        let diagnostic = resolver.reporter.report_each(Code::NothingMatched, &place, message);
        diagnostic.label("an entry of the configuration has no effect");
    }
}

/// Adds valid entries; `place` is the location, by side and index.
fn add_valid(
    reporter: &mut Reporter<'_>,
    overrides: &mut Overrides<'_>,
    to: &mut PerSide,
    wanted: &PerSide,
    read: Read,
    place: &dyn Fn(&str, usize) -> Location,
) {
    for (side, list, wanted) in [
        ("server", &mut to.server, &wanted.server),
        ("client", &mut to.client, &wanted.client),
        ("models", &mut to.models, &wanted.models),
    ] {
        for (index, text) in wanted.iter().enumerate() {
            let place = place(side, index);
            match read(text) {
                Ok(text) => {
                    note_crate_of(overrides, &text, &place);
                    if !list.contains(&text) {
                        list.push(text);
                    }
                }
                Err(why) => {
                    reporter.report(Code::InvalidRustAttribute, &place, format!("`{text}` {why}")).help(
                        "derive `Hash`, or a whole path such as `::serde::Serialize`; an attribute has its `#[…]`",
                    );
                }
            }
        }
    }
}

/// Reports derives and attributes of a schema without its own type definition.
pub(crate) fn report_unused_derives(reporter: &mut Reporter<'_>, node: &Node<'_>) {
    for extension in [DERIVE, ATTRIBUTES] {
        if let Some(said) = node.get(extension) {
            reporter
                .report(Code::NotUsed, &said.location.name(), "the type of this schema is not defined here")
                .label("so it cannot derive or be marked with anything");
        }
    }
}
