//! `new`, for a struct that has members which may be left out beside ones which may not.

use crate::emit::ty;
use crate::ir::{Api, Field, Model, Presence, Struct, Type};
use crate::tokens::{Tokens, quote};

/// A constructor that takes the required members: `Account { website, ..Account::new(name) }`.
pub(super) fn new(api: &Api, model: &Model, struct_: &Struct) -> Option<Tokens> {
    if !struct_.has_new() {
        return None;
    }
    let name = ty::ident(&model.name.rust);
    let arguments = struct_.fields().filter(|field| field.is_required()).map(|field| argument(api, field));
    let values = struct_.fields().map(value);
    let additional = struct_.additional.as_ref().map(|additional| {
        let rust = ty::ident(&additional.rust);
        quote!(#rust: BTreeMap::new(),)
    });

    Some(quote! {
        impl #name {
            /// With its required members; the others are left out.
            pub fn new(#(#arguments),*) -> Self {
                Self {
                    #(#values,)*
                    #additional
                }
            }
        }
    })
}

fn is_text(field: &Field) -> bool {
    field.presence == Presence::Required && field.value.ty == Type::String && !field.value.boxed
}

fn argument(api: &Api, field: &Field) -> Tokens {
    let rust = ty::ident(&field.name.rust);
    if is_text(field) {
        return quote!(#rust: impl Into<String>);
    }
    let ty = ty::field(api, &field.value, field.presence);
    quote!(#rust: #ty)
}

fn value(field: &Field) -> Tokens {
    let rust = ty::ident(&field.name.rust);
    match field.presence {
        Presence::Required if is_text(field) => quote!(#rust: #rust.into()),
        Presence::Required | Presence::Nullable => quote!(#rust),
        Presence::Optional => quote!(#rust: None),
        Presence::OptionalNullable => quote!(#rust: Maybe::Absent),
    }
}
