//! `#[json(…)]`: a model's arguments for the runtime's derive.

use proc_macro2::TokenStream;
use quote::quote;

use super::Context;
use crate::emit::ty;
use crate::ir::{Model, ModelKind};

/// The attribute, unless it is empty.
pub(super) fn json(arguments: &[TokenStream]) -> Option<TokenStream> {
    (!arguments.is_empty()).then(|| quote!(#[json(#(#arguments),*)]))
}

/// The arguments of every kind of model.
pub(super) fn of_model(context: &Context<'_>) -> Vec<TokenStream> {
    let Context { side, model, .. } = *context;
    let mut arguments = Vec::new();
    match (side.reads(model), side.writes(model)) {
        (true, true) => {}
        (true, false) => arguments.push(quote!(read)),
        (false, true) => arguments.push(quote!(write)),
        (false, false) => arguments.push(quote!(serde_only)),
    }
    arguments.extend((!side.refuses_texts(model)).then(|| quote!(tolerant)));
    // Traits that the user derives are not generated.
    let derived = side.of(&model.derives);
    let is_derived = |name: &str| derived.iter().any(|path| super::trait_of(path) == name);
    let without: Vec<_> =
        ["Serialize", "Deserialize"].into_iter().filter(|name| is_derived(name)).map(ty::ident).collect();
    arguments.extend((!without.is_empty()).then(|| quote!(without(#(#without),*))));
    arguments.extend((model.in_parameter && is_parameter(model)).then(|| quote!(parameter)));
    arguments
}

/// Enums are always parameters: they have a text.
fn is_parameter(model: &Model) -> bool {
    match model.kind {
        ModelKind::Struct(_) | ModelKind::Union(_) => true,
        ModelKind::Enum(_) | ModelKind::Alias(_) => false,
    }
}

/// Whether a side checks the rules of a model. A client that reads it only through serde does not.
pub(super) fn is_checked(context: &Context<'_>) -> bool {
    let Context { side, model, .. } = *context;
    if side.reads(model) { side.checks(model) } else { side.refuses_texts(model) }
}
