//! What a type derives.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::Model;

/// `#[derive(…)]` of a struct or union.
pub(super) fn derive(model: &Model) -> TokenStream {
    match (model.eq, model.default) {
        (true, true) => quote!(#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]),
        (true, false) => quote!(#[derive(Clone, Debug, PartialEq, Eq, Hash)]),
        (false, true) => quote!(#[derive(Clone, Debug, Default, PartialEq)]),
        (false, false) => quote!(#[derive(Clone, Debug, PartialEq)]),
    }
}
