//! The request struct of an operation: one field per parameter, and the body.

use super::content::{self, Direction};
use crate::emit::constructor::{self, Slot, Source};
use crate::emit::model::{default_doc, deprecated};
use crate::emit::{doc, ty};
use crate::ir::{Api, Operation, Parameter, RequestBody, Type};
use proc_macro2::TokenStream;
use quote::quote;

/// The field that holds the body.
const BODY: &str = "body";

/// Who has the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// Whoever sends it may leave out what has a default.
    Sender,
    /// Whoever receives it finds the default there.
    Receiver,
}

/// The request struct, and the enum of its body when that has several contents.
pub(crate) fn items(api: &Api, operation: &Operation, holder: Holder) -> TokenStream {
    let route = format!("`{} {}`", operation.method.text(), operation.path);
    let doc = doc::doc(operation.summary.as_deref().or(operation.doc.as_deref()).unwrap_or(&route));
    let derive = derive(operation, holder);
    let name = ty::ident(&operation.name.rust);
    let parameters = operation.parameters.iter().map(|parameter| parameter_field(api, holder, parameter));
    let body = operation.request_body.as_ref().map(|body| body_field(api, body));
    let fields: Vec<_> = parameters.chain(body).collect();
    let definition = match fields.as_slice() {
        [] => quote!(pub struct #name;),
        fields => quote!(pub struct #name { #(#fields)* }),
    };
    let body_enum = operation.request_body.as_ref().and_then(|body| {
        let doc = format!("The body of [`{}`], in one of its forms.", operation.name.rust);
        content::enum_(api, Direction::Request, &body.contents, &body.rust, &doc)
    });

    quote! {
        #doc
        #derive
        #definition

        #body_enum
    }
}

/// `new` of the request struct, for the side that sends it.
pub(crate) fn new(api: &Api, operation: &Operation) -> Option<TokenStream> {
    if !operation.has_new() {
        return None;
    }
    let parameters = operation
        .parameters
        .iter()
        .map(|parameter| Slot { rust: &parameter.name.rust, source: parameter_source(api, parameter) });
    let body = operation.request_body.iter().map(|body| Slot { rust: BODY, source: body_source(api, body) });
    Some(constructor::new("fields", &parameters.chain(body).collect::<Vec<_>>()))
}

fn parameter_source(api: &Api, parameter: &Parameter) -> Source {
    let value = &parameter.value;
    if !parameter.required {
        Source::Absent(quote!(None))
    } else if value.ty == Type::String && !value.boxed && !value.nullable {
        Source::Text
    } else {
        Source::Argument(ty::parameter(api, parameter))
    }
}

fn body_source(api: &Api, body: &RequestBody) -> Source {
    if body.required { Source::Argument(self::body(api, body)) } else { Source::Absent(quote!(None)) }
}

/// The type of a request body, as the field holds it when it is there.
pub(crate) fn body(api: &Api, body: &RequestBody) -> TokenStream {
    content::body(api, Direction::Request, &body.contents, &body.rust).unwrap_or_else(|| quote!(()))
}

fn derive(operation: &Operation, holder: Holder) -> TokenStream {
    // The defaults of the description are others than those of Rust.
    let is_filled = holder == Holder::Receiver && operation.parameters.iter().any(|parameter| parameter.filled);
    let default = operation.default && !is_filled;
    let is_stream = operation.request_body.as_ref().is_some_and(|body| content::is_stream(&body.contents));
    match (is_stream, default) {
        (true, true) => quote!(#[derive(Debug, Default)]),
        (true, false) => quote!(#[derive(Debug)]),
        (false, true) => quote!(#[derive(Clone, Debug, Default, PartialEq)]),
        (false, false) => quote!(#[derive(Clone, Debug, PartialEq)]),
    }
}

fn parameter_field(api: &Api, holder: Holder, parameter: &Parameter) -> TokenStream {
    let default = parameter.default.as_ref().map(|default| default_doc(api, &parameter.value.ty, default));
    let doc = doc::doc(&doc::paragraphs([parameter.doc.as_deref(), default.as_deref()]));
    let deprecated = deprecated(parameter.deprecated);
    let name = ty::ident(&parameter.name.rust);
    let ty = match holder {
        Holder::Receiver if parameter.filled => ty::present(api, &parameter.value),
        Holder::Receiver | Holder::Sender => ty::parameter(api, parameter),
    };
    quote!(#doc #deprecated pub #name: #ty,)
}

fn body_field(api: &Api, body: &RequestBody) -> TokenStream {
    let doc = body.doc.as_deref().map(doc::doc);
    let ty = self::body(api, body);
    let name = ty::ident(BODY);
    if body.required { quote!(#doc pub #name: #ty,) } else { quote!(#doc pub #name: Option<#ty>,) }
}
