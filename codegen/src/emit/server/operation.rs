//! The file of an operation: its types, and how they are read and written.

use super::{callback_url, failure, reader, responder};
use crate::emit::model::rules;
use crate::emit::operation::request::{self, Holder};
use crate::emit::operation::response;
use crate::emit::operation::{self, multipart};
use crate::emit::side::Side;
use crate::emit::{doc, scheme, ty};
use crate::ir::{
    Api, BodyDiscriminator, Content, ContentKind, Field, ModelKind, Operation, Parameter, ParameterDiscriminator,
    ParameterLocation, Tag, Type, Value,
};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// The file.
pub(super) fn operation(api: &Api, tag: &Tag, operation: &Operation) -> TokenStream {
    let about = doc::own_inner(&format!("`{} {}`", operation.method.as_str(), operation.path));
    let metadata = metadata(api, tag, operation);
    let request = request::items(api, operation, Holder::Receiver);
    let response = response::items(api, Side::Server, operation);
    let parts = multipart::items(api, Side::Server, operation);
    let callback_urls = callback_url::methods(api, operation);
    let implementation = implementation(api, operation);
    let declared = failure::declared(api, operation);
    let from_enum = failure::from_enum(api, operation);

    quote! {
        #about

        #request
        #callback_urls
        #parts
        #response
        #declared
        #from_enum
        #metadata
        #implementation
    }
}

/// How the request is read and the response written.
fn implementation(api: &Api, operation: &Operation) -> TokenStream {
    let request = ty::ident(&operation.name.rust);
    let success = response::success(api, operation);
    let fits = fits(api, operation);
    let read = reader::read(api, operation);
    let answer = responder::answer(api, operation);
    quote! {
        impl server::Request for #request {
            type Success = #success;
            const OPERATION: &'static server::Operation = &OPERATION;
            #fits
            #read
            #answer
        }
    }
}

