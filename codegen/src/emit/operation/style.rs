//! Parameter styles: the runtime's constants, and defaults.

use crate::ir::{ParameterLocation, ParameterStyle};
use proc_macro2::TokenStream;
use quote::quote;

/// The default style of a location.
pub(crate) fn usual(location: ParameterLocation) -> ParameterStyle {
    match location {
        ParameterLocation::Path | ParameterLocation::Header | ParameterLocation::QueryString => ParameterStyle::Simple,
        ParameterLocation::Query | ParameterLocation::Cookie => ParameterStyle::Form,
    }
}

/// `Style::FORM`, and whether this constant explodes.
pub(crate) fn constant(style: ParameterStyle) -> (TokenStream, bool) {
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

/// The style of a form member's lists: numbered or joined.
pub(crate) fn of_list(style: ParameterStyle) -> TokenStream {
    let (constant, exploded) = constant(style);
    if exploded && style != ParameterStyle::DeepObject { quote!(#constant.explode(false)) } else { constant }
}
