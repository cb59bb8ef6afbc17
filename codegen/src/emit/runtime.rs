//! Which parts of the runtime a crate needs.

mod files;

use std::collections::BTreeSet;

use super::feature::{SERDE, WEBHOOKS};
use super::profile::Side;
use super::section::Section;
use super::{Content, SourceFile, doc, feature, foreign, mentions, ty};
use crate::ir::{Api, ForeignForm, ModelKind, Type};
use crate::tokens::{Tokens, quote};

/// `runtime.rs` and the files below it.
pub(crate) fn files(api: &Api, side: Side) -> Vec<SourceFile<'_>> {
    let modules = modules(api, side);
    let mut files: Vec<_> = files::FILES
        .iter()
        .filter(|(path, _)| modules.contains(module_of(path)))
        .map(|(path, text)| SourceFile { path: format!("src/runtime/{path}"), content: Content::Runtime(text) })
        .collect();
    files.push(SourceFile::new("src/runtime.rs", move || list(api, side, &modules)));
    files
}

/// The list of modules.
fn list(api: &Api, side: Side, modules: &BTreeSet<&str>) -> Tokens {
    let doc = doc::own_inner("What every generated crate is built on, copied from the generator as it is.");
    let modules = modules.iter().map(|name| {
        let module = ty::ident(name);
        let feature = feature::outer(feature(api, side, name).as_slice());
        quote!(#feature pub mod #module;)
    });
    quote! {
        #doc

        #(#modules)*
    }
}

/// The modules that the crate needs. Those of a type that is an external crate come only with the type.
fn modules(api: &Api, side: Side) -> BTreeSet<&'static str> {
    let mut modules = BTreeSet::from(["json", "parameter", "text", "violation"]);
    match side {
        Side::Server => modules.extend(["rule", "server"]),
        Side::Client => modules.extend(["client"]),
    }
    if has_items(Section::paths(api)) {
        modules.extend(["stream", stream(side)]);
    }
    if !api.models.is_empty() {
        modules.insert(SERDE);
    }
    let rules_of_types = ["decimal_rule", "uuid_rule"];
    modules.extend(optional(api, side).into_iter().filter(|module| !rules_of_types.contains(module)));
    let has_rules = modules.contains("rule") || is_checked(api, side);
    if has_rules {
        modules.insert("rule");
    }
    // Only the enums of the client are open.
    let has_enum = api.models.iter().any(|model| matches!(model.kind, ModelKind::Enum(_)));
    if side == Side::Client && has_enum {
        modules.insert("unknown");
    }
    let types = mentions::types(api);
    for foreign in foreign::list(api) {
        modules.insert(match foreign.form() {
            ForeignForm::Text | ForeignForm::Number => "foreign",
            ForeignForm::Json => "foreign_json",
        });
    }
    for (ty, module, rules) in [
        (Type::Decimal, "decimal", "decimal_rule"),
        (Type::DecimalNumber, "decimal", "decimal_rule"),
        (Type::Uuid, "uuid", "uuid_rule"),
    ] {
        if types.contains(&&ty) {
            modules.insert(module);
            if has_rules {
                modules.insert(rules);
            }
        }
    }
    modules
}

/// What streams of items are read and written by.
fn stream(side: Side) -> &'static str {
    match side {
        Side::Server => "server_stream",
        Side::Client => "client_stream",
    }
}

/// Whether some body is a stream of items.
pub(super) fn has_items(section: Section<'_>) -> bool {
    section.operations().any(|operation| {
        let sent = operation.request_body.iter().flat_map(|body| &body.contents);
        let responses = operation.responses.success.iter().chain(&operation.responses.failure);
        sent.chain(responses.flat_map(|response| &response.contents)).any(|content| content.kind.has_items())
    })
}

/// The modules that only webhooks need: what the other side is built on.
fn optional(api: &Api, side: Side) -> Vec<&'static str> {
    let Some(webhooks) = Section::webhooks(api) else { return Vec::new() };
    let (mut modules, other) = match side {
        Side::Server => (vec!["client"], Side::Client),
        Side::Client => (vec!["server"], Side::Server),
    };
    if side == Side::Client && !is_checked(api, side) {
        // Only the parameters of webhooks have rules.
        modules.extend(["decimal_rule", "rule", "uuid_rule"]);
    }
    if has_items(webhooks) {
        modules.push(stream(other));
        if !has_items(Section::paths(api)) {
            modules.push("stream");
        }
    }
    modules
}

/// Whether models ask for the rules of the description.
fn is_checked(api: &Api, side: Side) -> bool {
    api.models.iter().any(|model| side.checks(model))
}

/// When a module of the runtime is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Always,
    /// With the feature of webhooks only.
    WithWebhooks,
    Never,
}

/// When values can be asked whether they keep rules.
pub(super) fn check(api: &Api, side: Side) -> When {
    if side == Side::Server || is_checked(api, side) {
        When::Always
    } else if optional(api, side).contains(&"rule") {
        When::WithWebhooks
    } else {
        When::Never
    }
}

/// The feature that a module of the runtime or a file of it is compiled with, if it is one.
pub(super) fn feature(api: &Api, side: Side, path: &str) -> Option<&'static str> {
    match module_of(path) {
        SERDE => Some(SERDE),
        module => optional(api, side).contains(&module).then_some(WEBHOOKS),
    }
}

/// `json` for `json.rs` and for `json/reader.rs`.
fn module_of(path: &str) -> &str {
    let end = path.find(['/', '.']).unwrap_or(path.len());
    &path[..end]
}
