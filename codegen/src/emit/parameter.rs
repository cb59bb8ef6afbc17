//! Parameters: their fields, how a server reads them, and how a client sends them.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::constructor::Source;
use super::model::{self, default_doc, deprecated, rules};
use super::operation::reading::Function;
use super::operation::request::Holder;
use super::{doc, ty};
use crate::ir::{Api, Default, Parameter, ParameterEncoding, ParameterLocation, ParameterShape, ParameterStyle, Type};

/// Whether the parameter is a `T` instead of an `Option<T>`.
pub(super) fn is_required(parameter: &Parameter) -> bool {
    parameter.required && !parameter.value.nullable
}

/// The type of a parameter in the request struct.
fn type_(api: &Api, parameter: &Parameter) -> TokenStream {
    let present = ty::present(api, &parameter.value);
    if is_required(parameter) { present } else { quote!(Option<#present>) }
}

/// The field of the request struct.
pub(super) fn field(api: &Api, holder: Holder, parameter: &Parameter) -> TokenStream {
    let default = parameter.default.as_ref().map(|default| default_doc(api, &parameter.value.ty, default));
    let doc = doc::doc(&doc::paragraphs([parameter.doc.as_deref(), default.as_deref()]));
    let deprecated = deprecated(parameter.deprecated);
    let name = ty::ident(&parameter.name.rust);
    let ty = match holder {
        Holder::Receiver if parameter.filled => ty::present(api, &parameter.value),
        Holder::Receiver | Holder::Sender => type_(api, parameter),
    };
    quote!(#doc #deprecated pub #name: #ty,)
}

/// Where a constructor of the request gets it from.
pub(super) fn source(api: &Api, parameter: &Parameter) -> Source {
    let value = &parameter.value;
    if !parameter.required {
        Source::Absent(quote!(None))
    } else if value.ty == Type::String && !value.boxed && !value.nullable {
        Source::Text
    } else {
        Source::Argument(type_(api, parameter))
    }
}

/// The expression that reads it on the server.
pub(super) fn read(api: &Api, reader: &Ident, parameter: &Parameter) -> TokenStream {
    let name = &parameter.name.wire;
    let method = method(parameter.location);
    let name = (parameter.location != ParameterLocation::QueryString).then_some(name);
    let style = match &parameter.encoding {
        ParameterEncoding::Json => None,
        ParameterEncoding::JsonItems => Some(quote!(.items())),
        ParameterEncoding::Style { style, explode, .. } => reading_style(parameter.location, *style, *explode),
    };
    let finish = match (&parameter.encoding, is_required(parameter)) {
        (ParameterEncoding::Json | ParameterEncoding::JsonItems, true) => "required_json",
        (ParameterEncoding::Json | ParameterEncoding::JsonItems, false) => "optional_json",
        (ParameterEncoding::Style { .. }, true) => "required",
        (ParameterEncoding::Style { .. }, false) => "optional",
    };
    let finish = Function::new(finish, rules::of_value(api, &parameter.value)).call();
    let excluded = &parameter.excluded_names;
    let others = (!excluded.is_empty()).then(|| quote!(.others(&[#(#excluded),*])));
    let otherwise =
        parameter.default.as_ref().filter(|_| parameter.filled).map(|default| otherwise(api, parameter, default));
    quote!(#reader.#method(#name) #style #others.#finish #otherwise)
}

/// Whether creating the value allocates.
fn allocates(default: &Default) -> bool {
    match default {
        Default::String(_) | Default::Array(_) => true,
        Default::OfVariant(_, inner) => allocates(inner),
        Default::Boolean(_) | Default::Number(_) | Default::Variant(_) => false,
    }
}

/// The value for an absent parameter.
fn otherwise(api: &Api, parameter: &Parameter, default: &Default) -> TokenStream {
    let literal = model::default_literal(api, &parameter.value.ty, default);
    match default {
        Default::Array(items) if items.is_empty() => quote!(.unwrap_or_default()),
        Default::String(text) if text.is_empty() => quote!(.unwrap_or_default()),
        default if allocates(default) => quote!(.unwrap_or_else(|| #literal)),
        _ => quote!(.unwrap_or(#literal)),
    }
}

/// The call that adds it to a request of the client.
pub(super) fn send(parameter: &Parameter) -> TokenStream {
    let wire = &parameter.name.wire;
    let field = ty::ident(&parameter.name.rust);
    let style = sending_style(parameter);
    let value = match (&parameter.encoding, is_required(parameter)) {
        (ParameterEncoding::Style { .. }, _) => quote!(&self.#field),
        (ParameterEncoding::Json, true) => quote!(&client::JsonText(&self.#field)),
        (ParameterEncoding::Json, false) => quote!(&self.#field.as_ref().map(client::JsonText)),
        (ParameterEncoding::JsonItems, true) => quote!(&client::JsonItems(&self.#field)),
        (ParameterEncoding::JsonItems, false) => quote!(&self.#field.as_ref().map(client::JsonItems)),
    };
    let method = method(parameter.location);
    match style {
        // It has no style, since it is the whole query.
        _ if parameter.location == ParameterLocation::QueryString => quote!(.#method(#value)),
        None => quote!(.#method(#wire, #value)),
        Some(style) => {
            let styled = format_ident!("styled_{method}");
            quote!(.#styled(#wire, #style, #value))
        }
    }
}

/// The method of the runtime's readers and requests for this location.
fn method(location: ParameterLocation) -> Ident {
    ty::ident(match location {
        ParameterLocation::Path => "path",
        ParameterLocation::Query => "query",
        ParameterLocation::Header => "header",
        ParameterLocation::Cookie => "cookie",
        ParameterLocation::QueryString => "query_string",
    })
}

/// The style that it is read in; omitted if it is the default of the location.
fn reading_style(location: ParameterLocation, style: ParameterStyle, explode: bool) -> Option<TokenStream> {
    let of_location = usual(location);
    let (constant, of_style) = constant(style);
    match (style == of_location, explode == of_style) {
        (true, true) => None,
        (false, true) => Some(quote!(.style(#constant))),
        (_, false) => Some(quote!(.style(#constant.explode(#explode)))),
    }
}

/// `Style::FORM.explode(false)`; none where the parameter is written as is usual in its place.
pub(super) fn sending_style(parameter: &Parameter) -> Option<TokenStream> {
    let ParameterEncoding::Style { style, explode, allow_reserved, shape } = parameter.encoding else { return None };
    let usual = usual(parameter.location);
    let (_, exploded) = constant(style);
    // One text is the same whether lists are exploded or not, except where a name goes before it.
    let is_same = explode == exploded || (shape == ParameterShape::Primitive && style == usual);
    if style == usual && is_same && !allow_reserved {
        return None;
    }
    Some(self::style(style, if is_same { exploded } else { explode }, allow_reserved))
}

/// The default style of a location.
fn usual(location: ParameterLocation) -> ParameterStyle {
    match location {
        ParameterLocation::Path | ParameterLocation::Header | ParameterLocation::QueryString => ParameterStyle::Simple,
        ParameterLocation::Query | ParameterLocation::Cookie => ParameterStyle::Form,
    }
}

/// `Style::FORM`, and whether this constant explodes.
fn constant(style: ParameterStyle) -> (TokenStream, bool) {
    match style {
        ParameterStyle::Matrix => (quote!(Style::MATRIX), false),
        ParameterStyle::Label => (quote!(Style::LABEL), false),
        ParameterStyle::Simple => (quote!(Style::SIMPLE), false),
        ParameterStyle::Form => (quote!(Style::FORM), true),
        ParameterStyle::SpaceDelimited => (quote!(Style::SPACE_DELIMITED), false),
        ParameterStyle::PipeDelimited => (quote!(Style::PIPE_DELIMITED), false),
        ParameterStyle::TabDelimited => (quote!(Style::TAB_DELIMITED), false),
        ParameterStyle::DeepObject => (quote!(Style::DEEP_OBJECT), true),
        ParameterStyle::Cookie => (quote!(Style::COOKIE), true),
    }
}

/// `Style::FORM.explode(false)`
pub(crate) fn style(style: ParameterStyle, explode: bool, allow_reserved: bool) -> TokenStream {
    let (constant, exploded) = constant(style);
    let explode = (explode != exploded).then(|| quote!(.explode(#explode)));
    let allow_reserved = allow_reserved.then(|| quote!(.allow_reserved()));
    quote!(#constant #explode #allow_reserved)
}
