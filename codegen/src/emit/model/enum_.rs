//! A string or an integer out of a list: the enum, whose definition is the table of its values.

use super::Context;
use crate::emit::profile::Side;
use crate::emit::{doc, ty};
use crate::ir::{self, Enum, EnumValues, EnumVariant};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The enum: closed in the server, open in the client.
pub(super) fn items(context: &Context<'_>, enum_: &Enum) -> TokenStream {
    let Context { side, model, .. } = *context;
    let check = context.check();
    let attributes = super::attributes(model);
    let name = ty::ident(&model.name.rust);
    let (variants, unknown, held) = match &enum_.values {
        EnumValues::String(values) => (variants(values, |text| quote!(#text)), unknown(values), quote!(String)),
        EnumValues::Integer(kind, values) => {
            (variants(values, |number| ty::number(*number)), unknown(values), ty::integer(*kind))
        }
    };
    let is_text = matches!(enum_.values, EnumValues::String(_));

    match side {
        Side::Server => {
            let derive = super::derive(side, model, &["Clone", "Copy", "Debug", "PartialEq", "Eq", "Hash"]);
            let choices = if is_text { quote!(choices) } else { quote!(integer_choices) };
            // Parameters may use them in place of numbers.
            let names = (enum_.names_accepted && !is_text).then(|| quote!(or names));
            quote! {
                json::#choices! {
                    #attributes
                    #derive
                    pub enum #name: #held #names {
                        #variants
                    }
                }

                #check
            }
        }
        Side::Client => {
            let derive = super::derive(side, model, &["Clone", "Debug", "PartialEq", "Eq", "Hash"]);
            let choices = if is_text { quote!(open_choices) } else { quote!(open_integer_choices) };
            let only_in_json = side.refuses_texts(model).then(|| quote!(in json));
            quote! {
                unknown::#choices! {
                    #attributes
                    #derive
                    pub enum #name: #held {
                        #variants
                        ..#unknown #only_in_json
                    }
                }

                #check
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

/// The client's variant for values that are not in the list.
fn unknown<T>(values: &[EnumVariant<T>]) -> Ident {
    ty::ident(ir::unknown(values.iter().map(|value| value.rust.as_str())))
}

/// `Red = "red",`
fn variants<T>(values: &[EnumVariant<T>], literal: impl Fn(&T) -> TokenStream) -> TokenStream {
    let variants = values.iter().map(|value| {
        let doc = value.doc.as_deref().map(doc::doc);
        let rust = ty::ident(&value.rust);
        let literal = literal(&value.value);
        quote!(#doc #rust = #literal,)
    });
    variants.collect()
}
