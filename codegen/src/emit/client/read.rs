//! From an answer to the types of the operation.

use crate::emit::operation::{content, multipart, response};
use crate::emit::{ty, xml};
use crate::ir::{Content, ContentKind, Failure, Header, Operation, ParameterShape, Response, Status, Success};
use proc_macro2::TokenStream;
use quote::quote;

/// What reads the success: a method of `Answer` or of the type that is made for it.
pub(super) fn success(operation: &Operation) -> TokenStream {
    match &operation.responses.success {
        Success::Nothing(_) => quote!(client::Answer::empty),
        Success::Body(response) => body_function(response),
        Success::Struct { rust, .. } | Success::Enum { rust, .. } => {
            let name = ty::ident(rust);
            quote!(#name::from_answer)
        }
    }
}

/// What reads the failure.
pub(super) fn failure(operation: &Operation) -> TokenStream {
    match &operation.responses.failure {
        Failure::Undocumented => quote!(client::Answer::undocumented),
        Failure::Shared { .. } => quote!(client::Answer::json),
        Failure::Enum { rust, .. } => {
            let name = ty::ident(rust);
            quote!(#name::from_answer)
        }
    }
}

/// What reads the types that are made for the operation.
pub(super) fn read(operation: &Operation) -> TokenStream {
    let success = match &operation.responses.success {
        Success::Nothing(_) | Success::Body(_) => None,
        Success::Struct { rust, response } => Some(struct_(rust, response)),
        Success::Enum { rust, responses } => Some(enum_(rust, responses)),
    };
    let failure = match &operation.responses.failure {
        Failure::Undocumented | Failure::Shared { .. } => None,
        Failure::Enum { rust, responses } => Some(enum_(rust, responses)),
    };
    let bodies = response::several(&operation.responses).map(body_enum);

    quote! {
        #success
        #failure
        #(#bodies)*
    }
}

/// What reads the body of a response, as a function.
fn body_function(response: &Response) -> TokenStream {
    match response.contents.as_slice() {
        [] => quote!(client::Answer::empty),
        [content] => {
            let Method { name, argument, then } = method(content, &response.body_rust);
            let name = ty::ident(name);
            if argument.is_some() {
                quote!(|answer| answer.#name(#argument) #then)
            } else {
                quote!(client::Answer::#name)
            }
        }
        _ => {
            let name = ty::ident(&response.body_rust);
            quote!(#name::from_answer)
        }
    }
}

/// The body of a response, as an expression.
fn body(response: &Response) -> Option<TokenStream> {
    match response.contents.as_slice() {
        [] => None,
        [content] => Some(method(content, &response.body_rust).call()),
        _ => {
            let name = ty::ident(&response.body_rust);
            Some(quote!(#name::from_answer(answer)?))
        }
    }
}

/// The method of `Answer` that reads a content.
struct Method {
    name: &'static str,
    /// The styles of a form, the root of XML, or the parts of a multipart body.
    argument: Option<TokenStream>,
    /// What makes the type of the body.
    then: Option<TokenStream>,
}

impl Method {
    fn call(&self) -> TokenStream {
        let Self { argument, then, .. } = self;
        let name = ty::ident(self.name);
        quote!(answer.#name(#argument) #then ?)
    }
}

/// The method that reads a content; `rust` names the type of a multipart body.
fn method(content: &Content, rust: &str) -> Method {
    let plain = |name| Method { name, argument: None, then: None };
    match &content.kind {
        ContentKind::Form(form) => match content::reading_styles(form) {
            None => plain("form"),
            styles @ Some(_) => Method { argument: styles, ..plain("form_with") },
        },
        ContentKind::Xml(xml) => Method { argument: Some(xml::root(xml)), ..plain("xml") },
        ContentKind::Json(_) => plain("json"),
        ContentKind::Text(_) => plain("text"),
        ContentKind::Events(None) => plain("text_events"),
        ContentKind::Events(Some(_)) => plain("json_events"),
        ContentKind::JsonLines(_) => plain("json_lines"),
        ContentKind::Bytes => plain("download"),
        ContentKind::Multipart(multipart) => {
            let (name, parts) = (ty::ident(rust), multipart::parts(multipart));
            Method { argument: Some(quote!(&#parts)), then: Some(quote!(.map(#name::new))), ..plain("multipart") }
        }
    }
}

/// The content of a variant: what JSON is read as may be a box, a form is put into one.
fn held(content: &Content, value: TokenStream) -> TokenStream {
    if content::is_boxed_form(content) { quote!(Box::new(#value)) } else { value }
}

fn struct_(rust: &str, response: &Response) -> TokenStream {
    let status = response::has_status(response).then(|| quote!(status: answer.status(),));
    let headers = response.headers.iter().map(header);
    let body = body(response).map(|body| quote!(body: #body));
    function(rust, true, &quote!(Ok(Self { #status #(#headers,)* #body })))
}

/// One arm per status; the exact ones stand before the ranges, and those before what is left.
fn enum_(rust: &str, responses: &[Response]) -> TokenStream {
    let mut responses: Vec<_> = responses.iter().collect();
    responses.sort_by_key(|response| match response.status {
        Status::Code(_) => 0,
        Status::Range(_) => 1,
        Status::Default => 2,
    });
    if let [response] = responses.as_slice() {
        let value = value(response);
        let looks = response::has_fields(response) || !response.contents.is_empty();
        return function(rust, looks, &quote!(Ok(#value)));
    }
    let arms = responses.iter().map(|response| {
        let pattern = pattern(response.status);
        let value = value(response);
        quote!(#pattern => #value,)
    });
    let otherwise = responses
        .iter()
        .all(|response| response.status != Status::Default)
        .then(|| quote!(_ => return Err(answer.undeclared()),));
    function(
        rust,
        true,
        &quote! {
            Ok(match answer.status().as_u16() {
                #(#arms)*
                #otherwise
            })
        },
    )
}

fn pattern(status: Status) -> TokenStream {
    match status {
        Status::Code(code) => ty::number(code),
        Status::Range(hundred) => {
            let first = u16::from(hundred) * 100;
            let (first, last) = (ty::number(first), ty::number(first + 99));
            quote!(#first..=#last)
        }
        Status::Default => quote!(_),
    }
}

/// The variant of a response, filled.
fn value(response: &Response) -> TokenStream {
    let variant = ty::ident(&response.rust);
    let body = body(response).map(|body| match response.contents.as_slice() {
        [content] => held(content, body),
        _ => body,
    });
    if !response::has_fields(response) {
        return match body {
            None => quote!(Self::#variant),
            Some(body) => quote!(Self::#variant(#body)),
        };
    }
    let status = response::has_status(response).then(|| quote!(status: answer.status(),));
    let headers = response.headers.iter().map(header);
    let body = body.map(|body| quote!(body: #body));
    quote!(Self::#variant { #status #(#headers,)* #body })
}

fn header(header: &Header) -> TokenStream {
    let wire = &header.name.wire;
    let field = ty::ident(&header.name.rust);
    let exploded = header.shape == ParameterShape::Object && header.explode;
    match (header.required, exploded) {
        (true, false) => quote!(#field: answer.required_header(#wire)),
        (true, true) => quote!(#field: answer.required_header_exploded(#wire)),
        (false, false) => quote!(#field: answer.optional_header(#wire)),
        (false, true) => quote!(#field: answer.optional_header_exploded(#wire)),
    }
}

/// The body of a response with several contents.
fn body_enum(response: &Response) -> TokenStream {
    let last = response.contents.len() - 1;
    let arms = response.contents.iter().enumerate().map(|(index, content)| {
        let variant = ty::ident(&content.variant);
        let body = held(content, method(content, &content::variant_rust(content, &response.body_rust)).call());
        let number = ty::number(index);
        if index == last { quote!(_ => Self::#variant(#body),) } else { quote!(#number => Self::#variant(#body),) }
    });
    function(
        &response.body_rust,
        true,
        &quote! {
            Ok(match answer.content()? {
                #(#arms)*
            })
        },
    )
}

/// The implementation of `FromAnswer`; `looks` when it looks at the answer at all.
fn function(rust: &str, looks: bool, expression: &TokenStream) -> TokenStream {
    let name = ty::ident(rust);
    let answer = if looks { quote!(answer) } else { quote!(_) };
    quote! {
        impl client::FromAnswer for #name {
            fn from_answer(#answer: &mut client::Answer) -> Result<Self, client::Unreadable> {
                #expression
            }
        }
    }
}
