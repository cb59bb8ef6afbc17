//! Which parts of the runtime a crate needs, and where it has them from.

use std::collections::BTreeSet;

use super::feature::{SERDE, TRACING, WEBHOOKS};
use super::profile::Side;
use super::section::Section;
use super::{foreign, mentions};
use crate::ir::{Api, Codec, ContentKind, ForeignForm, Model, ModelKind, Runtime, Type};
use proc_macro2::TokenStream;
use quote::quote;

/// The crate that the runtime is, and what code calls it.
pub(crate) const CRATE: &str = "codegen-runtime";

/// Its version, which is that of the generator.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What `lib.rs` says of a runtime that is a crate.
pub(super) fn of_a_crate(api: &Api) -> Option<TokenStream> {
    (api.runtime != Runtime::Embed).then(|| {
        quote! {
            pub use codegen_runtime as runtime;

            const _: () = runtime::version::check(#VERSION);
        }
    })
}

/// The features that a crate needs of the runtime: always, or with a feature of its own.
pub(crate) fn features(api: &Api, side: Side) -> Vec<(Option<&'static str>, &'static str)> {
    let needed = modules(api, side).into_iter().filter_map(|module| {
        let feature = match module {
            "chrono" => "chrono",
            "client" => "client",
            "decimal" => "decimal",
            "foreign_json" => "foreign-json",
            "rule" => "rule",
            "serde" => "serde",
            "server" => "server",
            "stream" => "stream",
            "time" => "time",
            "uuid" => "uuid",
            _ => return None,
        };
        Some((self::feature(api, side, module), feature))
    });
    let needed: BTreeSet<_> = needed.chain(parts(api, side)).chain([(Some(TRACING), "tracing")]).collect();
    // With the server come the rules.
    let is_implied = |with: Option<&'static str>| needed.contains(&(with, "server"));
    needed.iter().copied().filter(|(with, feature)| *feature != "rule" || !is_implied(*with)).collect()
}

/// The names of the features for parts of modules.
pub(crate) fn parts_of(api: &Api, side: Side) -> BTreeSet<&'static str> {
    parts(api, side).into_iter().map(|(_, feature)| feature).collect()
}

/// The features for parts of modules, each with the feature of the crate's own that needs it.
fn parts(api: &Api, side: Side) -> Vec<(Option<&'static str>, &'static str)> {
    let paths = (None, Section::paths(api));
    let webhooks = Section::webhooks(api).map(|webhooks| (Some(WEBHOOKS), webhooks));
    let (client, server) = match side {
        Side::Server => (webhooks, Some(paths)),
        Side::Client => (Some(paths), webhooks),
    };
    let mut parts = Vec::new();
    if let Some((with, section)) = client {
        parts.extend(sends_parts(section).then_some((with, "client-multipart")));
        parts.extend(has_pages(section).then_some((with, "pages")));
    }
    if let Some((with, section)) = server {
        parts.extend(sends_parts(section).then_some((with, "server-multipart")));
    }
    let is_object = |model: &Model| model.in_parameter && matches!(model.kind, ModelKind::Struct(_));
    parts.extend(api.models.iter().any(is_object).then_some((None, "object-parameter")));
    let has_tuple = mentions::types(api).iter().any(|ty| matches!(ty, Type::Tuple(_)));
    parts.extend(has_tuple.then_some((None, "tuple")));
    let has_union = api.models.iter().any(|model| matches!(model.kind, ModelKind::Union(_)));
    parts.extend(has_union.then_some((None, "union")));
    parts
}

/// Whether some request is a multipart body.
pub(super) fn sends_parts(section: Section<'_>) -> bool {
    let mut contents =
        section.operations().filter_map(|operation| operation.request_body.as_ref()).flat_map(|body| &body.contents);
    contents.any(|content| matches!(content.kind, ContentKind::Multipart(_)))
}

/// Whether some list comes in pages.
pub(super) fn has_pages(section: Section<'_>) -> bool {
    section.operations().any(|operation| operation.pagination.is_some())
}

/// The modules that the crate needs. Those of a type that is an external crate come only with the type.
pub(crate) fn modules(api: &Api, side: Side) -> BTreeSet<&'static str> {
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
    modules.extend(optional(api, side).into_iter().filter(|module| !RULES_OF_TYPES.contains(module)));
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
        match (&foreign.codec, foreign.form()) {
            (Codec::Runtime(module), _) => {
                modules.extend(["strict_time", *module]);
                modules.extend(has_rules.then(|| rules_of(module)).flatten());
            }
            (Codec::With(_), _) => {
                modules.insert("foreign");
                if foreign.is_wrapped(&api.runtime) {
                    modules.insert("with");
                    modules.extend(has_rules.then(|| rules_of("with")).flatten());
                }
            }
            (Codec::Type, ForeignForm::Text | ForeignForm::Number) => modules.extend(["foreign"]),
            (Codec::Type, ForeignForm::Json) => modules.extend(["foreign_json"]),
        }
    }
    for (ty, module) in [(Type::Decimal, "decimal"), (Type::DecimalNumber, "decimal"), (Type::Uuid, "uuid")] {
        if types.contains(&&ty) {
            modules.insert(module);
            modules.extend(has_rules.then(|| rules_of(module)).flatten());
        }
    }
    modules
}

/// The modules for the rules of types that are external crates.
const RULES_OF_TYPES: &[&str] = &["chrono_rule", "decimal_rule", "time_rule", "uuid_rule", "with_rule"];

/// The one of them for the types of a module.
fn rules_of(module: &str) -> Option<&'static str> {
    RULES_OF_TYPES.iter().copied().find(|rules| rules.strip_suffix("_rule") == Some(module))
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
        sent.chain(operation.responses.all().flat_map(|response| &response.contents))
            .any(|content| content.kind.has_items())
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
        modules.push("rule");
        modules.extend(RULES_OF_TYPES);
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
pub(crate) fn feature(api: &Api, side: Side, path: &str) -> Option<&'static str> {
    match module_of(path) {
        SERDE => Some(SERDE),
        // It may need the feature of its side as well, which turns on less.
        _ if path.ends_with("/trace.rs") => Some(TRACING),
        module => optional(api, side).contains(&module).then_some(WEBHOOKS),
    }
}

/// `json` for `json.rs` and for `json/reader.rs`.
pub(crate) fn module_of(path: &str) -> &str {
    let end = path.find(['/', '.']).unwrap_or(path.len());
    &path[..end]
}
