//! From the request struct to a call: one line per parameter, and the body.

use proc_macro2::TokenStream;
use quote::quote;

use super::{operation, read};
use crate::emit::operation::response;
use crate::emit::ty;
use crate::ir::{
    Api, Content, ContentKind, Operation, Parameter, ParameterEncoding, ParameterLocation, ParameterStyle, RequestBody,
};

/// `impl GetAccount { fn call(self, client: &Client) -> Call<…> }`
pub(super) fn call(api: &Api, operation: &Operation) -> TokenStream {
    let name = ty::ident(&operation.name.rust);
    let success = response::success(api, operation);
    let failure = response::failure(api, operation);
    let read_success = read::success(operation);
    let read_failure = read::failure(operation);
    let parameters: Vec<_> = operation.parameters.iter().map(parameter).collect();
    let body = operation.request_body.as_ref().map(body);

    if operation::takes_nothing(operation) {
        return quote! {
            impl #name {
                pub(super) fn call(client: &client::Client) -> client::Call<#success, #failure> {
                    client::Request::new(client, &OPERATION).call(#read_success, #read_failure)
                }
            }
        };
    }
    let deprecated = operation.parameters.iter().any(|parameter| parameter.deprecated).then(
        || quote!(#[expect(deprecated, reason = "what is deprecated is sent as long as the description has it")]),
    );
    quote! {
        impl #name {
            #deprecated
            pub(super) fn call(self, client: &client::Client) -> client::Call<#success, #failure> {
                let mut request = client::Request::new(client, &OPERATION);
                #(#parameters)*
                #body
                request.call(#read_success, #read_failure)
            }
        }
    }
}

/// The media type that a content is sent as.
pub(super) fn media_type(content: &Content) -> &str {
    let concrete = content.media_types.iter().find(|media_type| !media_type.contains('*'));
    match (concrete, &content.kind) {
        (Some(media_type), _) => media_type,
        (None, ContentKind::Json(_)) => "application/json",
        (None, ContentKind::Text) => "text/plain",
        (None, ContentKind::Bytes) => "application/octet-stream",
        (None, ContentKind::Form(_)) => "application/x-www-form-urlencoded",
        (None, ContentKind::Multipart(_)) => "multipart/form-data",
    }
}

fn parameter(parameter: &Parameter) -> TokenStream {
    let wire = &parameter.name.wire;
    let field = ty::ident(&parameter.name.rust);
    let style = style(parameter);
    let is_json = matches!(parameter.encoding, ParameterEncoding::Json);
    let is_optional = !parameter.required || parameter.value.nullable;
    let value = match (is_optional, is_json) {
        (_, false) => quote!(&self.#field),
        (false, true) => quote!(&client::JsonText(&self.#field)),
        (true, true) => quote!(&self.#field.as_ref().map(client::JsonText)),
    };
    match (parameter.location, is_optional) {
        (ParameterLocation::Path, false) => quote!(request.path(#wire, #style, #value);),
        (ParameterLocation::Path, true) => quote!(request.optional_path(#wire, #style, #value);),
        (ParameterLocation::Query, false) => quote!(request.query(#wire, #style, #value);),
        (ParameterLocation::Query, true) => quote!(request.optional_query(#wire, #style, #value);),
        (ParameterLocation::Header, false) => quote!(request.header(#wire, #style, #value);),
        (ParameterLocation::Header, true) => quote!(request.optional_header(#wire, #style, #value);),
        (ParameterLocation::Cookie, false) => quote!(request.cookie(#wire, #style, #value);),
        (ParameterLocation::Cookie, true) => quote!(request.optional_cookie(#wire, #style, #value);),
    }
}

/// `Style::FORM`, `Style::SIMPLE.explode(true)`
fn style(parameter: &Parameter) -> TokenStream {
    let (style, explode, allow_reserved) = match parameter.encoding {
        ParameterEncoding::Style { style, explode, allow_reserved, .. } => (style, explode, allow_reserved),
        ParameterEncoding::Json => match parameter.location {
            ParameterLocation::Path | ParameterLocation::Header => (ParameterStyle::Simple, false, false),
            ParameterLocation::Query | ParameterLocation::Cookie => (ParameterStyle::Form, true, false),
        },
    };
    let (constant, exploded) = match style {
        ParameterStyle::Matrix => (quote!(Style::MATRIX), false),
        ParameterStyle::Label => (quote!(Style::LABEL), false),
        ParameterStyle::Simple => (quote!(Style::SIMPLE), false),
        ParameterStyle::Form => (quote!(Style::FORM), true),
        ParameterStyle::SpaceDelimited => (quote!(Style::SPACE_DELIMITED), false),
        ParameterStyle::PipeDelimited => (quote!(Style::PIPE_DELIMITED), false),
        ParameterStyle::DeepObject => (quote!(Style::DEEP_OBJECT), true),
    };
    let explode = (explode != exploded).then(|| quote!(.explode(#explode)));
    let allow_reserved = allow_reserved.then(|| quote!(.allow_reserved()));
    quote!(#constant #explode #allow_reserved)
}

fn body(body: &RequestBody) -> TokenStream {
    let field = ty::ident(&body.field);
    match (body.contents.as_slice(), body.required) {
        ([], _) => TokenStream::new(),
        ([content], true) => {
            let set = set(content, &quote!(self.#field));
            quote!(#set;)
        }
        ([content], false) => {
            let set = set(content, &quote!(body));
            quote! {
                if let Some(body) = self.#field {
                    #set;
                }
            }
        }
        (contents, true) => {
            let arms = arms(contents, &body.rust);
            quote!(match self.#field { #arms })
        }
        (contents, false) => {
            let arms = arms(contents, &body.rust);
            quote! {
                if let Some(body) = self.#field {
                    match body { #arms }
                }
            }
        }
    }
}

fn arms(contents: &[Content], rust: &str) -> TokenStream {
    let name = ty::ident(rust);
    let arms = contents.iter().map(|content| {
        let variant = ty::ident(&content.variant);
        let set = set(content, &quote!(body));
        quote!(#name::#variant(body) => #set,)
    });
    quote!(#(#arms)*)
}

fn set(content: &Content, body: &TokenStream) -> TokenStream {
    let media_type = media_type(content);
    match &content.kind {
        ContentKind::Json(_) => quote!(request.json(#media_type, &#body)),
        ContentKind::Text => quote!(request.text(#media_type, &#body)),
        ContentKind::Bytes => quote!(request.body(#media_type, #body)),
        ContentKind::Form(_) => quote!(request.form(#media_type, &#body)),
        ContentKind::Multipart(_) => quote!(request.multipart(#body.into_multipart())),
    }
}
