//! `router.rs` of the server: all tags as one axum router.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::{doc, ty};
use crate::ir::Api;

/// The file.
pub(super) fn router(api: &Api) -> TokenStream {
    let about = doc::own_inner("Every operation as one axum router.");
    let secured = !api.credentials.is_empty();
    let modules: Vec<_> = api.tags.iter().map(|tag| ty::module(&tag.module)).collect();
    let bounds = api.tags.iter().map(|tag| {
        let module = ty::module(&tag.module);
        let name = ty::ident(&tag.name.rust);
        if super::tag::is_secured(tag) {
            quote!(crate::#module::#name<Principal = A::Principal>)
        } else {
            quote!(crate::#module::#name)
        }
    });
    let bounds: Vec<_> = bounds.collect();

    if api.tags.is_empty() {
        return quote! {
            #about

            /// Answers everything with a failure: there is no operation.
            pub fn router<S: Send + Sync + 'static>(service: S, options: &server::Options) -> axum::Router {
                server::Routes::new(service, ()).into_router(options)
            }
        };
    }
    if secured {
        quote! {
            #about

            /// Answers every operation with `service`, and everything else with a failure.
            pub fn router<S, A>(service: S, authenticator: A, options: &server::Options) -> axum::Router
            where
                S: #(#bounds)+*,
                A: security::Authenticator,
            {
                let mut routes = server::Routes::new(service, authenticator);
                #(crate::#modules::add_routes(&mut routes);)*
                routes.into_router(options)
            }
        }
    } else {
        quote! {
            #about

            /// Answers every operation with `service`, and everything else with a failure.
            pub fn router<S>(service: S, options: &server::Options) -> axum::Router
            where
                S: #(#bounds)+*,
            {
                let mut routes = server::Routes::new(service, ());
                #(crate::#modules::add_routes(&mut routes);)*
                routes.into_router(options)
            }
        }
    }
}
