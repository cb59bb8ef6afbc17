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
    let receives = side == Side::Client;
    let mut files = if receives { server::files(section) } else { client::files(section) };
    files.push(SourceFile::new("src/webhooks.rs", move || root(section, receives)));
    files
}

fn root(section: Section<'_>, receives: bool) -> TokenStream {
    let about = doc::own_inner(if receives {
        "What the service sends on its own, and how it is received."
    } else {
        "What the service sends on its own, to URLs that its receivers have given."
    });
    let own = if receives { server::own_modules(section) } else { client::own_modules(section) };
    let mut modules: Vec<_> = section.tags.iter().map(|tag| tag.module.as_str()).chain(own.iter().copied()).collect();
    if receives {
        modules.push("router");
    }
    modules.sort_unstable();
    let modules = modules.into_iter().map(ty::ident);
    let reexport = if receives {
        quote!(
            pub use router::{OPERATIONS, router};
        )
    } else {
        client::reexport(section)
    };
    quote! {
        #about

        #(pub mod #modules;)*

        #reexport
    }
}
