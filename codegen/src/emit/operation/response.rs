//! What an operation gives back: the types of its success and of its failure.

use super::content::{self, Direction};
use crate::emit::{doc, ty};
use crate::ir::{Api, Header, Operation, Response, Status, Value};
use printing::{Tokens, quote};

/// The shape of the success type, which tells encoders and decoders what to do.
#[derive(Clone, Copy, Debug)]
pub enum Success<'api> {
    /// `()`: no response is declared to succeed, or one without body and headers.
    Nothing(Option<&'api Response>),
    /// The body itself: one response, without headers.
    Body(&'api Response),
    /// A struct `<Operation>Response` with a field per header, and `body` if there is one.
    Struct(&'api Response),
    /// An enum `<Operation>Response` with a variant per status.
    Enum(&'api [Response]),
}

impl<'api> Success<'api> {
    /// The shape for what the operation declares.
    pub fn of(operation: &'api Operation) -> Self {
        match operation.responses.success.as_slice() {
            [] => Self::Nothing(None),
            [response] if !response.headers.is_empty() => Self::Struct(response),
            [response] if response.contents.is_empty() => Self::Nothing(Some(response)),
            [response] => Self::Body(response),
            responses => Self::Enum(responses),
        }
    }
}

/// The shape of the failure type.
#[derive(Clone, Copy, Debug)]
pub enum Failure<'api> {
    /// `Undocumented`: no failure is declared.
    Undocumented,
    /// The body that all failures share.
    Shared(&'api Value),
    /// An enum `<Operation>Error` with a variant per status.
    Enum(&'api [Response]),
}

impl<'api> Failure<'api> {
    /// The shape for what the operation declares.
    pub fn of(operation: &'api Operation) -> Self {
        match (&operation.responses.shared_failure, operation.responses.failure.as_slice()) {
            (_, []) => Self::Undocumented,
            (Some(value), _) => Self::Shared(value),
            (None, responses) => Self::Enum(responses),
        }
    }
}

/// The type that the trait's and the client's method give back.
pub(crate) fn success(api: &Api, operation: &Operation) -> Tokens {
    match Success::of(operation) {
        Success::Nothing(_) => quote!(()),
        Success::Body(response) => body(api, response).unwrap_or_else(|| quote!(())),
        Success::Struct(_) | Success::Enum(_) => {
            let name = ty::ident(&operation.responses.success_rust);
            quote!(#name)
        }
    }
}

/// The name of the success type, if one is made for the operation.
pub(crate) fn success_name(operation: &Operation) -> Option<&str> {
    match Success::of(operation) {
        Success::Nothing(_) => None,
        // The enum of a body that has several contents.
        Success::Body(response) => (response.contents.len() > 1).then_some(response.body_rust.as_str()),
        Success::Struct(_) | Success::Enum(_) => Some(&operation.responses.success_rust),
    }
}

/// The type of the failures that the description declares.
pub(crate) fn failure(api: &Api, operation: &Operation) -> Tokens {
    match Failure::of(operation) {
        Failure::Undocumented => quote!(Undocumented),
        Failure::Shared(value) => ty::value(api, value),
        Failure::Enum(_) => {
            let name = ty::ident(&operation.responses.failure_rust);
            quote!(#name)
        }
    }
}

/// The type of a response's body; none when it has no content.
pub(crate) fn body(api: &Api, response: &Response) -> Option<Tokens> {
    content::body(api, Direction::Response, &response.contents, &response.body_rust)
}

/// Whether the variant of a response has named fields: `status` where the description leaves it open, a field per
/// header, and `body`. Otherwise it holds the body, or nothing.
pub(crate) fn has_fields(response: &Response) -> bool {
    !response.headers.is_empty() || has_status(response)
}

/// Whether the variant of a response holds the status, because the description leaves it open.
pub(crate) fn has_status(response: &Response) -> bool {
    match response.status {
        Status::Code(_) => false,
        Status::Range(_) | Status::Default => true,
    }
}

/// The types that are made for the operation: its success, its failure, and the bodies that have several contents.
pub(crate) fn items(api: &Api, operation: &Operation) -> Tokens {
    let responses = &operation.responses;
    let success = match Success::of(operation) {
        Success::Nothing(_) | Success::Body(_) => None,
        Success::Struct(response) => Some(struct_(api, operation, response)),
        Success::Enum(success) => {
            let doc = format!("What `{}` answers.", operation.name.wire);
            Some(enum_(api, &responses.success_rust, success, &doc))
        }
    };
    let failure = match Failure::of(operation) {
        Failure::Undocumented | Failure::Shared(_) => None,
        Failure::Enum(failure) => {
            let doc = format!("How `{}` fails.", operation.name.wire);
            Some(enum_(api, &responses.failure_rust, failure, &doc))
        }
    };
    let failing = if failure.is_some() { responses.failure.as_slice() } else { &[] };
    let bodies = responses.success.iter().chain(failing).filter_map(|response| {
        let doc = format!("The body of {}, in one of its forms.", status(response.status));
        content::enum_(api, Direction::Response, &response.contents, &response.body_rust, &doc)
    });

    quote! {
        #success
        #failure
        #(#bodies)*
    }
}

/// A struct for one response with headers.
fn struct_(api: &Api, operation: &Operation, response: &Response) -> Tokens {
    let doc = doc::own(&format!("What `{}` answers.", operation.name.wire));
    let derive = content::derive(content::is_stream(&response.contents));
    let name = ty::ident(&operation.responses.success_rust);
    let headers = response.headers.iter().map(|header| field(api, header, &quote!(pub)));
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
            #(#headers)*
            #body
        }
    }
}

/// An enum with a variant per status.
fn enum_(api: &Api, rust: &str, responses: &[Response], doc: &str) -> Tokens {
    let doc = doc::own(doc);
    let derive = content::derive(responses.iter().any(|response| content::is_stream(&response.contents)));
    let name = ty::ident(rust);
    let variants = responses.iter().map(|response| variant(api, response));

    quote! {
        #doc
        #derive
        pub enum #name {
            #(#variants)*
        }
    }
}

fn variant(api: &Api, response: &Response) -> Tokens {
    let doc = variant_doc(response);
    let name = ty::ident(&response.rust);
    let body = body(api, response);
    if !has_fields(response) {
        return match body {
            None => quote!(#doc #name,),
            Some(body) => quote!(#doc #name(#body),),
        };
    }

    let status = has_status(response).then(|| {
        quote! {
            /// The status, which the description leaves open.
            status: StatusCode,
        }
    });
    let headers = response.headers.iter().map(|header| field(api, header, &Tokens::new()));
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
fn variant_doc(response: &Response) -> Tokens {
    let status = status(response.status);
    match response.doc.as_deref().map(str::trim) {
        None | Some("") => doc::doc(&status),
        Some(text) => doc::doc(&format!("{status}: {text}")),
    }
}

/// A header as a field.
fn field(api: &Api, header: &Header, visibility: &Tokens) -> Tokens {
    let wire = format!("`{}`", header.name.wire);
    let doc = doc::doc(header.doc.as_deref().unwrap_or(&wire));
    let name = ty::ident(&header.name.rust);
    let ty = ty::present(api, &header.value);
    let ty = if header.required { ty } else { quote!(Option<#ty>) };
    quote!(#doc #visibility #name: #ty,)
}

/// The status as documentation has it.
pub(crate) fn status(status: Status) -> String {
    match status {
        Status::Code(code) => format!("`{code}`"),
        Status::Range(first) => format!("`{first}XX`"),
        Status::Default => "any other status".to_owned(),
    }
}
