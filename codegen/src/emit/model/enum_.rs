//! A string or an integer out of a list: the enum, and what both sides can do with it.

mod integer;
mod string;

use super::Context;
use crate::emit::profile::Side;
use crate::emit::{doc, ty};
use crate::ir::{self, Enum, EnumValues, EnumVariant, Model};
use printing::{Ident, Tokens, quote};

/// Longer lists are looked up in a table: a `match` with an arm for each value would be a very long function.
const ARMS: usize = 90;

/// The enum and how it is read and written.
pub(super) fn items(context: &Context<'_>, enum_: &Enum) -> Tokens {
    let Context { side, model, .. } = *context;
    let definition = definition(side, model, enum_);
    let behaviour = match &enum_.values {
        EnumValues::String(values) => string::items(side, model, values),
        EnumValues::Integer(kind, values) => integer::items(side, model, *kind, values, enum_.names_accepted),
    };

    let check = context.check();

    quote! {
        #definition
        #behaviour
        #check
    }
}

/// The Rust name of a variant.
pub(super) fn variant_name(enum_: &Enum, index: usize) -> Option<&str> {
    match &enum_.values {
        EnumValues::String(values) => values.get(index).map(|value| value.rust.as_str()),
        EnumValues::Integer(_, values) => values.get(index).map(|value| value.rust.as_str()),
    }
}

fn definition(side: Side, model: &Model, enum_: &Enum) -> Tokens {
    let attributes = super::attributes(model);
    let name = ty::ident(&model.name.rust);
    let (variants, unknown, held) = match &enum_.values {
        EnumValues::String(values) => (variants(values), unknown(values), quote!(String)),
        EnumValues::Integer(kind, values) => (variants(values), unknown(values), ty::integer(*kind)),
    };

    match side {
        Side::Server => {
            let derive = super::derive(side, model, &["Clone", "Copy", "Debug", "PartialEq", "Eq", "Hash"]);
            quote! {
                #attributes
                #derive
                pub enum #name {
                    #variants
                }
            }
        }
        Side::Client => {
            let derive = super::derive(side, model, &["Clone", "Debug", "PartialEq", "Eq", "Hash"]);
            quote! {
                #attributes
                #derive
                #[non_exhaustive]
                pub enum #name {
                    #variants
                    /// A value that the description did not have when this crate was made.
                    #unknown(Unknown<#held>),
                }
            }
        }
    }
}

/// The client's variant for values that are not in the list.
fn unknown<T>(values: &[EnumVariant<T>]) -> Ident {
    ty::ident(ir::unknown(values.iter().map(|value| value.rust.as_str())))
}

fn variants<T>(values: &[EnumVariant<T>]) -> Tokens {
    let variants = values.iter().map(|value| {
        let doc = value.doc.as_deref().map(doc::doc);
        let rust = ty::ident(&value.rust);
        quote!(#doc #rust,)
    });
    variants.collect()
}
