//! Unions in parameters: the first variant whose text it is.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::profile::Side;
use crate::emit::ty;
use crate::ir::{Model, Union};

/// `impl FromText` and `impl ToText`.
pub(super) fn items(side: Side, model: &Model, union: &Union) -> TokenStream {
    let name = ty::ident(&model.name.rust);
    let mut attempts = union.variants.iter().map(|variant| {
        let rust = ty::ident(&variant.rust);
        quote!(FromText::from_text(text).map(Self::#rust))
    });
    let first = attempts.next();
    let arms = union.variants.iter().map(|variant| {
        let rust = ty::ident(&variant.rust);
        quote!(Self::#rust(value) => value.to_text(),)
    });
    let unknown = match side {
        Side::Server => None,
        Side::Client => Some(quote!(Self::Unknown(value) => Cow::Owned(value.to_string()),)),
    };
    let from_text = side.reads(model).then(|| {
        quote! {
            impl FromText for #name {
                fn from_text(text: &str) -> Result<Self, Refusal> {
                    #first #(.or_else(|_| #attempts))*
                }
            }
        }
    });
    let to_text = side.writes(model).then(|| {
        quote! {
            impl ToText for #name {
                fn to_text(&self) -> Cow<'_, str> {
                    match self {
                        #(#arms)*
                        #unknown
                    }
                }
            }
        }
    });

    quote! {
        #from_text
        #to_text
    }
}
