//! Unions in parameters: the first variant that the text can be read as.

use crate::emit::profile::Side;
use crate::emit::ty;
use crate::ir::{Api, Model, ParameterShape, TextForm, Union, UnionForm};
use proc_macro2::TokenStream;
use quote::quote;

/// `FromText` and `ToText` when every variant is one text, otherwise `FromParameter` and `ToParameter`.
pub(super) fn items(api: &Api, side: Side, model: &Model, union: &Union, rules: &[Option<TokenStream>]) -> TokenStream {
    let (read, write) = match &union.form {
        UnionForm::Text => (from_text(side, model, union, rules), to_text(api, side, model, union)),
        UnionForm::Several { shape, order } => {
            (from_parameter(side, model, union, rules, *shape, order), to_parameter(api, side, model, union))
        }
    };
    let read = side.reads(model).then_some(read);
    let write = side.writes(model).then_some(write);
    quote!(#read #write)
}

/// How the variants are tried: by their rules, and where a text that breaks them is not refused, then without them.
fn attempts(
    side: Side,
    model: &Model,
    rules: &[Option<TokenStream>],
    attempt: impl Fn(usize, Option<&TokenStream>) -> TokenStream,
) -> Vec<TokenStream> {
    let by_rules = rules.iter().enumerate().map(|(index, rules)| attempt(index, rules.as_ref()));
    let with_rules = rules.iter().enumerate().filter(|(_, rules)| rules.is_some() && !side.refuses_texts(model));
    by_rules.chain(with_rules.map(|(index, _)| attempt(index, None))).collect()
}

fn from_text(side: Side, model: &Model, union: &Union, rules: &[Option<TokenStream>]) -> TokenStream {
    let name = ty::ident(&model.name.rust);
    let attempts = attempts(side, model, rules, |index, rules| {
        let variant = &union.variants[index];
        let rust = ty::ident(&variant.rust);
        let name = &variant.rust;
        let exact = variant.exact.then(|| quote!(.and_then(|value| text::exact(text, value))));
        match rules {
            None => quote!((#name, |text| FromText::from_text(text) #exact .map(Self::#rust)),),
            Some(rules) => quote!((#name, |text| rule::text_checked(text, #rules) #exact .map(Self::#rust)),),
        }
    });

    quote! {
        impl FromText for #name {
            fn from_text(text: &str) -> Result<Self, Refusal> {
                text::first_of(text, &[#(#attempts)*])
            }
        }
    }
}

fn to_text(api: &Api, side: Side, model: &Model, union: &Union) -> TokenStream {
    let name = ty::ident(&model.name.rust);
    let arms = super::arms(api, union, |_| quote!(value.to_text()));
    let unknown = match side {
        Side::Server => None,
        Side::Client => {
            let unknown = super::unknown(union);
            Some(quote!(Self::#unknown(value) => Cow::Owned(value.to_string()),))
        }
    };

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
}

fn from_parameter(
    side: Side,
    model: &Model,
    union: &Union,
    rules: &[Option<TokenStream>],
    shape: ParameterShape,
    order: &[usize],
) -> TokenStream {
    let name = ty::ident(&model.name.rust);
    let shape = match shape {
        ParameterShape::Primitive => quote!(Shape::Primitive),
        ParameterShape::Array => quote!(Shape::Array),
        ParameterShape::Object => quote!(Shape::Object),
        ParameterShape::Several => quote!(Shape::Several),
    };
    let rules: Vec<_> = order.iter().map(|index| rules[*index].clone()).collect();
    let attempts = attempts(side, model, &rules, |place, rules| {
        let variant = &union.variants[order[place]];
        let rust = ty::ident(&variant.rust);
        let name = &variant.rust;
        let boxed = variant.form.is_boxed(&variant.value).then(|| quote!(.map(Box::new)));
        if variant.exact {
            let read = match rules {
                None => quote!(FromParameter::from_parameter(raw.clone(), at)),
                Some(rules) => quote!(at.parameter_checked(raw.clone(), #rules)),
            };
            return quote!((#name, |raw, at| #read.and_then(|value| at.exact(&raw, value)).map(Self::#rust)),);
        }
        match (variant.form == TextForm::Json, rules) {
            (true, None) => quote!((#name, |raw, at| at.json_text(&raw).map(Self::#rust)),),
            (true, Some(rules)) => quote!((#name, |raw, at| at.json_text_checked(&raw, #rules).map(Self::#rust)),),
            (false, None) => {
                quote!((#name, |raw, at| FromParameter::from_parameter(raw, at) #boxed .map(Self::#rust)),)
            }
            (false, Some(rules)) => {
                quote!((#name, |raw, at| at.parameter_checked(raw, #rules) #boxed .map(Self::#rust)),)
            }
        }
    });

    quote! {
        impl FromParameter for #name {
            const SHAPE: Shape = #shape;

            fn from_parameter(raw: Raw<'_>, at: &mut Notes) -> Option<Self> {
                at.first_of(&raw, &[#(#attempts)*])
            }
        }
    }
}

fn to_parameter(api: &Api, side: Side, model: &Model, union: &Union) -> TokenStream {
    let name = ty::ident(&model.name.rust);
    let arms = super::arms(api, union, |index| {
        if union.variants[index].form == TextForm::Json {
            quote!(Raw::json(value))
        } else {
            quote!(value.to_parameter())
        }
    });
    let unknown = match side {
        Side::Server => None,
        Side::Client => {
            let unknown = super::unknown(union);
            Some(quote!(Self::#unknown(value) => Raw::json(value),))
        }
    };

    quote! {
        impl ToParameter for #name {
            fn to_parameter(&self) -> Raw<'_> {
                match self {
                    #(#arms)*
                    #unknown
                }
            }
        }
    }
}
