//! `lib.rs` and `client.rs`: what a caller sees first.

use proc_macro2::TokenStream;
use quote::quote;

use super::{credentials, page};
use crate::emit::{doc, ty};
use crate::ir::{Api, Tag};

/// The names that `Client` has without any tag, and those of the traits that it is used by.
const METHODS: &[&str] = &["builder", "clone"];

/// The types that `client.rs` needs itself.
const NAMES: &[&str] = &["Client", "ClientBuilder", "Credential", "Into", "String"];

/// `lib.rs`
pub(super) fn crate_root(api: &Api) -> TokenStream {
    let about = about(api);
    let models = (!api.models.is_empty()).then(|| {
        quote!(
            pub mod models;
        )
    });
    let security = (!api.security_schemes.is_empty()).then(|| {
        quote!(
            pub mod security;
        )
    });
    let pages = page::is_needed(api).then(|| {
        quote!(
            mod pages;
        )
    });
    let tags = api.tags.iter().map(|tag| ty::module(&tag.module));

    quote! {
        #about

        mod client;
        #models
        #pages
        pub mod runtime;
        #security
        #(pub mod #tags;)*

        pub use runtime::client::{
            ApiError, Body, BuildError, Call, Client, ClientBuilder, Credential, CredentialProvider, Download, Error,
            Page, Part, RawResponse, Response, Retry, Unexpected,
        };
    }
}

/// `client.rs`
pub(super) fn client(api: &Api) -> TokenStream {
    let about = doc::own_inner("The operations by tag, and the credentials by security scheme.");
    let uses = api.tags.iter().filter(|tag| !is_taken(tag)).map(path);
    let tags = api.tags.iter().map(tag);
    let builder = credentials::builder(api);

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
fn tag(tag: &Tag) -> TokenStream {
    let about = match &tag.doc {
        Some(text) => doc::doc(text),
        None => doc::own(&format!("The operations tagged `{}`.", tag.name.wire)),
    };
    let method = method(tag);
    let name = ty::ident(&tag.name.rust);
    let name = if is_taken(tag) { path(tag) } else { quote!(#name) };
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

fn path(tag: &Tag) -> TokenStream {
    let module = ty::module(&tag.module);
    let name = ty::ident(&tag.name.rust);
    quote!(crate::#module::#name)
}

fn method(tag: &Tag) -> proc_macro2::Ident {
    if METHODS.contains(&tag.module.as_str()) {
        ty::ident(&format!("{}_", tag.module))
    } else {
        ty::module(&tag.module)
    }
}

/// Title and description.
fn about(api: &Api) -> TokenStream {
    let title = doc::inner(&api.title);
    let text = api.description.as_deref().map(doc::inner);
    let blank = text.is_some().then(|| quote!(#![doc = ""]));
    quote!(#title #blank #text)
}
