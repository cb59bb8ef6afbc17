//! Which parts of the runtime a crate needs.

mod files;

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::profile::Side;
use super::{SourceFile, doc, mentions, ty};
use crate::ir::{Api, ModelKind, Type};

/// `runtime.rs` and the files below it.
pub(crate) fn files(api: &Api, side: Side) -> Vec<SourceFile<'_>> {
    let modules = modules(api, side);
    let mut files: Vec<_> = files::FILES
        .iter()
        .filter(|(path, _)| modules.contains(module_of(path)))
        .map(|(path, text)| SourceFile::verbatim(format!("src/runtime/{path}"), text))
        .collect();
    files.push(SourceFile::new("src/runtime.rs", move || list(&modules)));
    files
}

/// The list of modules.
fn list(modules: &BTreeSet<&str>) -> TokenStream {
    let doc = doc::own_inner("What every generated crate is built on, copied from the generator as it is.");
    let modules = modules.iter().map(|module| ty::module(module));

    quote! {
        #doc

        #(pub mod #modules;)*
    }
}

/// The modules that the crate needs. Those of a type that is an external crate come only with the type.
fn modules(api: &Api, side: Side) -> BTreeSet<&'static str> {
    let mut modules = BTreeSet::from(["json", "parameter", "text", "violation"]);
    match side {
        Side::Server => modules.extend(["rule", "server"]),
        Side::Client => modules.extend(["client"]),
    }
    if has_items(api) {
        let own = match side {
            Side::Server => "server_stream",
            Side::Client => "client_stream",
        };
        modules.extend(["stream", own]);
    }
    // Only the enums of the client are open.
    let has_enum = api.models.iter().any(|model| matches!(model.kind, ModelKind::Enum(_)));
    if side == Side::Client && has_enum {
        modules.insert("unknown");
    }

    let types = mentions::types(api);
    for (ty, module, rules) in [
        (Type::Decimal, "decimal", "decimal_rule"),
        (Type::DecimalNumber, "decimal", "decimal_rule"),
        (Type::Uuid, "uuid", "uuid_rule"),
    ] {
        if types.contains(&&ty) {
            modules.insert(module);
            if side == Side::Server {
                modules.insert(rules);
            }
        }
    }
    modules
}

/// Whether some body is a stream of items.
pub(super) fn has_items(api: &Api) -> bool {
    api.operations().any(|operation| {
        let sent = operation.request_body.iter().flat_map(|body| &body.contents);
        let responses = operation.responses.success.iter().chain(&operation.responses.failure);
        sent.chain(responses.flat_map(|response| &response.contents)).any(|content| content.kind.has_items())
    })
}

/// `json` for `json.rs` and for `json/reader.rs`.
fn module_of(path: &str) -> &str {
    let end = path.find(['/', '.']).unwrap_or(path.len());
    &path[..end]
}
