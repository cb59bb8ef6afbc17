//! The `#[json(…)]` arguments of members.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::model::{Context, attribute, rules};
use crate::emit::ty;
use crate::ir::{Absence, Additional, Constant, Field, Presence, TextForm};

/// The arguments of a field: its name if it differs, what its type does not express, and its rules.
pub(super) fn field(context: &Context<'_>, field: &Field) -> Vec<TokenStream> {
    let Context { api, side, model, .. } = *context;
    let wire = &field.name.wire;
    let mut arguments = Vec::new();
    arguments.extend((*wire != field.name.rust).then(|| quote!(#wire)));
    match field.presence {
        Presence::Required | Presence::OptionalNullable => {}
        Presence::Nullable => arguments.push(quote!(nullable)),
        // Any value includes `null`.
        Presence::Optional => arguments.extend(api.takes_null(&field.value.ty).then(|| quote!(any))),
    }
    arguments.extend((side.absence(field) == Absence::Tolerated).then(|| quote!(expected)));
    arguments.extend(ways(context, field));
    arguments.extend((model.in_parameter && field.form == TextForm::Json).then(|| quote!(as_json)));
    if attribute::is_checked(context) && !is_skipped(context, field) {
        arguments.extend(rules::arguments(api, &field.value));
    }
    arguments
}

/// `constant("kind", "card")`
pub(super) fn constant(context: &Context<'_>, field: &Field, constant: &Constant) -> TokenStream {
    let wire = &field.name.wire;
    let value = match constant {
        Constant::String(text) => quote!(#text),
        Constant::Integer(number) => ty::number(*number),
        Constant::Boolean(flag) => quote!(#flag),
    };
    let presence = match context.side.absence(field) {
        Absence::Violation => None,
        Absence::Tolerated => Some(quote!(expected)),
        Absence::Allowed => Some(quote!(optional)),
    };
    let words = presence.into_iter().chain(ways(context, field));
    quote!(constant(#wire, #value #(, #words)*))
}

/// The arguments of the field for additional members.
pub(super) fn others(context: &Context<'_>, additional: &Additional) -> Vec<TokenStream> {
    let Context { api, model, .. } = *context;
    let mut arguments = vec![quote!(others)];
    if model.in_parameter {
        match additional.form {
            TextForm::Json => arguments.push(quote!(as_json)),
            TextForm::Fields | TextForm::Several => arguments.push(quote!(nested)),
            TextForm::Text | TextForm::Texts => {}
        }
    }
    if attribute::is_checked(context) {
        arguments.extend(rules::arguments_of_additional(api, additional));
    }
    arguments
}

/// The directions of the model that the member lacks.
fn ways(context: &Context<'_>, field: &Field) -> impl Iterator<Item = TokenStream> {
    let Context { side, model, .. } = *context;
    let skip_write = side.writes(model) && !side.writes_field(field);
    let read = is_skipped(context, field).then(|| quote!(skip_read));
    read.into_iter().chain(skip_write.then(|| quote!(skip_write)))
}

fn is_skipped(context: &Context<'_>, field: &Field) -> bool {
    context.side.reads(context.model) && !context.side.reads_field(field)
}
