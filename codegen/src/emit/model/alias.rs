//! Another name of a type.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::ty;
use crate::ir::{Alias, Api, Model};

/// `pub type Ids = Vec<i64>;`
pub(super) fn items(api: &Api, model: &Model, alias: &Alias) -> TokenStream {
    let attributes = super::attributes(model);
    let name = ty::ident(&model.name.rust);
    let value = ty::value(api, &alias.value);

    quote! {
        #attributes
        pub type #name = #value;
    }
}
