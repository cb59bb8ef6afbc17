//! What comes with the cargo feature `serde`: the way that a model does not travel, and the traits of serde over both.

use super::{Context, union};
use crate::emit::profile::Side;
use crate::emit::{feature, ty};
use crate::ir::{Model, ModelKind, Union};
use proc_macro2::TokenStream;
use quote::quote;

/// The items; an alias has what its type has.
pub(super) fn items(context: &Context<'_>) -> Option<TokenStream> {
    if matches!(context.model.kind, ModelKind::Alias(_)) {
        return None;
    }
    let name = ty::ident(&context.model.name.rust);
    let read = match context.side {
        Side::Server => quote!(from_slice_both_ways),
        Side::Client => quote!(from_slice),
    };
    // What the user has derived is there already.
    let derived = super::derived(context.side, context.model);
    let derived = |name: &str| derived.iter().any(|path| super::trait_of(path) == name);
    let traits = match (derived("Serialize"), derived("Deserialize")) {
        (false, false) => Some(quote!(#name, #read)),
        (false, true) => Some(quote!(Serialize for #name)),
        (true, false) => Some(quote!(Deserialize for #name, #read)),
        (true, true) => None,
    };
    let bridge = traits.map(|traits| quote!(json::serde_traits!(#traits);));
    let other_way = match &context.model.kind {
        ModelKind::Union(union) => other_way(context, union).map(|items| feature::each(feature::SERDE, items)),
        // Their tables have it.
        ModelKind::Struct(_) | ModelKind::Enum(_) | ModelKind::Alias(_) => None,
    };
    Some(quote!(#other_way #bridge))
}

/// How this side would read what it only writes, or write what it only reads.
fn other_way(context: &Context<'_>, union: &Union) -> Option<TokenStream> {
    let Context { side, model, .. } = *context;
    if side.reads(model) && side.writes(model) {
        return None;
    }
    let model = Model {
        in_request: !model.in_request,
        in_response: !model.in_response,
        in_parameter: false,
        // Only what a client reads of answers brings the rules along.
        discriminated_by_rules: false,
        ..model.clone()
    };
    Some(union::codec(&Context { model: &model, ..*context }, union))
}
