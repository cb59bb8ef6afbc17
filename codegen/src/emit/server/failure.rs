//! The failures that an operation declares; others do not compile.

use crate::emit::ty;
use crate::ir::{Api, Failure, Operation, Response, Status, Type};
use proc_macro2::TokenStream;
use quote::quote;

/// `Fails` for the request struct, and `Declares` for each status; `DeclaresAny` if statuses are open.
pub(super) fn declared(api: &Api, operation: &Operation) -> TokenStream {
    let request = ty::ident(&operation.name.rust);
    let failure = &operation.responses.failure;
    let (with, media_type) = match (failure.shared(), media_type(failure.responses())) {
        (Some(value), Some("application/json")) => (ty::value(api, value), None),
        (Some(value), Some(media_type)) => {
            let constant = quote!(
                const MEDIA_TYPE: &'static str = #media_type;
            );
            (ty::value(api, value), Some(constant))
        }
        _ => (quote!(()), None),
    };
    let statuses = statuses(operation);

    quote! {
        impl server::Fails for #request {
            type With = #with;
            #media_type
        }
        #(#statuses)*
    }
}

/// An implementation for each status, or one for all.
fn statuses(operation: &Operation) -> Vec<TokenStream> {
    let request = ty::ident(&operation.name.rust);
    let mut lines = Vec::new();
    for failure in operation.responses.failure.responses() {
        match failure.status {
            Status::Code(code) => {
                let code = ty::number(code);
                lines.push(quote!(impl server::Declares<#code> for #request {}));
            }
            Status::Range(_) | Status::Default => {
                return vec![quote!(impl server::DeclaresAny for #request {})];
            }
        }
    }
    lines
}

/// The media type of all failures, if it is the same.
fn media_type(failures: &[Response]) -> Option<&str> {
    let mut sent = failures.iter().map(|failure| failure.contents.first()?.media_types.first().map(String::as_str));
    let first = sent.next()??;
    sent.all(|media_type| media_type == Some(first)).then_some(first)
}

/// `From` for the enum of failures, so that `?` and `into()` convert them.
pub(super) fn from_enum(api: &Api, operation: &Operation) -> Option<TokenStream> {
    match &operation.responses.failure {
        Failure::Undocumented | Failure::Shared { .. } => None,
        Failure::Enum { rust, responses } => {
            let name = ty::ident(rust);
            let request = ty::ident(&operation.name.rust);
            let arms = super::responder::arms(api, &name, responses);
            Some(quote! {
                impl From<#name> for server::Failure<#request> {
                    fn from(failure: #name) -> Self {
                        Self::answer(match failure {
                            #(#arms)*
                        })
                    }
                }
            })
        }
    }
}

/// The schema shared by all declared failures.
pub(super) fn schema<'api>(api: &'api Api, operation: &Operation) -> Option<&'api str> {
    match operation.responses.failure.shared()?.ty {
        Type::Model(id) => Some(&api.model(id).name.wire),
        _ => None,
    }
}
