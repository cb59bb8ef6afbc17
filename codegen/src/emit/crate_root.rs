//! `lib.rs`: what the crate is, and its modules.

use super::section::Section;
use super::side::Side;
use super::{SourceFile, client, doc, feature, foreign, runtime, server, ty, xml};
use crate::ir::Api;
use proc_macro2::TokenStream;
use quote::quote;

/// `lib.rs`, with an example at the end of its documentation.
pub(crate) fn file(api: &Api, side: Side, example: Option<String>) -> SourceFile<'_> {
    SourceFile::new("src/lib.rs", move || crate_root(api, side, example.as_deref()))
}

fn crate_root(api: &Api, side: Side, example: Option<&str>) -> TokenStream {
    let doc = doc::inner(&doc::paragraphs([Some(title(api).as_str()), api.description.as_deref()]));
    let example = example.map(|example| doc::own_inner(&format!("\n{example}")));
    let allow_deprecated = mentions_deprecated(api)
        .then(|| quote!(#![allow(deprecated, reason = "what the description deprecates is still part of it")]));
    let recursion_limit = recursion_limit(api).map(|limit| {
        let limit = limit.to_string();
        quote!(#![recursion_limit = #limit])
    });
    let whole = feature::of_all(&api.tags);
    let (optional, always): (Vec<_>, Vec<_>) = api.tags.iter().partition(|tag| tag.feature.is_some());
    let tags = always.into_iter().map(|tag| tag.module.as_str());
    let models = (!api.models.is_empty()).then_some("models");
    let public_models = models.filter(|_| side != Side::Models);
    let own = match side {
        Side::Server => server::own_modules(Section::paths(api)),
        Side::Client => client::own_modules(Section::paths(api)),
        Side::Models => &[],
    };
    let router = (side == Side::Server).then_some("router");
    let always_router = router.filter(|_| whole.is_none());
    let foreign = foreign::has_forms(api).then_some("foreign");
    let mut modules: Vec<_> =
        tags.chain(public_models).chain(own.iter().copied()).chain(always_router).chain(foreign).collect();
    modules.sort_unstable();
    let modules = modules.into_iter().map(ty::ident);
    let private = match side {
        Side::Server => Vec::new(),
        Side::Client => client::private_modules(api),
        Side::Models => models.into_iter().collect(),
    };
    let private = private.into_iter().chain(xml::is_needed(api).then_some(xml::MODULE)).map(ty::ident);
    let router = router.filter(|_| whole.is_some()).map(|_| quote!(#whole pub mod router;));
    let optional = optional.into_iter().map(|tag| {
        let feature = feature::of_tag(tag);
        let module = ty::ident(&tag.module);
        quote!(#feature pub mod #module;)
    });
    let reexport = match side {
        Side::Server => quote! {
            #whole
            pub use router::{OPERATIONS, router};

            /// The description that this crate is generated from, as JSON.
            pub const OPENAPI: &str = include_str!("openapi.json");
        },
        Side::Client => client::reexport(Section::paths(api)),
        Side::Models => {
            let models = models.map(|_| {
                quote!(
                    pub use models::*;
                )
            });
            quote! {
                #models
                pub use runtime::json;
            }
        }
    };
    let runtime = runtime::import();
    let webhooks = Section::webhooks(api).map(|_| {
        quote! {
            #[cfg(feature = "webhooks")]
            pub mod webhooks;
        }
    });

    quote! {
        #doc
        #example

        #recursion_limit
        #![allow(clippy::too_many_lines, reason = "one line per parameter")]
        #allow_deprecated

        #(mod #private;)*
        #(pub mod #modules;)*
        #router
        #(#optional)*
        #webhooks

        #runtime
        #reexport
    }
}

/// The recursion limit for the compiler, if 128 may not suffice: each model takes several steps.
pub(crate) fn recursion_limit(api: &Api) -> Option<usize> {
    (api.nesting > 24).then(|| (8 * api.nesting).next_power_of_two())
}

fn title(api: &Api) -> String {
    format!("{}, version {}.", api.title.trim().trim_end_matches('.'), api.version.trim())
}

/// Whether deprecated items exist, whose generated uses would cause warnings.
fn mentions_deprecated(api: &Api) -> bool {
    let fields = |model: &crate::ir::Model| match &model.kind {
        crate::ir::ModelKind::Struct(struct_) => struct_.fields.iter().any(|field| field.deprecated),
        crate::ir::ModelKind::Enum(_) | crate::ir::ModelKind::Union(_) | crate::ir::ModelKind::Alias(_) => false,
    };
    api.models.iter().any(|model| model.deprecated || fields(model))
        || api
            .operations_and_webhooks()
            .any(|operation| operation.deprecated || operation.parameters.iter().any(|parameter| parameter.deprecated))
}
