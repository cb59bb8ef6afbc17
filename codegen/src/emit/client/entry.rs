//! The method of `Client` that leads to the operations of a tag.

use crate::emit::{doc, section, ty};
use crate::ir::Tag;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The method, in the file of the tag.
pub(super) fn entry(tag: &Tag) -> TokenStream {
    let about = match &tag.doc {
        Some(text) => doc::doc(text),
        None => doc::own(&section::about(tag)),
    };
    let method = method(tag);
    let name = ty::ident(&tag.name.rust);
    quote! {
        impl Client {
            #about
            pub fn #method(&self) -> #name {
                #name { client: self.clone() }
            }
        }
    }
}

/// The method that leads to the operations of a tag.
pub fn method(tag: &Tag) -> Ident {
    ty::ident(&tag.client_method)
}
