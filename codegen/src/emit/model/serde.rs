//! What comes with the cargo feature `serde`: the way that a model does not travel, and the traits of serde over both.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Context, struct_, union};
use crate::emit::profile::Side;
use crate::emit::{doc, ty};
use crate::ir::{Model, ModelKind};

/// The items; an alias has what its type has.
pub(super) fn items(context: &Context<'_>) -> Option<TokenStream> {
    if matches!(context.model.kind, ModelKind::Alias(_)) {
        return None;
    }
    let name = ty::ident(&context.model.name.rust);
    let read = match context.side {
        Side::Server => quote!(from_slice_strict),
        Side::Client => quote!(from_slice),
    };
    let rest = is_needed(context);
    let rest = rest.then(|| {
        quote!(
            #[cfg(feature = "serde")]
            mod serde;
        )
    });
    // What the user has derived is there already.
    let derived = super::derived(context.side, context.model);
    let derived = |name: &str| derived.iter().any(|path| super::trait_of(path) == name);
    let traits = match (derived("Serialize"), derived("Deserialize")) {
        (false, false) => Some(quote!(#name, #read)),
        (false, true) => Some(quote!(Serialize for #name)),
        (true, false) => Some(quote!(Deserialize for #name, #read)),
        (true, true) => None,
    };
    let bridge = traits.map(|traits| {
        quote!(
            #[cfg(feature = "serde")]
            crate::runtime::serde::bridge!(#traits);
        )
    });
    Some(quote! {
        #rest

        #bridge
    })
}

/// Whether the model has a file of what comes with the feature.
pub(super) fn is_needed(context: &Context<'_>) -> bool {
    let Context { side, model, .. } = *context;
    match model.kind {
        ModelKind::Struct(_) | ModelKind::Union(_) => !side.reads(model) || !side.writes(model),
        // An enum is read and written everywhere, and an alias is what its type is.
        ModelKind::Enum(_) | ModelKind::Alias(_) => false,
    }
}

/// The file of how this side would read what it only writes, or write what it only reads: every member of it.
pub(super) fn file(context: &Context<'_>) -> TokenStream {
    let model = Model {
        in_request: !context.model.in_request,
        in_response: !context.model.in_response,
        in_parameter: false,
        kind: whole(&context.model.kind),
        ..context.model.clone()
    };
    let context = Context { model: &model, ..*context };
    let codec = match &model.kind {
        ModelKind::Struct(struct_) => struct_::codec(&context, struct_),
        ModelKind::Union(union) => union::codec(&context, union),
        ModelKind::Enum(_) | ModelKind::Alias(_) => TokenStream::new(),
    };
    let about = doc::own_inner("What this side does with the type for the feature `serde` only.");
    let name = ty::ident(&model.name.rust);
    quote! {
        #about

        use super::#name;

        #codec
    }
}

/// The same with no member that only one side may send.
fn whole(kind: &ModelKind) -> ModelKind {
    let mut kind = kind.clone();
    if let ModelKind::Struct(struct_) = &mut kind {
        for field in &mut struct_.fields {
            field.read_only = false;
            field.write_only = false;
        }
    }
    kind
}
