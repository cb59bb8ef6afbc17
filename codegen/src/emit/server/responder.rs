//! Responses, from the types that the service returns.

use crate::emit::operation::content;
use crate::emit::operation::response::{self, has_fields, has_status};
use crate::emit::{ty, xml};
use crate::ir::{
    Api, Content, ContentKind, Header, Negotiation, Operation, ParameterShape, Response, Status, Success, Value,
};
use heck::ToShoutySnakeCase;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The function `answer`.
pub(super) fn answer(api: &Api, operation: &Operation) -> TokenStream {
    let success = response::success(api, operation);
    let argument = if matches!(operation.responses.success, Success::Nothing(_)) { quote!(()) } else { quote!(answer) };
    let offered = operation.responses.success.responses();
    let is_empty = offered.iter().all(|response| response.contents.is_empty());
    let reply = if is_empty { quote!(_) } else { quote!(reply) };
    let answer = respond(api, operation);
    quote! {
        fn answer(#argument: #success, #reply: server::Reply) -> server::Answer {
            #answer
        }
    }
}

/// Builds the response from `answer`, the value that the service returns.
fn respond(api: &Api, operation: &Operation) -> TokenStream {
    match &operation.responses.success {
        Success::Nothing(response) | Success::Body(response) => body(response, &only_status(response), &quote!(answer)),
        Success::Struct { response, .. } => {
            let status = if has_status(response) { quote!(answer.status) } else { only_status(response) };
            let sent = body(response, &status, &quote!(answer.body));
            let headers = response.headers.iter().map(|header| {
                let field = ty::ident(&header.name.rust);
                self::header(header, &quote!(answer.#field))
            });
            quote!(#sent #(#headers)*)
        }
        Success::Enum { rust, responses } => {
            let name = ty::ident(rust);
            let arms = arms(api, &name, responses);
            quote! {
                match answer {
                    #(#arms)*
                }
            }
        }
    }
}

/// An arm for each status; equal arms are merged.
pub(super) fn arms(api: &Api, name: &Ident, responses: &[Response]) -> Vec<TokenStream> {
    let mut arms: Vec<(Vec<TokenStream>, String, TokenStream)> = Vec::new();
    for response in responses {
        let (pattern, sent) = arm(name, response);
        // Equal tokens are the same only with equal types.
        let key = format!("{sent} {:?}", types(api, response));
        match arms.iter_mut().find(|(_, found, _)| *found == key) {
            Some((patterns, ..)) => patterns.push(pattern),
            None => arms.push((vec![pattern], key, sent)),
        }
    }
    arms.into_iter().map(|(patterns, _, sent)| quote!(#(#patterns)|* => #sent,)).collect()
}

/// The types of its headers and contents.
fn types(api: &Api, response: &Response) -> Vec<Value> {
    let contents = response.contents.iter().flat_map(|content| content.kind.values());
    response.headers.iter().map(|header| &header.value).chain(contents).map(|value| ty::followed(api, value)).collect()
}

fn arm(name: &Ident, response: &Response) -> (TokenStream, TokenStream) {
    let variant = ty::ident(&response.rust);
    let status = status(response);
    let value = quote!(body);
    let value = if let [content] = response.contents.as_slice() { held(content, value) } else { value };
    let sent = body(response, &status, &value);
    if !has_fields(response) {
        let pattern =
            if response.contents.is_empty() { quote!(#name::#variant) } else { quote!(#name::#variant(body)) };
        return (pattern, sent);
    }

    let status = has_status(response).then(|| quote!(status));
    let headers = response.headers.iter().map(|header| {
        let field = ty::ident(&header.name.rust);
        quote!(#field)
    });
    let body = (!response.contents.is_empty()).then(|| quote!(body));
    let fields = status.into_iter().chain(headers).chain(body);
    let pattern = quote!(#name::#variant { #(#fields),* });
    let headers = response.headers.iter().map(|header| {
        let field = ty::ident(&header.name.rust);
        self::header(header, &quote!(#field))
    });
    (pattern, quote!(#sent #(#headers)*))
}

/// The response with its body, without headers.
fn body(response: &Response, status: &TokenStream, value: &TokenStream) -> TokenStream {
    match response.contents.as_slice() {
        [] => quote!(server::Answer::empty(#status)),
        [content] => one(content, response.negotiation, status, value),
        contents => {
            let name = ty::ident(&response.body_rust);
            let arms = contents.iter().map(|content| {
                let variant = ty::ident(&content.variant);
                let sent = one(content, response.negotiation, status, &held(content, quote!(content)));
                quote!(#name::#variant(content) => #sent,)
            });
            quote! {
                match #value {
                    #(#arms)*
                }
            }
        }
    }
}

/// The content of a variant: forms are unboxed.
fn held(content: &Content, value: TokenStream) -> TokenStream {
    if content::is_boxed_form(content) { quote!(*#value) } else { value }
}

fn one(content: &Content, negotiation: Negotiation, status: &TokenStream, value: &TokenStream) -> TokenStream {
    let media_types = &content.media_types;
    let reply = match negotiation {
        Negotiation::All => quote!(reply),
        Negotiation::Within => quote!(reply.within(&[#(#media_types),*])),
        Negotiation::Preferred => {
            let first = media_types.first().map_or("", String::as_str);
            quote!(server::Reply::of(#first))
        }
    };
    match &content.kind {
        ContentKind::Json(_) => quote!(#reply.json(#status, &#value)),
        ContentKind::Form(form) => match content::styles(form) {
            None => quote!(#reply.form(#status, &#value)),
            Some(styles) => quote!(#reply.form_with(#styles, #status, &#value)),
        },
        ContentKind::Xml(xml) => {
            let root = xml::root(xml);
            quote!(#reply.xml(#root, #status, &#value))
        }
        ContentKind::Text(_) => quote!(#reply.text(#status, #value)),
        ContentKind::Events(None) => quote!(#reply.text_events(#status, #value)),
        ContentKind::Events(Some(_)) => quote!(#reply.json_events(#status, #value)),
        ContentKind::JsonLines(_) => quote!(#reply.json_lines(#status, #value)),
        ContentKind::Bytes => quote!(#reply.download(#status, #value)),
        ContentKind::Multipart(_) => quote!(#reply.multipart(#status, #value.into_multipart())),
    }
}

fn header(header: &Header, value: &TokenStream) -> TokenStream {
    let name = &header.name.wire;
    let exploded = header.shape == ParameterShape::Object && header.explode;
    match (header.required, exploded) {
        (true, false) => quote!(.header(#name, &#value)),
        (true, true) => quote!(.header_exploded(#name, &#value)),
        (false, false) => quote!(.optional_header(#name, #value.as_ref())),
        (false, true) => quote!(.optional_header_exploded(#name, #value.as_ref())),
    }
}

/// The status of a response that is only a body or nothing: `200` if it is open.
fn only_status(response: &Response) -> TokenStream {
    match response.status {
        Status::Code(code) => status_code(code),
        Status::Range(_) | Status::Default => status_code(200),
    }
}

/// The status of one of several responses: the field if it is open.
fn status(response: &Response) -> TokenStream {
    match response.status {
        Status::Code(code) => status_code(code),
        Status::Range(_) | Status::Default => quote!(status),
    }
}

fn status_code(code: u16) -> TokenStream {
    // The constants have the names of the phrases.
    let phrase = http::StatusCode::from_u16(code).ok().and_then(|known| known.canonical_reason());
    if let Some(phrase) = phrase {
        let name = ty::ident(&phrase.replace('\'', "").to_shouty_snake_case());
        quote!(StatusCode::#name)
    } else {
        let code = ty::number(code);
        quote!(server::status(#code))
    }
}
