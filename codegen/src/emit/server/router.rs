//! `router.rs` of the server: all tags as one axum router, and the list of all operations.

use crate::emit::section::Section;
use crate::emit::{doc, ty};
use proc_macro2::TokenStream;
use quote::quote;

/// The file.
pub(super) fn router(section: Section<'_>) -> TokenStream {
    let root = section.module();
    let about = doc::own_inner("Every operation as one axum router.");
    let secured = super::is_secured(section);
    let modules: Vec<_> = section.tags.iter().map(|tag| ty::ident(&tag.module)).collect();
    let bounds = section.tags.iter().map(|tag| {
        let module = ty::ident(&tag.module);
        let name = ty::ident(&tag.name.rust);
        if super::tag::is_secured(tag) {
            quote!(#root::#module::#name<Principal = A::Principal>)
        } else {
            quote!(#root::#module::#name)
        }
    });
    let bounds: Vec<_> = bounds.collect();
    let operations = section.tags.iter().flat_map(|tag| {
        let module = ty::ident(&tag.module);
        let root = &root;
        tag.operations.iter().map(move |operation| {
            let operation = ty::ident(&operation.module);
            quote!(&#root::#module::#operation::OPERATION)
        })
    });
    let operations = quote! {
        /// What the description says of every operation.
        pub static OPERATIONS: &[&server::Operation] = &[#(#operations),*];
    };

    if section.tags.is_empty() {
        return quote! {
            #about

            /// What the description says of every operation.
            pub static OPERATIONS: &[&server::Operation] = &[];

            /// Answers everything with a failure: there is no operation.
            pub fn router<S: Send + Sync + 'static>(service: S, options: &server::Options) -> axum::Router {
                server::Routes::new(service, ()).into_router(options)
            }
        };
    }
    if secured {
        quote! {
            #about

            #operations

            /// Answers every operation with `service`, and everything else with a failure.
            pub fn router<S, A>(service: S, authenticator: A, options: &server::Options) -> axum::Router
            where
                S: #(#bounds)+*,
                A: security::Authenticator,
            {
                let mut routes = server::Routes::new(service, authenticator);
                #(#root::#modules::add_routes(&mut routes);)*
                routes.into_router(options)
            }
        }
    } else {
        quote! {
            #about

            #operations

            /// Answers every operation with `service`, and everything else with a failure.
            pub fn router<S>(service: S, options: &server::Options) -> axum::Router
            where
                S: #(#bounds)+*,
            {
                let mut routes = server::Routes::new(service, ());
                #(#root::#modules::add_routes(&mut routes);)*
                routes.into_router(options)
            }
        }
    }
}
