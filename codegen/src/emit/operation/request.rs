//! The request struct of an operation: one field per parameter, and the body.

use super::content::{self, Direction};
use crate::emit::constructor::{self, Slot, Source};
use crate::emit::{doc, parameter, ty};
use crate::ir::{Api, Operation, Parameter, RequestBody, ShortForm};
use proc_macro2::TokenStream;
use quote::quote;

/// The field that holds the body.
const BODY: &str = "body";

/// The holder of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// The sender may omit values with a default.
    Sender,
    /// The receiver always has the default.
    Receiver,
}

/// The request struct, and the enum of its body if that has several contents.
pub(crate) fn items(api: &Api, operation: &Operation, holder: Holder) -> TokenStream {
    let route = format!("`{} {}`", operation.method.as_str(), operation.path);
    let doc = doc::doc(operation.summary.as_deref().or(operation.doc.as_deref()).unwrap_or(&route));
    let derive = derive(api, operation, holder);
    let name = ty::ident(&operation.name.rust);
    let parameters = operation.parameters.iter().map(|parameter| parameter::field(api, holder, parameter));
    let body = operation.request_body.as_ref().map(|body| body_field(api, body));
    let fields: Vec<_> = parameters.chain(body).collect();
    let body_enum = operation.request_body.as_ref().and_then(|body| {
        let doc = format!("The body of [`{}`], in one of its forms.", operation.name.rust);
        content::enum_(api, Direction::Request, &body.contents, &body.rust, &doc)
    });

    quote! {
        #doc
        #derive
        pub struct #name { #(#fields)* }

        #body_enum
    }
}

/// Conversions into a request: from `()` or the only required value.
pub(crate) fn short_form(api: &Api, operation: &Operation) -> Option<TokenStream> {
    let name = ty::ident(&operation.name.rust);
    let slots = slots(api, operation);
    let required = slots.iter().find(|slot| !matches!(slot.source, Source::Absent(_)));
    match (operation.short_form(api), required) {
        (ShortForm::Unit, _) => Some(quote! {
            impl From<()> for #name {
                fn from((): ()) -> Self {
                    Self::default()
                }
            }
        }),
        (ShortForm::Value, Some(Slot { rust, source })) => {
            let rust = ty::ident(rust);
            let others = if slots.len() == 1 {
                None
            } else if operation.has_client_default(api) {
                Some(quote!(..Self::default()))
            } else {
                let absent = slots.iter().filter_map(Slot::absent);
                Some(quote!(#(#absent),*))
            };
            Some(if let Source::Argument(ty) = source {
                quote! {
                    impl From<#ty> for #name {
                        fn from(#rust: #ty) -> Self {
                            Self { #rust, #others }
                        }
                    }
                }
            } else {
                quote! {
                    impl<T: Into<String>> From<T> for #name {
                        fn from(#rust: T) -> Self {
                            Self { #rust: #rust.into(), #others }
                        }
                    }
                }
            })
        }
        _ => None,
    }
}

/// `new` of the request struct, if its arguments have distinct types.
pub(crate) fn new(api: &Api, operation: &Operation) -> Option<TokenStream> {
    (operation.short_form(api) == ShortForm::New).then(|| constructor::new("fields", &slots(api, operation)))
}

/// The fields as `new` sees them.
pub(crate) fn slots<'a>(api: &Api, operation: &'a Operation) -> Vec<Slot<'a>> {
    let parameter =
        |parameter: &'a Parameter| Slot { rust: &parameter.name.rust, source: parameter::source(api, parameter) };
    let body = operation.request_body.iter().map(|body| Slot { rust: BODY, source: body_source(api, body) });
    operation.parameters.iter().map(parameter).chain(body).collect()
}

fn body_source(api: &Api, body: &RequestBody) -> Source {
    if body.required { Source::Argument(self::body(api, body)) } else { Source::Absent(quote!(None)) }
}

/// The type of the request body, without `Option`.
pub(crate) fn body(api: &Api, body: &RequestBody) -> TokenStream {
    content::body(api, Direction::Request, &body.contents, &body.rust).unwrap_or_else(|| quote!(()))
}

fn derive(api: &Api, operation: &Operation, holder: Holder) -> TokenStream {
    // The description's defaults differ from Rust's.
    let is_filled = || operation.parameters.iter().any(|parameter| parameter.filled);
    let default = match holder {
        Holder::Sender => operation.has_client_default(api),
        Holder::Receiver => operation.default && !is_filled(),
    };
    let is_stream = operation.request_body.as_ref().is_some_and(|body| content::is_stream(&body.contents));
    match (is_stream, default) {
        (true, true) => quote!(#[derive(Debug, Default)]),
        (true, false) => quote!(#[derive(Debug)]),
        (false, true) => quote!(#[derive(Clone, Debug, Default, PartialEq)]),
        (false, false) => quote!(#[derive(Clone, Debug, PartialEq)]),
    }
}

fn body_field(api: &Api, body: &RequestBody) -> TokenStream {
    let doc = body.doc.as_deref().map(doc::doc);
    let ty = self::body(api, body);
    let name = ty::ident(BODY);
    if body.required { quote!(#doc pub #name: #ty,) } else { quote!(#doc pub #name: Option<#ty>,) }
}
