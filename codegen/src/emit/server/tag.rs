//! The file of a tag: its trait, and its operations as routes.

use super::operation;
use crate::emit::operation::response;
use crate::emit::{doc, section, ty};
use crate::ir::{Api, Operation, Tag};
use proc_macro2::TokenStream;
use quote::quote;

/// The file.
pub(super) fn tag(api: &Api, tag: &Tag) -> TokenStream {
    let about = match &tag.doc {
        Some(text) => doc::inner(text),
        None => doc::own_inner(&section::about(tag)),
    };
    let modules = tag.operations.iter().map(|operation| {
        let module = ty::ident(&operation.module);
        quote!(pub mod #module;)
    });
    let exports = tag.operations.iter().map(operation::exports);
    let trait_ = trait_(api, tag);
    let routes = routes(tag);

    quote! {
        #about

        #(#modules)*

        #(#exports)*

        #trait_
        #routes
    }
}

/// Whether some operation of the tag requires a caller.
pub(super) fn is_secured(tag: &Tag) -> bool {
    tag.operations.iter().any(operation::is_secured)
}

fn trait_(api: &Api, tag: &Tag) -> TokenStream {
    let name = ty::ident(&tag.name.rust);
    let text = doc::own(&section::about(tag));
    let principal = is_secured(tag).then(|| {
        quote! {
            /// Who calls, as the authenticator finds.
            type Principal: Send + Sync + 'static;
        }
    });
    let methods = tag.operations.iter().map(|operation| method(api, operation));
    quote! {
        #text
        pub trait #name: Send + Sync + 'static {
            #principal
            #(#methods)*
        }
    }
}

fn method(api: &Api, operation: &Operation) -> TokenStream {
    let text = doc::doc(&operation::text(operation));
    let failures = response::described_failure(api, operation);
    let failures = failures.map(|text| doc::own(&format!("\n{text} See [`Failure`].")));
    let name = ty::ident(&operation.method_rust);
    let call = operation::call(operation, &quote!(Self::Principal));
    let request = ty::ident(&operation.name.rust);
    let success = response::success(api, operation);
    quote! {
        #text
        #failures
        fn #name(
            &self,
            call: #call,
            request: #request,
        ) -> impl Future<Output = Result<#success, server::Failure<#request>>> + Send;
    }
}

fn routes(tag: &Tag) -> TokenStream {
    let name = ty::ident(&tag.name.rust);
    let operations: Vec<_> = tag.operations.iter().map(add_operation).collect();
    if is_secured(tag) {
        let add = add(&operations, &quote!(#name), &quote!(security::Authenticator<Principal = S::Principal>));
        quote! {
            /// The operations of this tag as a router, to be merged with others.
            pub fn router<S, A>(service: S, authenticator: A, options: &server::Options) -> axum::Router
            where
                S: #name,
                A: security::Authenticator<Principal = S::Principal>,
            {
                let mut routes = server::Routes::new(service, authenticator);
                add_routes(&mut routes);
                routes.into_part(options)
            }

            #add
        }
    } else {
        let add = add(&operations, &quote!(#name), &quote!(Send + Sync + 'static));
        quote! {
            /// The operations of this tag as a router, to be merged with others.
            pub fn router<S: #name>(service: S, options: &server::Options) -> axum::Router {
                let mut routes = server::Routes::new(service, ());
                add_routes(&mut routes);
                routes.into_part(options)
            }

            #add
        }
    }
}

/// The line that adds an operation.
fn add_operation(operation: &Operation) -> TokenStream {
    let identify = operation::identify(operation);
    let method = ty::ident(&operation.method_rust);
    quote!(routes.serve(#identify, S::#method);)
}

fn add(operations: &[TokenStream], service: &TokenStream, authenticator: &TokenStream) -> TokenStream {
    quote! {
        /// Adds the operations of this tag to a router that is being built.
        pub fn add_routes<S, A>(routes: &mut server::Routes<S, A>)
        where
            S: #service,
            A: #authenticator,
        {
            #(#operations)*
        }
    }
}
