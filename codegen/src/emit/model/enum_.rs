//! A string or an integer from a list.

use super::{Context, attribute};
use crate::emit::side::Side;
use crate::emit::{doc, ty};
use crate::ir::Enum;
use proc_macro2::TokenStream;
use quote::quote;

/// The enum: extensible in the client, otherwise closed.
pub(super) fn items(context: &Context<'_>, enum_: &Enum) -> TokenStream {
    let Context { side, model, .. } = *context;
    let attributes = super::attributes(model);
    let name = ty::ident(&model.name.rust);
    let mut arguments = attribute::of_model(context);
    let integer = enum_.integer.map(ty::integer);
    if let Some(integer) = &integer {
        arguments.push(integer.clone());
        arguments.extend((enum_.names_accepted && side != Side::Client).then(|| quote!(names)));
    }
    let variants = variants(enum_);
    let json = attribute::json(&arguments);
    match side {
        Side::Server | Side::Models => {
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
            let unknown = ty::ident(enum_.unknown());
            let held = integer.unwrap_or_else(|| quote!(String));
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

/// `#[json("red")] Red,`
fn variants(enum_: &Enum) -> TokenStream {
    let variants = enum_.variants.iter().map(|variant| {
        let doc = variant.doc.as_deref().map(doc::doc);
        let rust = ty::ident(&variant.rust);
        let value = &variant.value;
        let literal = if enum_.integer.is_some() { ty::number(value) } else { quote!(#value) };
        quote!(#doc #[json(#literal)] #rust,)
    });
    variants.collect()
}
