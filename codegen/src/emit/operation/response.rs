//! The success and failure types of an operation.

use super::content::{self, Direction};
use crate::emit::side::Side;
use crate::emit::{doc, ty};
use crate::ir::{Api, Failure, Header, Operation, Response, Responses, Status, Success, Type};
use proc_macro2::TokenStream;
use quote::quote;

/// The type returned by the trait's and the client's method.
pub fn success(api: &Api, operation: &Operation) -> TokenStream {
    match &operation.responses.success {
        Success::Nothing(_) => quote!(()),
        Success::Body(response) => body(api, response).unwrap_or_else(|| quote!(())),
        Success::Struct { rust, .. } | Success::Enum { rust, .. } => {
            let name = ty::ident(rust);
            quote!(#name)
        }
    }
}

/// The name of the success type, if one is generated.
pub(crate) fn success_name(operation: &Operation) -> Option<&str> {
    match &operation.responses.success {
        Success::Nothing(_) => None,
        // The enum of a body with several contents.
        Success::Body(response) => (response.contents.len() > 1).then_some(response.body_rust.as_str()),
        Success::Struct { rust, .. } | Success::Enum { rust, .. } => Some(rust),
    }
}

/// The type of declared failures.
pub(crate) fn failure(api: &Api, operation: &Operation) -> TokenStream {
    match &operation.responses.failure {
        Failure::Undocumented => quote!(Undocumented),
        failure @ Failure::Shared { .. } => failure.shared().map_or_else(|| quote!(()), |value| ty::value(api, value)),
        Failure::Enum { rust, .. } => {
            let name = ty::ident(rust);
            quote!(#name)
        }
    }
}

/// The type of a response's body; `None` without content.
pub(crate) fn body(api: &Api, response: &Response) -> Option<TokenStream> {
    content::body(api, Direction::Response, &response.contents, &response.body_rust)
}

/// Whether the variant of a response has named fields: `status` if it is open, a field per header, and
/// `body`. Otherwise it holds the body or nothing.
pub fn has_fields(response: &Response) -> bool {
    !response.headers.is_empty() || has_status(response)
}

/// Whether the struct or variant has a `status`, because the description leaves it open.
pub fn has_status(response: &Response) -> bool {
    match response.status {
        Status::Code(_) => false,
        Status::Range(_) | Status::Default => true,
    }
}

/// The responses whose body is a generated enum.
pub(crate) fn several(responses: &Responses) -> impl Iterator<Item = &Response> {
    responses.all().filter(|response| response.contents.len() > 1)
}

/// The types generated for the operation: success, failure, and bodies with several contents.
pub(crate) fn items(api: &Api, side: Side, operation: &Operation) -> TokenStream {
    let responses = &operation.responses;
    let about = format!("Response of `{}`.", operation.name.wire);
    let success = match &responses.success {
        Success::Nothing(_) | Success::Body(_) => None,
        Success::Struct { rust, response } => Some(struct_(api, side, rust, response, &about)),
        Success::Enum { rust, responses } => Some(enum_(api, side, rust, responses, &doc::own(&about))),
    };
    let failure = match &responses.failure {
        Failure::Undocumented | Failure::Shared { .. } => None,
        Failure::Enum { rust, responses } => {
            let doc = format!("How `{}` fails.", operation.name.wire);
            Some(enum_(api, side, rust, responses, &doc::own(&doc)))
        }
    };
    let bodies = several(responses).filter_map(|response| {
        let doc = format!("The body of {}, in one of its forms.", status(response.status));
        content::enum_(api, Direction::Response, &response.contents, &response.body_rust, &doc)
    });

    quote! {
        #success
        #failure
        #(#bodies)*
    }
}

/// A struct for one response with an open status or headers.
fn struct_(api: &Api, side: Side, rust: &str, response: &Response, about: &str) -> TokenStream {
    let doc = doc::doc(&doc::paragraphs([Some(about), Some(&described_value(response))]));
    let derive = content::derive(content::is_stream(&response.contents));
    let name = ty::ident(rust);
    let status = status_field(response, &quote!(pub));
    let headers = response.headers.iter().map(|header| field(api, side, header, &quote!(pub)));
    let body = body(api, response).map(|body| {
        quote! {
            /// The body.
            pub body: #body,
        }
    });

    quote! {
        #doc
        #derive
        pub struct #name {
            #status
            #(#headers)*
            #body
        }
    }
}

/// An enum with a variant per status.
fn enum_(api: &Api, side: Side, rust: &str, responses: &[Response], doc: &TokenStream) -> TokenStream {
    let derive = content::derive(responses.iter().any(|response| content::is_stream(&response.contents)));
    let name = ty::ident(rust);
    let variants = responses.iter().map(|response| variant(api, side, response));

    quote! {
        #doc
        #derive
        pub enum #name {
            #(#variants)*
        }
    }
}

