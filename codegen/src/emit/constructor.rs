//! `new`, which takes what a struct requires: one more optional field breaks no caller of it.

use super::ty;
use proc_macro2::TokenStream;
use quote::quote;

/// A field of a struct, as `new` sees it.
pub(crate) struct Slot<'a> {
    /// The Rust name.
    pub(crate) rust: &'a str,
    /// What `new` does about it.
    pub(crate) source: Source,
}

impl Slot<'_> {
    /// `name: None`, for a field that is left out.
    pub(crate) fn absent(&self) -> Option<TokenStream> {
        let Source::Absent(value) = &self.source else { return None };
        let rust = ty::ident(self.rust);
        Some(quote!(#rust: #value))
    }
}

/// Where `new` has the value of a field from.
pub(crate) enum Source {
    /// An argument of this type.
    Argument(TokenStream),
    /// An argument that becomes a `String`.
    Text,
    /// Nothing is given: the value that stands for it.
    Absent(TokenStream),
}

/// The function, for the inside of an `impl`; `noun` is what the fields are: `members`.
pub(crate) fn new(noun: &str, slots: &[Slot<'_>]) -> TokenStream {
    let arguments = slots.iter().filter_map(|slot| {
        let rust = ty::ident(slot.rust);
        match &slot.source {
            Source::Argument(ty) => Some(quote!(#rust: #ty)),
            Source::Text => Some(quote!(#rust: impl Into<String>)),
            Source::Absent(_) => None,
        }
    });
    let values = slots.iter().map(|slot| {
        let rust = ty::ident(slot.rust);
        match &slot.source {
            Source::Argument(_) => quote!(#rust),
            Source::Text => quote!(#rust: #rust.into()),
            Source::Absent(value) => quote!(#rust: #value),
        }
    });
    let leaves_out = slots.iter().any(|slot| matches!(slot.source, Source::Absent(_)));
    let rest = if leaves_out { "; the others are left out" } else { "" };
    let doc = super::doc::own(&format!("With its required {noun}{rest}."));

    quote! {
        #doc
        pub fn new(#(#arguments),*) -> Self {
            Self {
                #(#values,)*
            }
        }
    }
}
