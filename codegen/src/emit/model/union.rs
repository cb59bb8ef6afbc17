//! One of several types.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::profile::Side;
use crate::emit::ty;
use crate::ir::{Api, Model, Union};

/// The enum and how it is read and written.
pub(super) fn items(api: &Api, _side: Side, model: &Model, union: &Union) -> TokenStream {
    let attributes = super::attributes(model);
    let derive = super::derive::derive(model);
    let name = ty::ident(&model.name.rust);
    let variants = union.variants.iter().map(|variant| {
        let doc = variant.doc.as_deref().map(crate::emit::doc::doc);
        let rust = ty::ident(&variant.rust);
        let value = ty::value(api, &variant.value);
        quote!(#doc #rust(#value),)
    });

    quote! {
        #attributes
        #derive
        pub enum #name {
            #(#variants)*
        }
    }
}
