//! `read` of a request: one line per parameter, and the body.

use crate::emit::model::rules;
use crate::emit::operation::reading::Function;
use crate::emit::operation::{content, multipart};
use crate::emit::{parameter, ty, xml};
use crate::ir::{Api, Content, ContentKind, Operation, RequestBody};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The function `read`.
///
/// Required values are read first, into variables, because everything must be read before the first `?`.
pub(super) fn read(api: &Api, operation: &Operation) -> TokenStream {
    let reader = reader(operation);
    let mut required = Vec::new();
    let mut optional = Vec::new();
    for parameter in &operation.parameters {
        let read = parameter::read(api, &reader, parameter);
        let fields = if parameter::is_required(parameter) { &mut required } else { &mut optional };
        fields.push((ty::ident(&parameter.name.rust), read));
    }
    if let Some(body) = &operation.request_body {
        let read = self::body(api, &reader, body);
        let fields = if body.required { &mut required } else { &mut optional };
        fields.push((ty::ident("body"), read));
    }

    let optional = optional.iter().map(|(field, read)| quote!(#field: #read));
    let (names, reads): (Vec<_>, Vec<_>) = required.into_iter().unzip();
    let fields: Vec<_> = optional.chain(names.iter().map(|name| quote!(#name: #name?))).collect();
    if fields.is_empty() {
        return quote! {
            fn read(_: &mut server::RequestReader<'_>) -> Option<Self> {
                Some(Self {})
            }
        };
    }
    quote! {
        fn read(#reader: &mut server::RequestReader<'_>) -> Option<Self> {
            #(let #names = #reads;)*
            Some(Self { #(#fields),* })
        }
    }
}

/// The name of the argument, distinct from all fields.
fn reader(operation: &Operation) -> Ident {
    let is_field = |name: &str| {
        operation.parameters.iter().any(|parameter| parameter.name.rust == name)
            || operation.request_body.is_some() && name == "body"
    };
    let free = ["request", "reader", "request_reader"].into_iter().find(|name| !is_field(name));
    ty::ident(free.unwrap_or("the_request_reader"))
}

fn body(api: &Api, reader: &Ident, body: &RequestBody) -> TokenStream {
    match (body.contents.as_slice(), body.required) {
        ([content], true) => {
            let (function, then) = one(api, content, &body.rust);
            let call = function.call();
            quote!(#reader.body().#call #then)
        }
        ([content], false) => {
            let (function, then) = one(api, content, &body.rust);
            if function.arguments.is_empty() && then.is_none() {
                let name = ty::ident(&function.name);
                quote!(#reader.body().optional(server::BodyReader::#name))
            } else {
                let call = function.call();
                quote!(#reader.body().optional(|body| body.#call #then))
            }
        }
        (contents, required) => {
            let read = one_of(api, contents, &body.rust);
            if required {
                quote!({ let body = #reader.body(); #read })
            } else {
                quote!(#reader.body().optional(|body| #read))
            }
        }
    }
}

/// Reads one of several contents into a variant of the enum `rust`.
fn one_of(api: &Api, contents: &[Content], rust: &str) -> TokenStream {
    let enum_ = ty::ident(rust);
    let arms = contents.iter().enumerate().map(|(index, content)| {
        let variant = ty::ident(&content.variant);
        let (function, then) = one(api, content, &content::variant_rust(content, rust));
        let call = function.call();
        let boxed = content.kind.is_boxed().then(|| quote!(.map(Box::new)));
        let index = ty::number(index);
        quote!(Some(#index) => body.#call #then #boxed.map(#enum_::#variant),)
    });
    quote! {
        match body.content() {
            #(#arms)*
            _ => body.missing(),
        }
    }
}

/// The function that reads a content; `rust` names the type of a multipart body.
fn one(api: &Api, content: &Content, rust: &str) -> (Function, Option<TokenStream>) {
    match &content.kind {
        ContentKind::Json(value) => (Function::new("json", rules::of_value(api, value)), None),
        ContentKind::Xml(xml) => {
            let root = xml::root(xml);
            let mut function = Function::new("xml", rules::of_value(api, &xml.value));
            function.arguments.insert(0, root);
            (function, None)
        }
        ContentKind::Form(form) => {
            let styles = content::reading_styles(form);
            (Function::with("form", styles, rules::of_value(api, &form.value)), None)
        }
        ContentKind::Text(value) => (Function::new("text", rules::of_value(api, value)), None),
        ContentKind::Bytes => (Function::new("stream", None), None),
        ContentKind::Events(None) => (Function::new("text_events", None), None),
        ContentKind::Events(Some(value)) => (Function::new("json_events", rules::of_value(api, value)), None),
        ContentKind::JsonLines(value) => (Function::new("json_lines", rules::of_value(api, value)), None),
        ContentKind::Multipart(multipart) => {
            let name = ty::ident(rust);
            let parts = multipart::parts(multipart);
            let mut function = Function::new("multipart", rules::of_parts(multipart));
            function.arguments.insert(0, quote!(&#parts));
            (function, Some(quote!(.map(#name::new))))
        }
    }
}
