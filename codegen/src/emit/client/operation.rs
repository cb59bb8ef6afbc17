//! The file of an operation: what the description says of it, what it takes and answers, and the way there and back.

use super::{call, credentials, page, read};
use crate::emit::operation::request::{self, Holder};
use crate::emit::operation::{self, multipart, response};
use crate::emit::side::Side;
use crate::emit::{doc, ty};
use crate::ir::{Api, Content, ContentKind, Operation, Response, Status, Webhook};
use proc_macro2::TokenStream;
use quote::quote;

/// The file.
pub(super) fn operation(api: &Api, operation: &Operation) -> TokenStream {
    let about = doc::own_inner(&format!("`{} {}`", operation.method.as_str(), operation.path));
    let constant = constant(api, operation);
    let request = request::items(api, operation, Holder::Sender);
    let short_form = request::short_form(api, operation);
    let parts = multipart::items(api, Side::Client, operation);
    let response = response::items(api, Side::Client, operation);
    let call = call::call(api, operation);
    let read = read::read(operation);
    let page = page::of_operation(api, operation);

    quote! {
        #about

        #constant
        #request
        #short_form
        #parts
        #response
        #call
        #read
        #page
    }
}

/// Summary, description, method and path.
pub(super) fn text(operation: &Operation) -> String {
    let method = operation.method.as_str();
    let route = match &operation.webhook {
        None => format!("`{method} {}`", operation.path),
        Some(Webhook { expression: None }) => format!("`{method}` to `url`"),
        Some(Webhook { expression: Some(expression) }) => {
            format!("`{method}` to `url`, which is `{expression}` of the request it calls back for")
        }
    };
    let success = response::described_success(operation);
    doc::paragraphs([operation.summary.as_deref(), operation.doc.as_deref(), Some(&route), success.as_deref()])
}

/// The types that are made for the operation, as the file of the tag passes them on.
pub(super) fn exports(operation: &Operation) -> TokenStream {
    operation::exports(operation, multipart::names(Side::Client, operation))
}

fn constant(api: &Api, operation: &Operation) -> TokenStream {
    let id = &operation.name.wire;
    let method = operation.method.as_str();
    let path = &operation.path;
    let security = credentials::required(api, operation);
    let success = declared(operation.responses.success.responses());
    let failure = declared(operation.responses.failure.responses());
    let pagination = page::pagination(operation);
    quote! {
        /// What the description says of this operation.
        pub static OPERATION: client::Operation = client::Operation {
            id: #id,
            method: #method,
            path: #path,
            security: #security,
            success: #success,
            failure: #failure,
            pagination: #pagination,
        };
    }
}

/// The responses, those with the same contents in one line.
fn declared(responses: &[Response]) -> TokenStream {
    let mut lines: Vec<TokenStream> = Vec::new();
    let mut waiting: Vec<u16> = Vec::new();
    let mut responses = responses.iter().peekable();
    while let Some(response) = responses.next() {
        let contents = contents(&response.contents);
        match response.status {
            Status::Code(code) => {
                waiting.push(code);
                let continues = responses.peek().is_some_and(|next| {
                    matches!(next.status, Status::Code(_))
                        && self::contents(&next.contents).to_string() == contents.to_string()
                });
                if !continues {
                    let codes = std::mem::take(&mut waiting).into_iter().map(ty::number);
                    lines.push(quote!(client::Declared::codes(&[#(#codes),*], #contents)));
                }
            }
            Status::Range(hundred) => {
                let hundred = ty::number(hundred);
                lines.push(quote!(client::Declared::range(#hundred, #contents)));
            }
            Status::Default => lines.push(quote!(client::Declared::default(#contents))),
        }
    }
    quote!(&[#(#lines),*])
}

fn contents(contents: &[Content]) -> TokenStream {
    match contents {
        [] => quote!(client::Content::NONE),
        [Content { kind: ContentKind::Json(_), media_types, .. }]
            if media_types.first().is_some_and(|media_type| media_type == "application/json") =>
        {
            quote!(client::Content::JSON)
        }
        contents => {
            let contents = contents.iter().map(|content| {
                let media_types = &content.media_types;
                if content.kind.is_streamed() {
                    quote!(client::Content::streamed(&[#(#media_types),*]))
                } else {
                    quote!(client::Content::whole(&[#(#media_types),*]))
                }
            });
            quote!(&[#(#contents),*])
        }
    }
}
