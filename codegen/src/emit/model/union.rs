//! One of several types.

use super::{Context, attribute, rules};
use crate::emit::side::Side;
use crate::emit::{doc, ty};
use crate::ir::{self, ParameterShape, Tagging, TextForm, Union, UnionForm, Variant};
use proc_macro2::TokenStream;
use quote::quote;

/// The enum; a client's has another variant for unknown values.
pub(super) fn items(context: &Context<'_>, union: &Union) -> TokenStream {
    let Context { api, side, model, .. } = *context;
    let attributes = super::attributes(model);
    let name = ty::ident(&model.name.rust);
    let mut derives = vec!["Clone", "Debug", "PartialEq"];
    derives.extend(model.eq.then_some(["Eq", "Hash"]).into_iter().flatten());
    derives.push("Json");
    let derive = super::derive(side, model, &derives);
    let json = attribute::json(&arguments(context, union));
    let variants = union.variants.iter().enumerate().map(|(index, variant)| {
        let doc = variant.doc.as_deref().map(doc::doc);
        let json = attribute::json(&of_variant(context, union, index, variant));
        let rust = ty::ident(&variant.rust);
        let value = ty::value(api, &variant.value);
        quote!(#doc #json #rust(#value),)
    });
    let (non_exhaustive, other) = match side {
        Side::Server | Side::Models => (None, None),
        Side::Client => {
            let unknown = ty::ident(ir::unknown(union.variants.iter().map(|variant| variant.rust.as_str())));
            let other = quote! {
                /// A value that fits none of the variants that this crate knows.
                #[json(other)]
                #unknown(json::Value),
            };
            (Some(quote!(#[non_exhaustive])), Some(other))
        }
    };
    quote! {
        #attributes
        #derive
        #json
        #non_exhaustive
        pub enum #name {
            #(#variants)*
            #other
        }
    }
}

fn arguments(context: &Context<'_>, union: &Union) -> Vec<TokenStream> {
    let mut arguments = Vec::new();
    if let Tagging::Discriminator { member, .. } = &union.tagging {
        arguments.push(quote!(discriminator = #member));
    }
    let has_names = match union.tagging {
        Tagging::Discriminator { .. } | Tagging::RequiredMember(_) => true,
        Tagging::JsonType(_) | Tagging::Ordered => false,
    };
    arguments.extend((has_names && context.api.any_case).then(|| quote!(any_case)));
    let by_member = matches!(union.tagging, Tagging::RequiredMember(_));
    arguments.extend((by_member && union.any_of && context.side != Side::Client).then(|| quote!(any_of)));
    arguments.extend(attribute::of_model(context));
    if context.model.in_parameter {
        match &union.form {
            UnionForm::Text => arguments.push(quote!(text)),
            UnionForm::Several { shape, order } => {
                arguments.extend(match shape {
                    ParameterShape::Primitive => Some(quote!(shape = "primitive")),
                    ParameterShape::Array => Some(quote!(shape = "array")),
                    ParameterShape::Object => Some(quote!(shape = "object")),
                    ParameterShape::Several => None,
                });
                let is_other_order = order.iter().enumerate().any(|(place, index)| place != *index);
                let order = order.iter().map(|index| ty::number(*index as u64));
                arguments.extend(is_other_order.then(|| quote!(order(#(#order),*))));
            }
        }
    }
    arguments
}

fn of_variant(context: &Context<'_>, union: &Union, index: usize, variant: &Variant) -> Vec<TokenStream> {
    let mut arguments = Vec::new();
    match &union.tagging {
        Tagging::Discriminator { tags, written_by_variant, untagged, unmapped, .. } => {
            arguments.extend(tags.iter().filter(|(_, of)| *of == index).map(|(tag, _)| quote!(#tag)));
            let has_tag = written_by_variant.get(index).copied().unwrap_or(true);
            arguments.extend((!has_tag).then(|| quote!(add_tag)));
            let place = untagged.iter().position(|other| *other == index);
            arguments.extend(place.map(|place| match place + 1 {
                _ if untagged.len() == 1 => quote!(untagged),
                place => {
                    let place = proc_macro2::Literal::usize_unsuffixed(place);
                    quote!(untagged = #place)
                }
            }));
            arguments.extend((*unmapped == Some(index)).then(|| quote!(unmapped)));
        }
        Tagging::JsonType(types) => {
            let kind = types.get(index).map(|json_type| json_type.name());
            arguments.extend(kind.map(|kind| quote!(kind = #kind)));
        }
        Tagging::RequiredMember(members) => {
            arguments.extend(members.get(index).map(|member| quote!(member = #member)));
        }
        Tagging::Ordered => {}
    }
    if context.model.in_parameter {
        arguments.extend(variant.exact.then(|| quote!(exact)));
        arguments.extend((variant.form == TextForm::Json).then(|| quote!(as_json)));
    }
    if attribute::is_checked(context) {
        arguments.extend(rules::arguments(context.api, &variant.value));
    }
    arguments
}