fn variant(api: &Api, side: Side, response: &Response) -> TokenStream {
    let doc = doc::doc(&described(response, status(response.status)));
    let name = ty::ident(&response.rust);
    let body = body(api, response);
    if !has_fields(response) {
        return match body {
            None => quote!(#doc #name,),
            Some(body) => quote!(#doc #name(#body),),
        };
    }

    let status = status_field(response, &TokenStream::new());
    let headers = response.headers.iter().map(|header| field(api, side, header, &TokenStream::new()));
    let body = body.map(|body| {
        quote! {
            /// The body.
            body: #body,
        }
    });
    quote! {
        #doc
        #name {
            #status
            #(#headers)*
            #body
        },
    }
}

/// `404`: The account does not exist.
fn described(response: &Response, status: String) -> String {
    match response.doc.as_deref().map(str::trim) {
        None | Some("") => status,
        Some(text) => format!("{status}: {text}"),
    }
}

/// The same for the only response that is a value.
fn described_value(response: &Response) -> String {
    let status = match response.status {
        Status::Default => "any other status below 400".to_owned(),
        Status::Code(_) | Status::Range(_) => status(response.status),
    };
    described(response, status)
}

/// The description of a response without its own type, for the documentation of the method.
pub(crate) fn described_success(operation: &Operation) -> Option<String> {
    match &operation.responses.success {
        Success::Nothing(response) | Success::Body(response) => {
            response.doc.as_deref().filter(|text| !text.trim().is_empty()).map(|_| described_value(response))
        }
        Success::Struct { .. } | Success::Enum { .. } => None,
    }
}

/// The statuses of failures with a common body, for the documentation of the method. Other failures have a documented
/// type of their own.
pub(crate) fn described_failure(api: &Api, operation: &Operation) -> Option<String> {
    let value = operation.responses.failure.shared()?;
    let root = if operation.webhook.is_some() { "super::super" } else { "super" };
    let ty = match &value.ty {
        Type::Model(id) if !value.nullable => {
            let name = &api.model(*id).name.rust;
            format!("[`{name}`]({root}::models::{name})")
        }
        _ => format!("`{}`", ty::value(api, value).to_string().replace(' ', "")),
    };
    let statuses: Vec<_> =
        operation.responses.failure.responses().iter().map(|failure| status(failure.status)).collect();
    Some(format!("Fails with {ty}: {}.", statuses.join(", ")))
}

/// The status as a field, if it is open.
fn status_field(response: &Response, visibility: &TokenStream) -> Option<TokenStream> {
    has_status(response).then(|| {
        quote! {
            /// The status, which the description leaves open.
            #visibility status: StatusCode,
        }
    })
}

/// A header as a field.
fn field(api: &Api, side: Side, header: &Header, visibility: &TokenStream) -> TokenStream {
    let wire = format!("`{}`", header.name.wire);
    let doc = doc::doc(header.doc.as_deref().unwrap_or(&wire));
    let name = ty::ident(&header.name.rust);
    let ty = ty::present(api, &header.value);
    let ty = match (header.required, side) {
        (false, _) => quote!(Option<#ty>),
        (true, Side::Server | Side::Models) => ty,
        // A missing header does not fail the response.
        (true, Side::Client) => quote!(Result<#ty, client::Unreadable>),
    };
    quote!(#doc #visibility #name: #ty,)
}

/// The status in documentation.
pub(crate) fn status(status: Status) -> String {
    match status {
        Status::Code(code) => format!("`{code}`"),
        Status::Range(first) => format!("`{first}XX`"),
        Status::Default => "any other status".to_owned(),
    }
}
