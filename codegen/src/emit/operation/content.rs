//! The Rust type of a body.

use crate::emit::{doc, parameter, ty};
use crate::ir::{Api, Content, ContentKind, Form, FormList, ParameterStyle};
use proc_macro2::TokenStream;
use quote::quote;

/// The direction of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// A stream of bytes is a `Body`, one of items an `ItemBody`.
    Request,
    /// A stream of bytes is a `Download`, one of items an `ItemStream`.
    Response,
}

/// The type of a body. `rust` names the enum of several contents, or the type of a multipart body.
pub(crate) fn body(api: &Api, direction: Direction, contents: &[Content], rust: &str) -> Option<TokenStream> {
    match contents {
        [] => None,
        [content] => Some(single(api, direction, content, rust)),
        _ => {
            let name = ty::ident(rust);
            Some(quote!(#name))
        }
    }
}

/// `&[("tags", Style::PIPE_DELIMITED)]`: the members whose lists have a style, if any.
pub(crate) fn lists(form: &Form) -> Option<TokenStream> {
    styles(form.lists.iter())
}

/// The same without numbered lists, which are read in any case.
pub(crate) fn delimited_lists(form: &Form) -> Option<TokenStream> {
    styles(form.lists.iter().filter(|list| list.style != ParameterStyle::DeepObject))
}

fn styles<'f>(lists: impl Iterator<Item = &'f FormList>) -> Option<TokenStream> {
    let lists: Vec<_> = lists
        .map(|list| (&list.name, parameter::style_of_list(list.style)))
        .map(|(name, style)| quote!((#name, #style)))
        .collect();
    (!lists.is_empty()).then(|| quote!(&[#(#lists),*]))
}

/// The type of one content. `rust` names the type of a multipart body.
pub(crate) fn single(api: &Api, direction: Direction, content: &Content, rust: &str) -> TokenStream {
    match (&content.kind, direction) {
        (ContentKind::Json(value) | ContentKind::Form(Form { value, .. }), _) => ty::value(api, value),
        (ContentKind::Text(_), _) => quote!(String),
        (ContentKind::Events(data), direction) => {
            let data = data.as_ref().map_or_else(|| quote!(String), |data| ty::value(api, data));
            items(direction, &quote!(stream::Event<#data>))
        }
        (ContentKind::JsonLines(value), direction) => items(direction, &ty::value(api, value)),
        (ContentKind::Bytes, Direction::Request) => quote!(Body),
        (ContentKind::Bytes | ContentKind::Multipart(_), Direction::Response) => quote!(Download),
        (ContentKind::Multipart(_), Direction::Request) => {
            let name = ty::ident(rust);
            quote!(#name)
        }
    }
}

/// The type of a stream of items.
fn items(direction: Direction, item: &TokenStream) -> TokenStream {
    match direction {
        Direction::Request => quote!(ItemBody<#item>),
        Direction::Response => quote!(ItemStream<#item>),
    }
}

/// The enum of a body with several contents; empty for one content.
pub(crate) fn enum_(
    api: &Api,
    direction: Direction,
    contents: &[Content],
    rust: &str,
    doc: &str,
) -> Option<TokenStream> {
    if contents.len() < 2 {
        return None;
    }
    let doc = doc::own(doc);
    let derive = derive(is_stream(contents));
    let name = ty::ident(rust);
    let variants = contents.iter().map(|content| {
        let doc = doc::doc(&media_types(content));
        let variant = ty::ident(&content.variant);
        let ty = single(api, direction, content, &variant_rust(content, rust));
        quote!(#doc #variant(#ty),)
    });

    Some(quote! {
        #doc
        #derive
        pub enum #name {
            #(#variants)*
        }
    })
}

/// The name of the multipart type in a variant of the body enum `rust`.
pub fn variant_rust(content: &Content, rust: &str) -> String {
    format!("{rust}{}", content.variant)
}

/// Whether it is a form in a `Box`: unlike JSON, forms are read and written unboxed.
pub(crate) fn is_boxed_form(content: &Content) -> bool {
    matches!(content.kind, ContentKind::Form(_)) && content.kind.is_boxed()
}

/// Whether a body may be a stream, which can neither be cloned nor compared.
pub(crate) fn is_stream(contents: &[Content]) -> bool {
    contents.iter().any(|content| content.kind.is_streamed())
}

/// The derives of a type made for an operation.
pub(crate) fn derive(is_stream: bool) -> TokenStream {
    if is_stream { quote!(#[derive(Debug)]) } else { quote!(#[derive(Clone, Debug, PartialEq)]) }
}

/// `application/json`, `text/json`
fn media_types(content: &Content) -> String {
    let types: Vec<_> = content.media_types.iter().map(|media_type| format!("`{media_type}`")).collect();
    types.join(", ")
}
