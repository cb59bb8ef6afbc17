//! Unions in parameters: the first variant that the text can be parsed as.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Error;

use crate::arguments::Arguments;
use crate::model::Model;
use crate::union::{Union, Variant};

/// `FromText` and `ToText` if every variant is one text, otherwise `FromParameter` and `ToParameter`.
pub(crate) fn items(model: &Model, arguments: &mut Arguments, union: &Union) -> syn::Result<TokenStream> {
    let is_text = arguments.word("text");
    let shape = arguments.value("shape");
    let order = order(arguments, union)?;
    if !model.parameter {
        return Ok(TokenStream::new());
    }
    if is_text {
        let read = model.reads_parameter().then(|| from_text(model, union));
        let write = model.to_parameter().then(|| to_text(model, union));
        return Ok(quote!(#read #write));
    }
    let shape = match shape.map(|shape| Ok::<_, Error>((shape.text()?, shape.span()))).transpose()? {
        None => quote!(Several),
        Some((shape, span)) => match shape.as_str() {
            "primitive" => quote!(Primitive),
            "array" => quote!(Array),
            "object" => quote!(Object),
            _ => return Err(Error::new(span, "expected `primitive`, `array` or `object`")),
        },
    };
    let read = model.reads_parameter().then(|| from_parameter(model, &order, &shape));
    let write = model.to_parameter().then(|| to_parameter(model, union));
    Ok(quote!(#read #write))
}

/// `order(1, 0)`: the order in which variants are tried.
fn order<'a>(arguments: &mut Arguments, union: &'a Union) -> syn::Result<Vec<&'a Variant>> {
    let Some((ident, mut list)) = arguments.list("order") else { return Ok(union.variants.iter().collect()) };
    let mut order = Vec::new();
    while let Some(index) = list.literal() {
        let variant = usize::try_from(index.count()?).ok().and_then(|index| union.variants.get(index));
        order.push(variant.ok_or_else(|| Error::new(index.span(), "there are fewer variants"))?);
    }
    list.finish()?;
    if order.len() != union.variants.len() {
        return Err(Error::new(ident.span(), "expected the place of each variant"));
    }
    Ok(order)
}

/// How variants are tried: with their rules, then without them if texts that break them are accepted.
fn attempts<'a>(
    model: &Model,
    variants: impl Iterator<Item = &'a Variant> + Clone,
    attempt: impl Fn(&'a Variant, Option<&'a TokenStream>) -> TokenStream,
) -> Vec<TokenStream> {
    let attempt = |(variant, rules): (&'a Variant, Option<&'a TokenStream>)| {
        let (name, rust, read) = (variant.name(), &variant.rust, attempt(variant, rules));
        quote!((#name, #read.map(Self::#rust)))
    };
    let by_rules = variants.clone().map(|variant| (variant, variant.rules.as_ref()));
    let without = variants.filter(|variant| variant.rules.is_some() && model.tolerant).map(|variant| (variant, None));
    by_rules.chain(without).map(attempt).collect()
}

fn from_text(model: &Model, union: &Union) -> TokenStream {
    let name = &model.name;
    let attempts = attempts(model, union.variants.iter(), |variant, rules| {
        let exact = variant.exact.then(|| quote!(.and_then(|value| __runtime::text::exact(text, value))));
        match rules {
            None => quote!(|text| __runtime::text::FromText::from_text(text) #exact),
            Some(rules) => quote!(|text| __runtime::rule::text_checked(text, #rules) #exact),
        }
    });
    quote! {
        impl __runtime::text::FromText for #name {
            fn from_text(text: &str) -> ::core::result::Result<Self, __runtime::text::Refusal> {
                __runtime::text::first_of(text, &[#(#attempts),*])
            }
        }
    }
}

fn to_text(model: &Model, union: &Union) -> TokenStream {
    let name = &model.name;
    let variants = union.variants.iter().map(|variant| &variant.rust);
    let other =
        union.other.iter().map(|other| quote!(Self::#other(value) => ::std::borrow::Cow::Owned(value.to_string()),));
    quote! {
        impl __runtime::text::ToText for #name {
            fn to_text(&self) -> ::std::borrow::Cow<'_, str> {
                match self {
                    #(Self::#variants(value) => __runtime::text::ToText::to_text(value),)*
                    #(#other)*
                }
            }
        }
    }
}

fn from_parameter(model: &Model, order: &[&Variant], shape: &TokenStream) -> TokenStream {
    let name = &model.name;
    let attempts = attempts(model, order.iter().copied(), |variant, rules| {
        let boxed = (variant.is_boxed && !variant.as_json).then(|| quote!(.map(::std::boxed::Box::new)));
        match (variant.exact, variant.as_json, rules) {
            (true, _, None) => quote! {
                |raw, at| __runtime::parameter::FromParameter::from_parameter(raw.clone(), at)
                    .and_then(|value| at.exact(&raw, value))
            },
            (true, _, Some(rules)) => {
                quote!(|raw, at| at.parameter_checked(raw.clone(), #rules).and_then(|value| at.exact(&raw, value)))
            }
            (false, true, None) => quote!(|raw, at| at.json_text(&raw)),
            (false, true, Some(rules)) => quote!(|raw, at| at.json_text_checked(&raw, #rules)),
            (false, false, None) => {
                quote!(|raw, at| __runtime::parameter::FromParameter::from_parameter(raw, at) #boxed)
            }
            (false, false, Some(rules)) => quote!(|raw, at| at.parameter_checked(raw, #rules) #boxed),
        }
    });
    quote! {
        impl __runtime::parameter::FromParameter for #name {
            const SHAPE: __runtime::parameter::Shape = __runtime::parameter::Shape::#shape;

            fn from_parameter(
                raw: __runtime::parameter::Raw<'_>,
                at: &mut __runtime::violation::Notes,
            ) -> ::core::option::Option<Self> {
                at.first_of(&raw, &[#(#attempts),*])
            }
        }
    }
}

fn to_parameter(model: &Model, union: &Union) -> TokenStream {
    let name = &model.name;
    let arms = union.variants.iter().map(|Variant { rust, as_json, is_boxed, .. }| match (as_json, is_boxed) {
        (true, _) => quote!(Self::#rust(value) => __runtime::parameter::Raw::json(value)),
        (false, true) => quote!(Self::#rust(value) => __runtime::parameter::ToParameter::to_parameter(value.as_ref())),
        (false, false) => quote!(Self::#rust(value) => __runtime::parameter::ToParameter::to_parameter(value)),
    });
    let other = union.other.iter().map(|other| quote!(Self::#other(value) => __runtime::parameter::Raw::json(value)));
    let arms = arms.chain(other);
    quote! {
        impl __runtime::parameter::ToParameter for #name {
            fn to_parameter(&self) -> __runtime::parameter::Raw<'_> {
                match self {
                    #(#arms),*
                }
            }
        }
    }
}
