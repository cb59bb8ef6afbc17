//! `webhooks.rs` and the files below it, behind a cargo feature: the server's crate sends, the client's crate receives.

use super::section::Section;
use super::side::Side;
use super::{SourceFile, client, doc, server, ty};
use crate::ir::Api;
use proc_macro2::TokenStream;
use quote::quote;

/// The files; empty without webhooks.
pub(crate) fn files(api: &Api, side: Side) -> Vec<SourceFile<'_>> {
    let Some(section) = Section::webhooks(api) else { return Vec::new() };
    let mut files = match side {
        Side::Server => client::files(section),
        Side::Client => server::files(section),
    };
    files.push(SourceFile::new("src/webhooks.rs", move || root(section, side)));
    files
}

fn root(section: Section<'_>, side: Side) -> TokenStream {
    let about = doc::own_inner(match side {
        Side::Server => "What the service sends on its own, to URLs that its receivers have given.",
        Side::Client => "What the service sends on its own, and how it is received.",
    });
    let own = match side {
        Side::Server => client::own_modules(section),
        Side::Client => server::own_modules(section),
    };
    let mut modules: Vec<_> = section.tags.iter().map(|tag| tag.module.as_str()).chain(own.iter().copied()).collect();
    if side == Side::Client {
        modules.push("router");
    }
    modules.sort_unstable();
    let modules = modules.into_iter().map(ty::ident);
    let reexport = match side {
        Side::Server => client::reexport(section),
        Side::Client => quote!(
            pub use router::{OPERATIONS, router};
        ),
    };
    quote! {
        #about

        #(pub mod #modules;)*

        #reexport
    }
}
