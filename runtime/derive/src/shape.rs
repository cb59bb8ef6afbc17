//! What values look like, so that arbitrary ones can be made.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::Model;
use crate::object::{Constant, Object};
use crate::union::Union;

/// An object with its members that are read.
pub(crate) fn of_object(model: &Model, object: &Object) -> TokenStream {
    let name = &model.name;
    let constants = object.constants.iter().filter(|constant| !constant.skip_read).map(constant);
    let members = object.members.iter().filter(|member| !member.skip_read).map(|member| {
        let (name, value, rules) = (&member.name, &member.value, rules(member.rules.as_ref()));
        let presence = if member.is_expected { quote!(Expected) } else { member.presence.in_list() };
        of_member(name, &presence, &quote!(<#value as __runtime::arbitrary::Shaped>::shape), &rules)
    });
    let members = constants.chain(members);
    let others = match &object.others {
        None => quote!(None),
        Some(others) => {
            let (value, rules) = (&others.value, rules(others.rules.as_ref()));
            quote!(Some(__runtime::arbitrary::Others {
                shape: <#value as __runtime::arbitrary::Shaped>::shape,
                rules: #rules,
            }))
        }
    };
    let (closed, rules) = (object.closed, rules(object.rules.as_ref()));
    quote! {{
        static OBJECT: __runtime::arbitrary::Object = __runtime::arbitrary::Object {
            members: &[#(#members),*],
            others: #others,
            closed: #closed,
            rules: #rules,
            reads: __runtime::arbitrary::reads::<#name>,
        };
        __runtime::arbitrary::Shape::Object(&OBJECT)
    }}
}

fn constant(constant: &Constant) -> TokenStream {
    let Constant { name, value, presence, .. } = constant;
    let shape = match value.to_string().as_str() {
        "true" | "false" => {
            let rules = quote!(&[__runtime::rule::Rule::Boolean(#value)]);
            return of_member(name, presence, &quote!(<bool as __runtime::arbitrary::Shaped>::shape), &rules);
        }
        text if text.starts_with('"') => quote!(|| __runtime::arbitrary::Shape::Texts(&[#value])),
        _ => quote!(|| __runtime::arbitrary::Shape::Numbers(&[#value as i128])),
    };
    of_member(name, presence, &shape, &quote!(&[]))
}

fn of_member(name: &str, presence: &TokenStream, shape: &TokenStream, rules: &TokenStream) -> TokenStream {
    quote! {
        __runtime::arbitrary::Member {
            name: #name,
            presence: __runtime::json::Presence::#presence,
            shape: #shape,
            rules: #rules,
        }
    }
}

/// A union with its types.
pub(crate) fn of_union(model: &Model, union: &Union) -> TokenStream {
    let name = &model.name;
    let variants = union.variants.iter().map(|variant| {
        let (tags, value, rules) = (&variant.tags, &variant.value, rules(variant.rules.as_ref()));
        quote! {
            __runtime::arbitrary::Variant {
                tags: &[#(#tags),*],
                shape: <#value as __runtime::arbitrary::Shaped>::shape,
                rules: #rules,
            }
        }
    });
    let discriminator = match &union.discriminator {
        None => quote!(None),
        Some(member) => quote!(Some(#member)),
    };
    quote! {{
        static UNION: __runtime::arbitrary::Union = __runtime::arbitrary::Union {
            variants: &[#(#variants),*],
            discriminator: #discriminator,
            reads: __runtime::arbitrary::reads::<#name>,
        };
        __runtime::arbitrary::Shape::Union(&UNION)
    }}
}

/// A list of strings or numbers.
pub(crate) fn of_choices<'a>(numbers: bool, values: impl Iterator<Item = &'a TokenStream>) -> TokenStream {
    if numbers {
        quote!(__runtime::arbitrary::Shape::Numbers(&[#(#values),*]))
    } else {
        quote!(__runtime::arbitrary::Shape::Texts(&[#(#values),*]))
    }
}

fn rules(rules: Option<&TokenStream>) -> TokenStream {
    rules.cloned().unwrap_or_else(|| quote!(&[]))
}
