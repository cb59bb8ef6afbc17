//! What users want types to derive and to be marked with besides.

use serde::Deserialize;

use super::rust;
use crate::diagnostic::Code;
use crate::ir::{Model, ModelKind, PerSide};
use crate::location::Location;
use crate::lower::{Context, Node, Schema};
use crate::selection::matches;

/// The table of the configuration.
pub(crate) const DERIVES: &str = "derives";

/// The extensions of a schema.
const DERIVE: &str = "x-rust-derive";
const ATTRIBUTES: &str = "x-rust-attributes";

/// How one entry is read: what it is in Rust, or why it is not.
type Read = fn(&str) -> Result<String, &'static str>;

impl<'a> Context<'a> {
    /// Gives each model what it derives and is marked with besides.
    pub(crate) fn dress(&mut self, models: &mut [Model]) {
        let configured = &self.wishes.options.derives;
        for model in models {
            let Some(node) = self.node(&model.location) else { continue };
            if matches!(model.kind, ModelKind::Alias(_)) {
                self.report_idle_dress(&node);
                continue;
            }
            for (pattern, wanted) in configured {
                if matches(pattern, &model.name.wire) || matches(pattern, &model.name.rust) {
                    self.wishes.granted.insert((DERIVES, pattern.clone()));
                    self.put_on(&mut model.derives, wanted, rust::derive, &|_, _| model.location.clone());
                }
            }
            for (extension, list, read) in [
                (DERIVE, &mut model.derives, rust::derive as Read),
                (ATTRIBUTES, &mut model.attributes, rust::attribute),
            ] {
                let Some(said) = node.get(extension) else { continue };
                match PerSide::deserialize(said.value) {
                    Ok(wanted) => self.put_on(list, &wanted, read, &|side, index| {
                        let list =
                            if said.value.is_array() { said.location.clone() } else { said.location.member(side) };
                        list.item(index)
                    }),
                    Err(error) => {
                        self.report(Code::InvalidRustAttribute, &said.location, format!("this is not {error}"));
                    }
                }
            }
        }
        for pattern in self.wishes.idle(DERIVES, configured) {
            let message = format!("there is no type `{pattern}` that derives anything");
            let diagnostic = self.diagnostics.report(Code::NothingMatched, &self.document.root, message);
            diagnostic.label("an entry of the configuration stands for nothing");
        }
    }

    /// Adds what is wanted; `place` says where, by the side and the index in its list.
    fn put_on(&mut self, to: &mut PerSide, wanted: &PerSide, read: Read, place: &dyn Fn(&str, usize) -> Location) {
        for (side, list, wanted) in
            [("server", &mut to.server, &wanted.server), ("client", &mut to.client, &wanted.client)]
        {
            for (index, text) in wanted.iter().enumerate() {
                let place = place(side, index);
                match read(text) {
                    Ok(text) => {
                        self.mention_crate_of(&text, &place);
                        if !list.contains(&text) {
                            list.push(text);
                        }
                    }
                    Err(why) => {
                        self.report(Code::InvalidRustAttribute, &place, format!("`{text}` {why}")).help(
                            "derive `Hash`, or a whole path such as `::serde::Serialize`; an attribute has its `#[…]`",
                        );
                    }
                }
            }
        }
    }

    /// Says that what was asked for a schema is nobody's, because its type has no definition of its own.
    pub(crate) fn report_idle_dress(&mut self, node: &Node<'a>) {
        for extension in [DERIVE, ATTRIBUTES] {
            if let Some(said) = node.get(extension) {
                self.report(Code::NotUsed, &said.location.name(), "the type of this schema is not defined here")
                    .label("so it cannot derive or be marked with anything");
            }
        }
    }

    /// Says what was asked for a schema whose type has no name of its own.
    pub(crate) fn report_idle(&mut self, schema: &Schema<'a>) {
        self.report_idle_name(schema);
        self.report_idle_dress(&schema.place);
    }
}
