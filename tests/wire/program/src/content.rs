//! Where values stand in the description, as the crate `wire` is told.

use proc_macro2::TokenStream;
use quote::quote;
use specwright::ir::{Content, ContentKind, Header, Parameter, ParameterLocation, Part, Response};

use super::key;

/// A parameter.
pub(super) fn parameter(parameter: &Parameter) -> TokenStream {
    let name = &parameter.name.wire;
    match parameter.location {
        ParameterLocation::Path => quote!(wire::Place::path(#name)),
        ParameterLocation::Query => quote!(wire::Place::query(#name)),
        ParameterLocation::Header => quote!(wire::Place::header(#name)),
        ParameterLocation::Cookie => quote!(wire::Place::cookie(#name)),
        ParameterLocation::QueryString => quote!(wire::Place::query_string(#name)),
    }
}

/// A content of the request body.
pub(super) fn body(content: &Content) -> TokenStream {
    let media_type = media_type(content);
    match &content.kind {
        ContentKind::Json(_) | ContentKind::JsonLines(_) | ContentKind::Events(Some(_)) => {
            quote!(wire::Place::json_body(#media_type))
        }
        ContentKind::Xml(_) => quote!(wire::Place::xml_body(#media_type)),
        ContentKind::Text(_)
        | ContentKind::Bytes
        | ContentKind::Form(_)
        | ContentKind::Events(None)
        | ContentKind::Multipart(_) => {
            quote!(wire::Place::body(#media_type))
        }
    }
}

/// A part of a multipart body.
pub(super) fn part(content: &Content, part: &Part) -> TokenStream {
    let (media_type, name) = (media_type(content), &part.field.name.wire);
    quote!(wire::Place::body(#media_type).part(#name))
}

/// A part of a multipart response.
pub(super) fn answer_part(response: &Response, content: &Content, part: &Part) -> TokenStream {
    let (whole, name) = (answer(response, content), &part.field.name.wire);
    quote!(#whole.part(#name))
}

/// A content of a response.
pub(super) fn answer(response: &Response, content: &Content) -> TokenStream {
    let (key, media_type) = (key(response.status), media_type(content));
    match &content.kind {
        ContentKind::Json(_) | ContentKind::JsonLines(_) | ContentKind::Events(Some(_)) => {
            quote!(wire::Place::json_answer(#key, #media_type))
        }
        ContentKind::Xml(_) => quote!(wire::Place::xml_answer(#key, #media_type)),
        ContentKind::Text(_)
        | ContentKind::Bytes
        | ContentKind::Form(_)
        | ContentKind::Events(None)
        | ContentKind::Multipart(_) => {
            quote!(wire::Place::answer(#key, #media_type))
        }
    }
}

/// What is noted of an `item` of a stream.
pub(super) fn item(content: &Content) -> TokenStream {
    match &content.kind {
        ContentKind::Events(Some(_)) => quote!(&item.data),
        // It is a list of bytes, written as they are noted.
        ContentKind::Events(None) => quote!(&format_args!("{}", item.data)),
        _ => quote!(&item),
    }
}

/// A header of a response.
pub(super) fn header(response: &Response, header: &Header) -> TokenStream {
    let (key, name) = (key(response.status), &header.name.wire);
    quote!(wire::Place::answer_header(#key, #name))
}

fn media_type(content: &Content) -> &str {
    content.media_types.first().map_or("", String::as_str)
}
