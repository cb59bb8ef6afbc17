//! The URLs of callbacks, computed from a request and its response.

use crate::emit::operation::response;
use crate::emit::{doc, member, parameter, ty};
use crate::ir::{Api, CallbackUrl, Operation, RequestBody, Success, Type, UrlPiece, Value};
use proc_macro2::TokenStream;
use quote::quote;

/// The methods of the request struct.
pub(super) fn methods(api: &Api, operation: &Operation) -> Option<TokenStream> {
    let urls: Vec<_> = operation.callback_urls.iter().map(|url| method(api, operation, url)).collect();
    let name = ty::ident(&operation.name.rust);
    (!urls.is_empty()).then(|| quote!(impl #name { #(#urls)* }))
}

fn method(api: &Api, operation: &Operation, url: &CallbackUrl) -> TokenStream {
    // `lower` has found the members, so each has a text.
    let computed = url.pieces.iter().filter(|piece| piece.is_computed());
    let texts: Vec<_> = computed.map(|piece| text(api, operation, piece).unwrap_or_else(|| quote!(None))).collect();
    let has_status = url.pieces.contains(&UrlPiece::Status);
    let reads_response = url.pieces.iter().any(|piece| matches!(piece, UrlPiece::ResponseMember(_)));
    let status = has_status.then(|| quote!(status: u16,));
    let success = response::success(api, operation);
    let response = reads_response.then(|| quote!(response: &#success,));
    let summary = format!("The URL of the callback `{}`: `{}`.", url.callback, url.expression.replace('`', "'"));
    let doc = doc::doc(&format!("{summary}\n\n`None` if a value of it is absent."));
    let name = ty::ident(&url.rust);
    let body = match (url.pieces.as_slice(), texts.as_slice()) {
        ([_], [only]) => only.clone(),
        _ => joined(&url.pieces, &texts),
    };
    quote! {
        #doc
        pub fn #name(&self, #response #status) -> Option<String> {
            #body
        }
    }
}

/// All pieces as one text.
fn joined(pieces: &[UrlPiece], texts: &[TokenStream]) -> TokenStream {
    let mut format = String::new();
    let name = |index: usize| if texts.len() == 1 { "value".to_owned() } else { format!("value_{}", index + 1) };
    let mut names = (0..texts.len()).map(name);
    for piece in pieces {
        match piece {
            UrlPiece::Text(text) => format.push_str(&text.replace('{', "{{").replace('}', "}}")),
            UrlPiece::Status => format.push_str("{status}"),
            UrlPiece::Parameter(_) | UrlPiece::RequestMember(_) | UrlPiece::ResponseMember(_) => {
                format.extend(["{", &names.next().unwrap_or_default(), "}"]);
            }
        }
    }
    let names = (0..texts.len()).map(|index| ty::ident(&name(index)));
    quote! {
        #(let #names = #texts?;)*
        Some(format!(#format))
    }
}

/// The text of a piece, as an `Option<String>`.
fn text(api: &Api, operation: &Operation, piece: &UrlPiece) -> Option<TokenStream> {
    match piece {
        UrlPiece::Text(_) | UrlPiece::Status => None,
        UrlPiece::Parameter(rust) => {
            let found = operation.parameters.iter().find(|parameter| parameter.name.rust == *rust)?;
            let field = ty::ident(rust);
            let is_given = found.filled || parameter::is_required(found);
            Some(match (is_given, api.resolved(&found.value.ty)) {
                (true, Type::String) => quote!(Some(self.#field.clone())),
                (false, Type::String) => quote!(self.#field.clone()),
                (true, _) => quote!(Some(ToText::to_text(&self.#field).into_owned())),
                (false, _) => quote!(self.#field.as_ref().map(|value| ToText::to_text(value).into_owned())),
            })
        }
        UrlPiece::RequestMember(path) => {
            let body = operation.request_body.as_ref()?;
            let value = of_body(body)?;
            if body.required && !value.nullable {
                return Some(member::find(api, value, quote!(self.body), path)?.text());
            }
            let text = member::find(api, value, quote!(body), path)?.text();
            Some(quote!(self.body.as_ref().and_then(|body| #text)))
        }
        UrlPiece::ResponseMember(path) => {
            let Success::Body(response) = &operation.responses.success else { return None };
            Some(member::find(api, response.json()?, quote!(response), path)?.text())
        }
    }
}

fn of_body(body: &RequestBody) -> Option<&Value> {
    match body.contents.as_slice() {
        [content] => content.kind.whole(),
        _ => None,
    }
}
