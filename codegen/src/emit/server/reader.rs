//! `read` of a request struct: one line per parameter, and the body.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::multipart;
use crate::emit::model::Rules;
use crate::emit::operation::content;
use crate::emit::profile::Side;
use crate::emit::ty;
use crate::ir::{
    Api, Content, ContentKind, Operation, Parameter, ParameterEncoding, ParameterLocation, ParameterStyle, RequestBody,
    Value,
};

/// The implementation of `read`.
pub(super) fn read(api: &Api, operation: &Operation) -> TokenStream {
    let request = ty::ident(&operation.name.rust);
    let reader = reader(operation);
    let mut rules = Rules::new(api, Side::Server);
    let mut fields = Vec::new();
    let mut lines = Vec::new();
    for parameter in &operation.parameters {
        let field = ty::ident(&parameter.name.rust);
        let read = self::parameter(&mut rules, &reader, parameter);
        lines.push(quote!(let #field = #read;));
        fields.push(field);
    }
    if let Some(body) = &operation.request_body {
        let field = ty::ident(&body.field);
        let read = self::body(api, &mut rules, &reader, body);
        lines.push(quote!(let #field = #read;));
        fields.push(field);
    }

    if fields.is_empty() {
        return quote! {
            impl #request {
                fn read(_: &mut server::RequestReader<'_>) -> Option<Self> {
                    Some(Self)
                }
            }
        };
    }
    let statics = rules.into_statics();
    quote! {
        #statics

        impl #request {
            fn read(#reader: &mut server::RequestReader<'_>) -> Option<Self> {
                #(#lines)*
                Some(Self { #(#fields: #fields?),* })
            }
        }
    }
}

/// The name of the argument, which no field may hide.
fn reader(operation: &Operation) -> Ident {
    let is_field = |name: &str| {
        operation.parameters.iter().any(|parameter| parameter.name.rust == name)
            || operation.request_body.as_ref().is_some_and(|body| body.field == name)
    };
    let free = ["request", "reader", "request_reader"].into_iter().find(|name| !is_field(name));
    ty::ident(free.unwrap_or("the_request_reader"))
}

fn parameter(rules: &mut Rules<'_>, reader: &Ident, parameter: &Parameter) -> TokenStream {
    let location = match parameter.location {
        ParameterLocation::Path => quote!(path),
        ParameterLocation::Query => quote!(query),
        ParameterLocation::Header => quote!(header),
        ParameterLocation::Cookie => quote!(cookie),
    };
    let name = &parameter.name.wire;
    let style = match &parameter.encoding {
        ParameterEncoding::Json => None,
        ParameterEncoding::Style { style, explode, .. } => self::style(parameter.location, *style, *explode),
    };
    let checked = checked(rules, &parameter.value, &parameter.name.rust);
    let required = parameter.required && !parameter.value.nullable;
    let finish = match (&parameter.encoding, required) {
        (ParameterEncoding::Json, true) => quote!(required_json),
        (ParameterEncoding::Json, false) => quote!(optional_json),
        (ParameterEncoding::Style { .. }, true) => quote!(required),
        (ParameterEncoding::Style { .. }, false) => quote!(optional),
    };
    quote!(#reader.#location(#name) #style #checked.#finish())
}

/// Nothing where the style is the one that the location has by itself.
fn style(location: ParameterLocation, style: ParameterStyle, explode: bool) -> Option<TokenStream> {
    let of_location = match location {
        ParameterLocation::Path | ParameterLocation::Header => ParameterStyle::Simple,
        ParameterLocation::Query | ParameterLocation::Cookie => ParameterStyle::Form,
    };
    let (name, of_style) = match style {
        ParameterStyle::Matrix => (quote!(MATRIX), false),
        ParameterStyle::Label => (quote!(LABEL), false),
        ParameterStyle::Simple => (quote!(SIMPLE), false),
        ParameterStyle::Form => (quote!(FORM), true),
        ParameterStyle::SpaceDelimited => (quote!(SPACE_DELIMITED), false),
        ParameterStyle::PipeDelimited => (quote!(PIPE_DELIMITED), false),
        ParameterStyle::DeepObject => (quote!(DEEP_OBJECT), true),
    };
    match (style == of_location, explode == of_style) {
        (true, true) => None,
        (false, true) => Some(quote!(.style(Style::#name))),
        (_, false) => Some(quote!(.style(Style::#name.explode(#explode)))),
    }
}

fn checked(rules: &mut Rules<'_>, value: &Value, name: &str) -> Option<TokenStream> {
    let rules = rules.of_value(value, name)?;
    Some(quote!(.checked(#rules)))
}

fn body(api: &Api, rules: &mut Rules<'_>, reader: &Ident, body: &RequestBody) -> TokenStream {
    match (body.contents.as_slice(), body.required) {
        ([content], true) => {
            let read = one(rules, content, &body.rust);
            quote!(#reader.body() #read)
        }
        ([content], false) => {
            let read = one(rules, content, &body.rust);
            quote!(#reader.body().optional(|body| body #read))
        }
        (contents, required) => {
            let enum_ = ty::ident(&body.rust);
            let arms = contents.iter().enumerate().map(|(index, content)| {
                let index = Literal::usize_unsuffixed(index);
                let variant = ty::ident(&content.variant);
                let read = one(rules, content, &content::variant_rust(content, &body.rust));
                let boxed = content::is_boxed(api, content).then(|| quote!(.map(Box::new)));
                quote!(Some(#index) => body #read #boxed.map(#enum_::#variant),)
            });
            let read = quote! {
                match body.content() {
                    #(#arms)*
                    _ => body.missing(),
                }
            };
            if required {
                quote!({ let body = #reader.body(); #read })
            } else {
                quote!(#reader.body().optional(|body| #read))
            }
        }
    }
}

/// One content; `rust` is the name of its type if it is multipart.
fn one(rules: &mut Rules<'_>, content: &Content, rust: &str) -> TokenStream {
    match &content.kind {
        ContentKind::Json(value) => {
            let checked = checked(rules, value, "body");
            quote!(#checked.json())
        }
        ContentKind::Form(value) => {
            let checked = checked(rules, value, "body");
            quote!(#checked.form())
        }
        ContentKind::Text => quote!(.text()),
        ContentKind::Bytes => quote!(.stream()),
        ContentKind::Multipart(_) => {
            let name = ty::ident(rust);
            let parts = multipart::parts(rust);
            quote!(.multipart(&#parts).map(#name::new))
        }
    }
}
