//! How the value of a variant is written, with its tag.

use crate::emit::profile::Side;
use crate::emit::ty;
use crate::ir::{Api, Model, Tagging, Union};
use proc_macro2::TokenStream;
use quote::quote;

/// `impl Write`.
pub(super) fn write(api: &Api, side: Side, model: &Model, union: &Union) -> TokenStream {
    let name = ty::ident(&model.name.rust);
    let arms = super::arms(api, union, |index| write_variant(&union.tagging, index));
    let unknown = match side {
        Side::Server => None,
        Side::Client => {
            let unknown = super::unknown(union);
            Some(quote!(Self::#unknown(value) => value.write(json),))
        }
    };

    quote! {
        impl Write for #name {
            fn write(&self, json: &mut Writer) {
                match self {
                    #(#arms)*
                    #unknown
                }
            }
        }
    }
}

fn write_variant(tagging: &Tagging, index: usize) -> TokenStream {
    if let Tagging::Discriminator { member, tags, written_by_variant, .. } = tagging
        && let Some((tag, _)) = tags.iter().find(|(_, of)| *of == index)
        && !written_by_variant.get(index).copied().unwrap_or(true)
    {
        return quote!(json.tagged(#member, #tag, value));
    }
    quote!(value.write(json))
}
