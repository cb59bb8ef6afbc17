//! The URLs of callbacks, computed from a request and its response.

use crate::emit::{doc, member, ty};
use crate::ir::{Api, CallbackUrl, Operation, RequestBody, UrlPiece, VariantMember};
use proc_macro2::TokenStream;
use quote::quote;

/// The methods of the request struct.
pub(super) fn methods(api: &Api, operation: &Operation) -> Option<TokenStream> {
    let urls: Vec<_> = operation.callback_urls.iter().map(|url| method(api, operation, url)).collect();
    let name = ty::ident(&operation.name.rust);
    (!urls.is_empty()).then(|| quote!(impl #name { #(#urls)* }))
}

fn method(api: &Api, operation: &Operation, url: &CallbackUrl) -> TokenStream {
    let texts: Vec<_> = url.pieces.iter().filter_map(|piece| text(operation, piece)).collect();
    let has_status = url.pieces.contains(&UrlPiece::Status);
    let reads_response = url.pieces.iter().any(|piece| matches!(piece, UrlPiece::ResponseMember(_)));
    let status = has_status.then(|| quote!(status: u16,));
    let response = operation.responses.success.body().filter(|_| reads_response).map(|body| {
        let body = ty::value(api, body);
        quote!(response: &#body,)
    });
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
            UrlPiece::Parameter(_)
            | UrlPiece::RequestMember(_)
            | UrlPiece::VariantMember(_)
            | UrlPiece::ResponseMember(_) => {
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

/// The text of a piece, as an `Option<String>`; `None` if it is not computed.
fn text(operation: &Operation, piece: &UrlPiece) -> Option<TokenStream> {
    match piece {
        UrlPiece::Text(_) | UrlPiece::Status => None,
        UrlPiece::Parameter(path) | UrlPiece::RequestMember(path) => Some(member::at(quote!(self), path).text()),
        UrlPiece::VariantMember(members) => operation.request_body.as_ref().map(|body| variant(body, members)),
        UrlPiece::ResponseMember(path) => Some(member::at(quote!(response), path).text()),
    }
}

/// The text of a member in the variants of a body that have it.
fn variant(body: &RequestBody, members: &[VariantMember]) -> TokenStream {
    let enum_ = ty::ident(&body.rust);
    let (mut arms, mut others) = (Vec::new(), Vec::new());
    for (index, content) in body.contents.iter().enumerate() {
        let variant = ty::ident(&content.variant);
        match members.iter().find(|member| member.content == index) {
            Some(member) => {
                let text = member::at(quote!(body), &member.path).text();
                arms.push(quote!(#enum_::#variant(body) => #text,));
            }
            None => others.push(quote!(#enum_::#variant(_))),
        }
    }
    let others = (!others.is_empty()).then(|| quote!(#(#others)|* => None,));
    let body = if body.required { quote!(&self.body) } else { quote!(self.body.as_ref()?) };
    quote!(match #body { #(#arms)* #others })
}
