//! Another name of a type.

use super::Context;
use crate::emit::ty;
use crate::ir::Alias;
use printing::{Tokens, quote};

/// `pub type Ids = Vec<i64>;`
pub(super) fn items(context: &Context<'_>, alias: &Alias) -> Tokens {
    let Context { api, model, .. } = *context;
    let attributes = super::attributes(model);
    let name = ty::ident(&model.name.rust);
    let value = ty::value(api, &alias.value);

    quote! {
        #attributes
        pub type #name = #value;
    }
}
