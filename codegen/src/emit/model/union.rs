//! One of several types: the enum, and how its variant is found and written.

mod read;
mod text;
mod write;

use super::Context;
use super::rules::Rules;
use crate::emit::profile::Side;
use crate::emit::{doc, ty};
use crate::ir::{self, Api, Model, Union, Value};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The enum and how it is read and written.
pub(super) fn items(context: &Context<'_>, union: &Union) -> TokenStream {
    let Context { api, side, model, .. } = *context;
    let definition = definition(api, side, model, union);
    let codec = codec(context, union);
    let check = context.check();
    quote! {
        #definition
        #codec
        #check
    }
}

/// How the union is read and written.
pub(super) fn codec(context: &Context<'_>, union: &Union) -> TokenStream {
    let Context { api, side, model, .. } = *context;
    let mut all_rules = Rules::new(api, side.checks(model));
    let rules: Vec<_> =
        union.variants.iter().map(|variant| all_rules.of_value(&variant.value, &variant.rust)).collect();
    let statics = side.reads(model).then(|| all_rules.take_statics());
    let read = side.reads(model).then(|| read::read(api, side, model, union, &rules));
    let write = side.writes(model).then(|| write::write(api, side, model, union));
    let text = model.in_parameter.then(|| text::items(api, side, model, union, &rules));

    quote! {
        #statics

        #read
        #write
        #text
    }
}

fn definition(api: &Api, side: Side, model: &Model, union: &Union) -> TokenStream {
    let attributes = super::attributes(model);
    let name = ty::ident(&model.name.rust);
    let variants = union.variants.iter().map(|variant| {
        let doc = variant.doc.as_deref().map(doc::doc);
        let rust = ty::ident(&variant.rust);
        let value = ty::value(api, &variant.value);
        quote!(#doc #rust(#value),)
    });
    let own: &[_] =
        if model.eq { &["Clone", "Debug", "PartialEq", "Eq", "Hash"] } else { &["Clone", "Debug", "PartialEq"] };
    let derive = super::derive(side, model, own);

    match side {
        Side::Server => quote! {
            #attributes
            #derive
            pub enum #name {
                #(#variants)*
            }
        },
        Side::Client => {
            let unknown = unknown(union);
            quote! {
                #attributes
                #derive
                #[non_exhaustive]
                pub enum #name {
                    #(#variants)*
                    /// A value that fits none of the variants that this crate knows.
                    #unknown(json::Value),
                }
            }
        }
    }
}

/// The client's variant for values that fit no other.
fn unknown(union: &Union) -> Ident {
    ty::ident(ir::unknown(union.variants.iter().map(|variant| variant.rust.as_str())))
}

/// The arms of a `match` on the union, in which the content is called `value`: variants of the same type that are
/// treated alike share theirs.
fn arms(api: &Api, union: &Union, body: impl Fn(usize) -> TokenStream) -> Vec<TokenStream> {
    let mut arms: Vec<(Value, String, Vec<TokenStream>, TokenStream)> = Vec::new();
    for (index, variant) in union.variants.iter().enumerate() {
        let rust = ty::ident(&variant.rust);
        let pattern = quote!(Self::#rust(value));
        let body = body(index);
        let (value, text) = (ty::followed(api, &variant.value), body.to_string());
        match arms.iter_mut().find(|(other, same, ..)| *other == value && *same == text) {
            Some((_, _, patterns, _)) => patterns.push(pattern),
            None => arms.push((value, text, vec![pattern], body)),
        }
    }
    arms.into_iter().map(|(_, _, patterns, body)| quote!(#(#patterns)|* => #body,)).collect()
}
