//! From the request struct to a call: one line per parameter, and the body.

use super::read;
use crate::emit::operation::{content, request, response};
use crate::emit::{parameter, ty, xml};
use crate::ir::{Api, Content, ContentKind, Operation, RequestBody};
use proc_macro2::TokenStream;
use quote::quote;

/// `impl GetAccount { fn call(self, client: &Client) -> Call<…> }`
pub(super) fn call(api: &Api, operation: &Operation) -> TokenStream {
    let name = ty::ident(&operation.name.rust);
    let new = request::new(api, operation);
    let success = response::success(api, operation);
    let failure = response::failure(api, operation);
    let read_success = read::success(operation);
    let read_failure = read::failure(operation);
    let server = operation.server.as_ref().map(|server| quote!(.server(#server)));
    let to = operation.webhook.as_ref().map(|_| quote!(.to(url)));
    let url = operation.webhook.as_ref().map(|_| quote!(url: String));
    let parameters = operation.parameters.iter().map(parameter::send);
    let request = quote!(client::Request::new(client.as_ref(), &OPERATION) #server #to #(#parameters)*);
    let body = match &operation.request_body {
        // It uses `self`, as Clippy wants it.
        None if operation.parameters.is_empty() => quote! {
            let Self {} = self;
            #request.call(#read_success, #read_failure)
        },
        None => quote!(#request.call(#read_success, #read_failure)),
        Some(RequestBody { required: true, contents, .. }) if contents.len() < 2 => {
            let body = contents.iter().map(|content| body(content, &quote!(self.body)));
            quote!(#request #(#body)* .call(#read_success, #read_failure))
        }
        Some(request_body) => {
            let choice = choice(request_body);
            quote! {
                let request = #request;
                let request = #choice;
                request.call(#read_success, #read_failure)
            }
        }
    };
    quote! {
        impl #name {
            #new

            pub(super) fn call(self, client: &Client, #url) -> client::Call<#success, #failure> {
                #body
            }
        }
    }
}

/// The media type that a content is sent as.
pub(in crate::emit) fn media_type(content: &Content) -> &str {
    let concrete = content.media_types.iter().find(|media_type| !media_type.contains('*'));
    match (concrete, &content.kind) {
        (Some(media_type), _) => media_type,
        (None, ContentKind::Json(_)) => "application/json",
        (None, ContentKind::Xml(_)) => "application/xml",
        (None, ContentKind::Text(_)) => "text/plain",
        (None, ContentKind::Bytes) => "application/octet-stream",
        (None, ContentKind::Form(_)) => "application/x-www-form-urlencoded",
        (None, ContentKind::Events(_)) => "text/event-stream",
        (None, ContentKind::JsonLines(_)) => "application/jsonl",
        (None, ContentKind::Multipart(_)) => "multipart/form-data",
    }
}

/// The request with its body, which may be left out or be one of several contents.
fn choice(body: &RequestBody) -> TokenStream {
    let name = ty::ident(&body.rust);
    let arms: Vec<_> = match body.contents.as_slice() {
        [content] => {
            let set = self::body(content, &quote!(body));
            vec![(quote!(body), set)]
        }
        contents => {
            let arm = |content: &Content| {
                let variant = ty::ident(&content.variant);
                let held = if content.kind.is_boxed() { quote!(*body) } else { quote!(body) };
                (quote!(#name::#variant(body)), self::body(content, &held))
            };
            contents.iter().map(arm).collect()
        }
    };
    let arms = arms.into_iter().map(|(pattern, set)| {
        if body.required { quote!(#pattern => request #set,) } else { quote!(Some(#pattern) => request #set,) }
    });
    let none = (!body.required).then(|| quote!(None => request,));
    quote! {
        match self.body {
            #(#arms)*
            #none
        }
    }
}

fn body(content: &Content, body: &TokenStream) -> TokenStream {
    let media_type = media_type(content);
    match &content.kind {
        ContentKind::Json(_) => quote!(.json(#media_type, &#body)),
        ContentKind::Xml(xml) => {
            let root = xml::root(xml);
            quote!(.xml(#root, #media_type, &#body))
        }
        ContentKind::Text(_) => quote!(.text(#media_type, &#body)),
        ContentKind::Bytes => quote!(.body(#media_type, #body)),
        ContentKind::Form(form) => match content::styles(form) {
            None => quote!(.form(#media_type, &#body)),
            Some(styles) => quote!(.form_with(#styles, #media_type, &#body)),
        },
        ContentKind::Events(None) => quote!(.text_events(#media_type, #body)),
        ContentKind::Events(Some(_)) => quote!(.json_events(#media_type, #body)),
        ContentKind::JsonLines(_) => quote!(.json_lines(#media_type, #body)),
        ContentKind::Multipart(_) => quote!(.multipart(#media_type, #body.into_multipart())),
    }
}
