//! The runtime's cargo features that a crate needs.

use std::collections::BTreeSet;

use super::feature::{SERDE, TRACING, WEBHOOKS};
use super::foreign;
use super::section::Section;
use super::side::Side;
use super::xml;
use crate::ir::{Api, Codec, Content, ContentKind, ForeignForm, Model, ModelKind, Operation, Rule, Type};
use proc_macro2::TokenStream;
use quote::quote;

/// The name of the runtime crate.
pub(crate) const CRATE: &str = "specwright-runtime";

/// Its version, the same as the generator's.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The lines of `lib.rs` that import the runtime.
pub(super) fn import() -> TokenStream {
    quote! {
        pub use specwright_runtime as runtime;

        const _: () = runtime::version::check(#VERSION);
    }
}

/// The runtime features of a crate, each with the crate feature that needs it, if any.
pub(crate) fn features(api: &Api, side: Side) -> Vec<(Option<&'static str>, &'static str)> {
    let mut needed = BTreeSet::new();
    needed.extend((side != Side::Models).then_some((Some(TRACING), "tracing")));
    let webhooks = Section::webhooks(api).map(|webhooks| (Some(WEBHOOKS), webhooks, side.other()));
    for (with, section, side) in [(None, Section::paths(api), side)].into_iter().chain(webhooks) {
        needed.extend(of_section(section, side).into_iter().map(|feature| (with, feature)));
    }
    needed.extend(api.models.iter().any(|model| side.checks(model)).then_some((None, "rule")));
    let has_schema = |model: &Model| side.checks(model) && model.kind.has_rule(&is_schema);
    needed.extend(api.models.iter().any(has_schema).then_some((None, "schema")));
    needed.extend((!api.models.is_empty()).then_some((Some(SERDE), "serde")));
    needed.extend(of_types(api).into_iter().map(|feature| (None, feature)));
    let is_implied = |with: Option<&'static str>, feature| {
        with.is_some() && needed.contains(&(None, feature)) || feature == "rule" && needed.contains(&(with, "server"))
    };
    needed.iter().copied().filter(|(with, feature)| !is_implied(*with, feature)).collect()
}

/// The features that operations need.
fn of_section(section: Section<'_>, side: Side) -> Vec<&'static str> {
    let mut needed = vec![match side {
        Side::Server => "server",
        Side::Client => "client",
        Side::Models => return Vec::new(),
    }];
    needed.extend(sends_parts(section, side).then_some("multipart-write"));
    needed.extend(sends_parts(section, side.other()).then_some("multipart-read"));
    let mut values = section.operations().flat_map(Operation::values);
    let has_schema = values.any(|value| value.has_rule(&is_schema)) || section.operations().any(has_schema_of_parts);
    needed.extend((side == Side::Server && has_schema).then_some("schema"));
    needed.extend((side == Side::Client && has_pages(section)).then_some("pages"));
    needed.extend(has_items(section).then_some("stream"));
    needed.extend(xml::has_bodies(section.tags).then_some("xml"));
    needed
}

/// Whether the parts of the request have a rule together that is a schema.
fn has_schema_of_parts(operation: &Operation) -> bool {
    let contents = operation.request_body.iter().flat_map(|body| &body.contents);
    contents.into_iter().any(|content| match &content.kind {
        ContentKind::Multipart(multipart) => multipart.rules.iter().any(is_schema),
        _ => false,
    })
}

fn is_schema(rule: &Rule) -> bool {
    matches!(rule, Rule::Schema(_))
}

/// The features that types need.
fn of_types(api: &Api) -> Vec<&'static str> {
    let mut needed = Vec::new();
    let is_object = |model: &Model| model.in_parameter && matches!(model.kind, ModelKind::Struct(_));
    needed.extend(api.models.iter().any(is_object).then_some("object-parameter"));
    needed.extend(api.models.iter().any(|model| matches!(model.kind, ModelKind::Union(_))).then_some("union"));
    let types = api.types();
    needed.extend(types.iter().any(|ty| matches!(ty, Type::Tuple(_))).then_some("tuple"));
    for (ty, feature) in [(Type::Decimal, "decimal"), (Type::DecimalNumber, "decimal"), (Type::Uuid, "uuid")] {
        needed.extend(types.contains(&&ty).then_some(feature));
    }
    for foreign in foreign::list(api) {
        match (&foreign.codec, foreign.form()) {
            (Codec::Runtime(module), _) => needed.push(module),
            (Codec::Type, ForeignForm::Json) => needed.push("foreign-json"),
            (Codec::Type | Codec::With(_), _) => {}
        }
    }
    needed
}

/// Whether this side sends some multipart body.
pub(super) fn sends_parts(section: Section<'_>, side: Side) -> bool {
    section.operations().any(|operation| {
        let sent: Vec<&Content> = if side == Side::Server {
            operation.responses.all().flat_map(|response| &response.contents).collect()
        } else {
            operation.request_body.iter().flat_map(|body| &body.contents).collect()
        };
        sent.iter().any(|content| matches!(content.kind, ContentKind::Multipart(_)))
    })
}

/// Whether some list comes in pages.
pub(super) fn has_pages(section: Section<'_>) -> bool {
    section.operations().any(|operation| operation.pagination.is_some())
}

/// Whether some body is a stream of items.
pub(super) fn has_items(section: Section<'_>) -> bool {
    section.operations().any(|operation| {
        let sent = operation.request_body.iter().flat_map(|body| &body.contents);
        sent.chain(operation.responses.all().flat_map(|response| &response.contents))
            .any(|content| content.kind.has_items())
    })
}
