//! Another name of a type.

use super::Context;
use crate::emit::ty;
use crate::ir::Alias;
use proc_macro2::TokenStream;
use quote::quote;

/// `pub type Ids = Vec<i64>;`
pub(super) fn items(context: &Context<'_>, alias: &Alias) -> TokenStream {
    let Context { api, model, .. } = *context;
    let attributes = super::attributes(model);
    let name = ty::ident(&model.name.rust);
    let value = ty::value(api, &alias.value);

    quote! {
        #attributes
        pub type #name = #value;
    }
}