/// Tells the operation apart from others of the same route.
fn fits(api: &Api, operation: &Operation) -> Option<TokenStream> {
    let check = |(parameter, by): (&Parameter, ParameterDiscriminator)| {
        let wire = &parameter.name.wire;
        let ty = ty::ty(api, &parameter.value.ty);
        let (verb, ty) = match by {
            ParameterDiscriminator::Value => ("has", Some(quote!(::<#ty>))),
            ParameterDiscriminator::Choice => ("chooses", Some(quote!(::<#ty>))),
            ParameterDiscriminator::Presence => ("has", Some(quote!(::<String>))),
            ParameterDiscriminator::Required => ("needs", None),
        };
        let method = format_ident!("{verb}_in_{}", parameter.location.word());
        match parameter.location {
            ParameterLocation::Path => Some(if let Some(rules) = rules::of_text(api, &parameter.value) {
                quote!(target.has_in_path_checked #ty(OPERATION.path, #wire, #rules))
            } else {
                quote!(target.#method #ty(OPERATION.path, #wire))
            }),
            ParameterLocation::Query | ParameterLocation::Header => Some(quote!(target.#method #ty(#wire))),
            ParameterLocation::Cookie | ParameterLocation::QueryString => None,
        }
    };
    let excluded = (!operation.excluded_query.is_empty()).then(|| {
        let names = &operation.excluded_query;
        quote!(target.lacks_in_query(&[#(#names),*]))
    });
    let members =
        operation.body_discriminators.iter().map(|BodyDiscriminator { member, values }| match values.as_slice() {
            [] => quote!(target.has_in_body(#member)),
            values => quote!(target.has_value_in_body(#member, &[#(#values),*])),
        });
    let checks: Vec<_> =
        operation.parameter_discriminators().filter_map(check).chain(excluded).chain(members).collect();
    let fit = match checks.as_slice() {
        [] => return None,
        [check] => check.clone(),
        checks => quote!(Some(#(#checks?)+*)),
    };
    let by_body = (!operation.body_discriminators.is_empty()).then(|| {
        quote! {
            const FITS_BY_BODY: bool = true;
        }
    });
    Some(quote! {
        #by_body
        fn fits(target: &server::Target<'_>) -> Option<server::Fit> {
            #fit
        }
    })
}

/// The function that identifies the caller.
pub(super) fn identify(operation: &Operation) -> TokenStream {
    if !is_secured(operation) {
        quote!(server::anyone)
    } else if operation.security.optional {
        quote!(security::authenticate_optional)
    } else {
        quote!(security::authenticate)
    }
}

/// Whether the operation requires a caller.
pub(super) fn is_secured(operation: &Operation) -> bool {
    !operation.security.alternatives.is_empty()
}

/// Summary, description, method and path.
pub(super) fn text(operation: &Operation) -> String {
    let deprecated = operation.deprecated.then_some("Deprecated: callers should use something else.");
    let route = format!("`{} {}`", operation.method.as_str(), operation.path);
    let success = response::described_success(operation);
    let about = [operation.summary.as_deref(), operation.doc.as_deref(), deprecated, Some(&route), success.as_deref()];
    doc::paragraphs(about)
}

/// Re-exports the operation's types from the file of the tag.
pub(super) fn exports(operation: &Operation) -> TokenStream {
    operation::exports(operation, multipart::names(Side::Server, operation))
}

/// The type of the call; `principal` is the type of the caller.
pub(super) fn call(operation: &Operation, principal: &TokenStream) -> TokenStream {
    if !is_secured(operation) {
        quote!(server::Call<()>)
    } else if operation.security.optional {
        quote!(server::Call<Option<#principal>>)
    } else {
        quote!(server::Call<#principal>)
    }
}

fn metadata(api: &Api, tag: &Tag, operation: &Operation) -> TokenStream {
    let id = &operation.name.wire;
    let method = operation.method.as_str();
    let path = format!("{}{}", operation.prefix(), operation.path);
    let numbers = operation.parameters.iter().filter(|parameter| parameter.is_number_in_path(api));
    let numbers = numbers.map(|parameter| &parameter.name.wire);
    let tag = &tag.name.wire;
    let deprecated = operation.deprecated;
    let any_case = api.any_case;
    let requirements = operation.security.alternatives.iter().map(|(index, scopes)| {
        let schemes = api.credentials[*index].schemes.iter().map(|index| scheme::name(&api.security_schemes[*index]));
        let mut all: Vec<&String> = Vec::new();
        for scope in scopes.iter().flatten() {
            if !all.contains(&scope) {
                all.push(scope);
            }
        }
        quote! {
            server::Requirement { schemes: &[#(&security::#schemes),*], scopes: &[#(#all),*] }
        }
    });
    let body = match &operation.request_body {
        None => quote!(None),
        Some(body) => {
            let required = body.required;
            let contents = body.contents.iter().map(|one| content(api, one, body.required));
            quote!(Some(server::RequestBody { required: #required, contents: &[#(#contents),*] }))
        }
    };
    let produces = produces(operation);
    let failure = match failure::schema(api, operation) {
        None => quote!(None),
        Some(name) => quote!(Some(#name)),
    };
    quote! {
        /// What the description says of this operation.
        pub static OPERATION: server::Operation = server::Operation {
            id: #id,
            method: #method,
            path: #path,
            numbers: &[#(#numbers),*],
            tag: #tag,
            deprecated: #deprecated,
            any_case: #any_case,
            security: &[#(#requirements),*],
            body: #body,
            produces: &[#(#produces),*],
            failure: #failure,
        };
    }
}

fn content(api: &Api, content: &Content, required: bool) -> TokenStream {
    let media_types = &content.media_types;
    let streamed = content.kind.is_streamed();
    let empty = match &content.kind {
        ContentKind::Text(_) | ContentKind::Bytes | ContentKind::Events(_) | ContentKind::JsonLines(_) => true,
        // A form without members has no bytes, so it is absent if members are required.
        ContentKind::Form(form) => required || may_be_empty(api, &form.value),
        ContentKind::Json(_) | ContentKind::Xml(_) | ContentKind::Multipart(_) => false,
    };
    quote!(server::Content { media_types: &[#(#media_types),*], streamed: #streamed, empty: #empty })
}

/// Whether an object without members is valid.
fn may_be_empty(api: &Api, form: &Value) -> bool {
    match api.resolved(&form.ty) {
        Type::Map(_) => true,
        Type::Model(id) => match &api.model(*id).kind {
            ModelKind::Struct(struct_) => !struct_.fields.iter().any(Field::is_required),
            ModelKind::Union(_) | ModelKind::Enum(_) | ModelKind::Alias(_) => false,
        },
        _ => false,
    }
}

/// The distinct media types of all successful responses.
fn produces(operation: &Operation) -> Vec<&String> {
    let mut produces = Vec::new();
    let contents = operation.responses.success.responses().iter().flat_map(|response| &response.contents);
    for media_type in contents.flat_map(|content| &content.media_types) {
        if !produces.contains(&media_type) {
            produces.push(media_type);
        }
    }
    produces
}
