//! `new` for structs with required members.

use super::super::Context;
use crate::emit::constructor::{self, Slot, Source};
use crate::emit::side::Side;
use crate::emit::ty;
use crate::ir::{Api, Field, Presence, Struct, Type};
use proc_macro2::TokenStream;
use quote::quote;

/// A constructor that takes the required members: `Account { website, ..Account::new(name) }`.
pub(super) fn new(context: &Context<'_>, struct_: &Struct) -> Option<TokenStream> {
    let Context { api, side, model, .. } = *context;
    let has_new = match side {
        // Its structs with required members have no `Default`.
        Side::Server | Side::Models => struct_.has_new(),
        Side::Client => struct_.has_client_new(api),
    };
    if !has_new {
        return None;
    }
    let name = ty::ident(&model.name.rust);
    let fields = struct_.fields().map(|field| Slot { rust: &field.name.rust, source: source(api, field) });
    let additional = struct_
        .additional
        .iter()
        .map(|additional| Slot { rust: &additional.rust, source: Source::Absent(quote!(BTreeMap::new())) });
    let new = constructor::new("members", &fields.chain(additional).collect::<Vec<_>>());

    Some(quote! {
        impl #name {
            #new
        }
    })
}

fn source(api: &Api, field: &Field) -> Source {
    match field.presence {
        Presence::Required if field.value.ty == Type::String && !field.value.boxed => Source::Text,
        Presence::Required | Presence::Nullable => Source::Argument(ty::field(api, &field.value, field.presence)),
        Presence::Optional => Source::Absent(quote!(None)),
        Presence::OptionalNullable => Source::Absent(quote!(Maybe::Absent)),
    }
}
