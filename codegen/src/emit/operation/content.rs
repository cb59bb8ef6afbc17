//! The Rust type of a body.

use crate::emit::{doc, parameter, ty};
use crate::ir::{Api, Content, ContentKind, Form, FormMember, ParameterEncoding, ParameterShape, ParameterStyle, Xml};
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

/// `&[("tags", Style::PIPE_DELIMITED.pairs())]`: the members that are written with a style, if any.
pub(crate) fn styles(form: &Form) -> Option<TokenStream> {
    let members = form.members.iter().filter(|member| member.encoding != ParameterEncoding::Json);
    list_of(members.map(|member| (&member.name, style(member))))
}

/// The same for a reader: with JSON, and without texts and numbered lists, which are read in any case.
pub(crate) fn reading_styles(form: &Form) -> Option<TokenStream> {
    let members = form.members.iter().filter(|member| {
        !matches!(
            member.encoding,
            ParameterEncoding::Style { style: ParameterStyle::DeepObject, .. }
                | ParameterEncoding::Style { shape: ParameterShape::Primitive, .. }
        )
    });
    list_of(members.map(|member| (&member.name, style(member))))
}

fn list_of<'f>(styles: impl Iterator<Item = (&'f String, TokenStream)>) -> Option<TokenStream> {
    let styles: Vec<_> = styles.map(|(name, style)| quote!((#name, #style))).collect();
    (!styles.is_empty()).then(|| quote!(&[#(#styles),*]))
}

/// The style of a member.
fn style(member: &FormMember) -> TokenStream {
    let (style, explode, allow_reserved, shape) = match member.encoding {
        ParameterEncoding::Style { style, explode, allow_reserved, shape } => (style, explode, allow_reserved, shape),
        ParameterEncoding::Json => return quote!(Style::json()),
        ParameterEncoding::JsonItems => return quote!(Style::json_items()),
    };
    let style = parameter::style(style, explode, allow_reserved);
    match shape {
        ParameterShape::Object if explode => {
            let names = &member.spread;
            quote!(#style.spread(&[#(#names),*]))
        }
        ParameterShape::Object => quote!(#style.object()),
        ParameterShape::Primitive | ParameterShape::Array | ParameterShape::Several => quote!(#style.pairs()),
    }
}

/// The type of one content. `rust` names the type of a multipart body.
pub(crate) fn single(api: &Api, direction: Direction, content: &Content, rust: &str) -> TokenStream {
    match (&content.kind, direction) {
        (ContentKind::Json(value) | ContentKind::Xml(Xml { value, .. }) | ContentKind::Form(Form { value, .. }), _) => {
            ty::value(api, value)
        }
        (ContentKind::Text(_), _) => quote!(String),
        (ContentKind::Events(data), direction) => {
            let data = data.as_ref().map_or_else(|| quote!(String), |data| ty::value(api, data));
            items(direction, &quote!(stream::Event<#data>))
        }
        (ContentKind::JsonLines(value), direction) => items(direction, &ty::value(api, value)),
        (ContentKind::Bytes, Direction::Request) => quote!(Body),
        (ContentKind::Bytes, Direction::Response) => quote!(Download),
        (ContentKind::Multipart(_), _) => {
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
