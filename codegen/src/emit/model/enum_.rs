//! A string or an integer from a list.

use super::{Context, attribute};
use crate::emit::side::Side;
use crate::emit::{doc, ty};
use crate::ir::{self, Enum, EnumValues, EnumVariant};
use proc_macro2::TokenStream;
use quote::quote;

/// The enum: closed in the server, extensible in the client.
pub(super) fn items(context: &Context<'_>, enum_: &Enum) -> TokenStream {
    let Context { side, model, .. } = *context;
    let attributes = super::attributes(model);
    let name = ty::ident(&model.name.rust);
    let mut arguments = attribute::of_model(context);
    let (variants, unknown, held) = match &enum_.values {
        EnumValues::String(values) => (variants(values, |text| quote!(#text)), unknown(values), quote!(String)),
        EnumValues::Integer(kind, values) => {
            let integer = ty::integer(*kind);
            arguments.push(integer.clone());
            arguments.extend((enum_.names_accepted && side == Side::Server).then(|| quote!(names)));
            (variants(values, |number| ty::number(*number)), unknown(values), integer)
        }
    };
    let json = attribute::json(&arguments);
    match side {
        Side::Server => {
            let derive = super::derive(side, model, &["Clone", "Copy", "Debug", "PartialEq", "Eq", "Hash", "Json"]);
            quote! {
                #attributes
                #derive
                #json
                pub enum #name {
                    #variants
                }
            }
        }
        Side::Client => {
            let derive = super::derive(side, model, &["Clone", "Debug", "PartialEq", "Eq", "Hash", "Json"]);
            let unknown = ty::ident(unknown);
            quote! {
                #attributes
                #derive
                #json
                #[non_exhaustive]
                pub enum #name {
                    #variants
                    /// A value that the description did not have when this crate was made.
                    #[json(other)]
                    #unknown(Unknown<#held>),
                }
            }
        }
    }
}

/// The Rust name of a variant.
pub(super) fn variant_name(enum_: &Enum, index: usize) -> Option<&str> {
    match &enum_.values {
        EnumValues::String(values) => values.get(index).map(|value| value.rust.as_str()),
        EnumValues::Integer(_, values) => values.get(index).map(|value| value.rust.as_str()),
    }
}

/// The client's variant for unlisted values.
fn unknown<T>(values: &[EnumVariant<T>]) -> &'static str {
    ir::unknown(values.iter().map(|value| value.rust.as_str()))
}

/// `#[json("red")] Red,`
fn variants<T>(values: &[EnumVariant<T>], literal: impl Fn(&T) -> TokenStream) -> TokenStream {
    let variants = values.iter().map(|value| {
        let doc = value.doc.as_deref().map(doc::doc);
        let rust = ty::ident(&value.rust);
        let literal = literal(&value.value);
        quote!(#doc #[json(#literal)] #rust,)
    });
    variants.collect()
}
