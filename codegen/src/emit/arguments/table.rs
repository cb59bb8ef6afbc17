//! Where each argument is sent, and how it is written.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::text_form;
use crate::emit::client::media_type;
use crate::emit::operation::content;
use crate::emit::{parameter, ty};
use crate::ir::{
    Api, Content, ContentKind, Operation, Parameter, ParameterEncoding, ParameterLocation, PartKind, RequestBody, Tag,
};

/// `arguments::Arguments { … }`; `client` is the name of the client crate in code.
pub(crate) fn table(api: &Api, tag: &Tag, operation: &Operation, client: &Ident) -> TokenStream {
    let (tag, module) = (ty::ident(&tag.module), ty::ident(&operation.module));
    let server = match &operation.server {
        None => quote!(None),
        Some(server) => quote!(Some(#server)),
    };
    let names = &operation.arguments;
    let parameters = operation.parameters.iter().zip(&names.parameters);
    let parameters = parameters.map(|(parameter, argument)| self::parameter(api, parameter, argument));
    let body = if let (Some(body), Some((argument, content))) = (&operation.request_body, &names.body) {
        self::body(api, body, argument, *content)
    } else {
        quote!(None)
    };
    quote! {
        arguments::Arguments {
            operation: &#client::#tag::#module::OPERATION,
            server: #server,
            parameters: &[#(#parameters),*],
            body: #body,
        }
    }
}

/// `arguments::Parameter::query("Sort")`, with what differs from the usual.
fn parameter(api: &Api, parameter: &Parameter, argument: &str) -> TokenStream {
    let wire = &parameter.name.wire;
    let method = ty::ident(match parameter.location {
        ParameterLocation::Path => "path",
        ParameterLocation::Query => "query",
        ParameterLocation::Header => "header",
        ParameterLocation::Cookie => "cookie",
        ParameterLocation::QueryString => "query_string",
    });
    let argument = (argument != wire).then(|| quote!(.argument(#argument)));
    let form = match parameter.encoding {
        ParameterEncoding::Json => Some(quote!(.json())),
        ParameterEncoding::JsonItems => Some(quote!(.json_items())),
        ParameterEncoding::Style { .. } => {
            let style = parameter::sending_style(parameter).map(|style| quote!(.style(#style)));
            let form = text_form::of(api, &parameter.value).map(|form| quote!(.text_form(#form)));
            Some(quote!(#style #form))
        }
    };
    quote!(arguments::Parameter::#method(#wire) #argument #form)
}

fn body(api: &Api, body: &RequestBody, argument: &str, content: usize) -> TokenStream {
    let Some(content) = body.contents.get(content) else { return quote!(None) };
    let media_type = media_type(content);
    let kind = kind(api, content);
    quote!(Some(arguments::Body { argument: #argument, media_type: #media_type, kind: #kind }))
}

fn kind(api: &Api, content: &Content) -> TokenStream {
    match &content.kind {
        ContentKind::Json(_) => quote!(arguments::BodyKind::Json),
        ContentKind::Text(_) => quote!(arguments::BodyKind::Text),
        ContentKind::Bytes | ContentKind::Xml(_) => quote!(arguments::BodyKind::Bytes),
        ContentKind::Events(None) => quote!(arguments::BodyKind::TextEvents),
        ContentKind::Events(Some(_)) => quote!(arguments::BodyKind::JsonEvents),
        ContentKind::JsonLines(_) => quote!(arguments::BodyKind::JsonLines),
        ContentKind::Form(form) => {
            let styles = content::styles(form).unwrap_or_else(|| quote!(&[]));
            let form = text_form::of(api, &form.value).unwrap_or_else(|| quote!(arguments::TextForm::Plain));
            quote!(arguments::BodyKind::Form { styles: #styles, form: #form })
        }
        ContentKind::Multipart(multipart) => {
            let parts = multipart.parts.iter().map(|part| {
                let name = multipart.argument(part);
                let kind = ty::ident(match part.kind {
                    PartKind::File => "file",
                    PartKind::Text => "text",
                    PartKind::Json => "json",
                });
                let declared = part.content_types.iter().find(|content_type| !content_type.contains('*'));
                let content_type = declared.map(|content_type| quote!(.content_type(#content_type)));
                let repeated = part.repeated.then(|| quote!(.repeated()));
                let style = part.style.map(|style| parameter::style(style, false, false));
                let style = style.map(|style| quote!(.style(#style)));
                quote!(arguments::Part::#kind(#name) #repeated #content_type #style)
            });
            let kind = ty::ident(if multipart.positional { "Positional" } else { "Multipart" });
            quote!(arguments::BodyKind::#kind(&[#(#parts),*]))
        }
    }
}
