//! How a parameter is written: the constant of the runtime, and what goes without saying.

use crate::ir::{ParameterLocation, ParameterStyle};
use proc_macro2::TokenStream;
use quote::quote;

/// The style that a location has when none is given.
pub(crate) fn usual(location: ParameterLocation) -> ParameterStyle {
    match location {
        ParameterLocation::Path | ParameterLocation::Header | ParameterLocation::QueryString => ParameterStyle::Simple,
        ParameterLocation::Query | ParameterLocation::Cookie => ParameterStyle::Form,
    }
}

/// `Style::FORM`, and whether the constant explodes.
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

/// How the lists of a member of a form are written: numbered or in one text.
pub(crate) fn of_list(style: ParameterStyle) -> TokenStream {
    let (constant, exploded) = constant(style);
    if exploded && style != ParameterStyle::DeepObject { quote!(#constant.explode(false)) } else { constant }
}
