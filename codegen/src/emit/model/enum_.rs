//! A string or an integer out of a list.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::profile::Side;
use crate::emit::{doc, ty};
use crate::ir::{Enum, EnumValues, EnumVariant, Model};

/// The enum and how it is read and written.
pub(super) fn items(side: Side, model: &Model, enum_: &Enum) -> TokenStream {
    let attributes = super::attributes(model);
    let name = ty::ident(&model.name.rust);
    let variants = match &enum_.values {
        EnumValues::String(values) => variants(values),
        EnumValues::Integer(_, values) => variants(values),
    };
    let _ = side;

    quote! {
        #attributes
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum #name {
            #variants
        }
    }
}

fn variants<T>(values: &[EnumVariant<T>]) -> TokenStream {
    values
        .iter()
        .map(|value| {
            let doc = value.doc.as_deref().map(doc::doc);
            let rust = ty::ident(&value.rust);
            quote!(#doc #rust,)
        })
        .collect()
}

/// The Rust name of a variant.
pub(super) fn variant_name(enum_: &Enum, index: usize) -> &str {
    match &enum_.values {
        EnumValues::String(values) => values.get(index).map_or("", |value| &value.rust),
        EnumValues::Integer(_, values) => values.get(index).map_or("", |value| &value.rust),
    }
}
