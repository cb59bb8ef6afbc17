//! `client.rs`: the methods that lead to the operations of each tag, and those that take credentials.

use proc_macro2::TokenStream;
use quote::quote;

use super::credentials;
use crate::emit::section::Section;
use crate::emit::{doc, ty};
use crate::ir::Tag;

/// The names that `Client` has without any tag, and those of the traits that it is used by.
const METHODS: &[&str] = &["builder", "clone", "sender"];

/// The types that `client.rs` needs itself.
const NAMES: &[&str] = &["Client", "ClientBuilder", "Credential", "Into", "String"];

/// `client.rs`
pub(super) fn client(section: Section<'_>) -> TokenStream {
    let about = doc::own_inner("The operations by tag, and the credentials by security scheme.");
    let uses = section.tags.iter().filter(|tag| !is_taken(tag)).map(|tag| path(section, tag));
    let tags = section.tags.iter().map(|tag| self::tag(section, tag));
    let builder = credentials::builder(section);

    quote! {
        #about

        #(use #uses;)*

        impl client::Client {
            #(#tags)*
        }

        #builder
    }
}

/// The method that leads to the operations of a tag.
fn tag(section: Section<'_>, tag: &Tag) -> TokenStream {
    let about = match &tag.doc {
        Some(text) => doc::doc(text),
        None => doc::own(&format!("The operations tagged `{}`.", tag.name.wire)),
    };
    let method = method(tag);
    let name = ty::ident(&tag.name.rust);
    let name = if is_taken(tag) { path(section, tag) } else { quote!(#name) };
    quote! {
        #about
        pub fn #method(&self) -> #name {
            #name::new(self)
        }
    }
}

/// The type is named like one that the file needs itself.
fn is_taken(tag: &Tag) -> bool {
    NAMES.contains(&tag.name.rust.as_str())
}

fn path(section: Section<'_>, tag: &Tag) -> TokenStream {
    let root = section.module();
    let module = ty::module(&tag.module);
    let name = ty::ident(&tag.name.rust);
    quote!(#root::#module::#name)
}

/// The method that leads to the operations of a tag.
pub(crate) fn method(tag: &Tag) -> proc_macro2::Ident {
    if METHODS.contains(&tag.module.as_str()) {
        ty::ident(&format!("{}_", tag.module))
    } else {
        ty::module(&tag.module)
    }
}
