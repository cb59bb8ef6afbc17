//! A starting implementation of a tag's trait.

use super::{operation, tag};
use crate::emit::operation::response;
use crate::emit::section::Section;
use crate::emit::ty;
use crate::ir::{Api, Operation, Tag};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// A program that serves the smallest tag.
pub(crate) fn program(api: &Api) -> Option<(&Tag, TokenStream)> {
    let smallest = api.tags.iter().min_by_key(|tag| tag.operations.len())?;
    let section = Section::paths(api);
    let implementation = implementation(section, smallest);
    let (authenticator, argument) = if tag::is_secured(smallest) {
        let name = own(smallest, "Callers");
        (Some(authenticator(&name, &own(smallest, "Caller"))), quote!(, #name))
    } else {
        (None, TokenStream::new())
    };
    let module = ty::ident(&smallest.module);
    let service = own(smallest, "Service");
    let file = quote! {
        #implementation
        #authenticator

        #[tokio::main]
        async fn main() -> std::io::Result<()> {
            let app = crate::#module::router(#service #argument, &server::Options::default());
            let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
            axum::serve(listener, app).await
        }
    };
    Some((smallest, file))
}

/// The file, as a module of the crate with the trait.
pub(crate) fn scaffold(section: Section<'_>, tag: &Tag) -> TokenStream {
    implementation(section, tag)
}

fn implementation(section: Section<'_>, tag: &Tag) -> TokenStream {
    let api = section.api;
    let root = section.module();
    let module = ty::ident(&tag.module);
    let name = ty::ident(&tag.name.rust);
    let names = names(tag);
    let names = names.iter().map(|name| ty::ident(name));
    let (service, caller) = (own(tag, "Service"), own(tag, "Caller"));
    let methods = tag.operations.iter().map(|operation| method(api, operation, &caller));
    let is_secured = tag::is_secured(tag);
    let who = is_secured.then(|| {
        quote! {
            /// Who calls.
            pub struct #caller;
        }
    });
    let principal = is_secured.then(|| {
        quote!(
            type Principal = #caller;
        )
    });
    quote! {
        use #root::#module::{#(#names),*};

        /// What the operations need.
        pub struct #service;

        #who

        impl #name for #service {
            #principal
            #(#methods)*
        }
    }
}

/// The names imported from the tag.
fn names(tag: &Tag) -> Vec<String> {
    let mut names = vec![tag.name.rust.clone()];
    for operation in &tag.operations {
        names.push(operation.name.rust.clone());
        names.extend(response::success_name(operation).map(str::to_owned));
    }
    names.sort();
    names
}

/// The name of a type in the file, distinct from those of the tag.
fn own(tag: &Tag, name: &str) -> Ident {
    let is_taken = names(tag).iter().any(|taken| taken == name);
    ty::ident(&if is_taken { format!("My{name}") } else { name.to_owned() })
}

fn authenticator(name: &Ident, caller: &Ident) -> TokenStream {
    quote! {
        /// Knows who calls.
        pub struct #name;

        impl security::Authenticator for #name {
            type Principal = #caller;

            async fn authenticate(
                &self,
                _: security::Credentials,
                _: &'static [&'static str],
                _: server::Call<()>,
            ) -> Result<#caller, server::Failure> {
                #[comment = " The caller, if the credentials are known."]
                Err(server::Failure::unauthorized("unknown credentials").into())
            }
        }
    }
}

fn method(api: &Api, operation: &Operation, caller: &Ident) -> TokenStream {
    let signature = signature(api, operation, &quote!(#caller), &quote!(_));
    quote! {
        #signature {
            Err(server::Failure::not_implemented(call.operation().id).into())
        }
    }
}

/// How a handler is written, without its body; `caller` is the type of the caller.
pub(crate) fn signature(api: &Api, operation: &Operation, caller: &TokenStream, argument: &TokenStream) -> TokenStream {
    let name = ty::ident(&operation.method_rust);
    let call = operation::call(operation, caller);
    let request = ty::ident(&operation.name.rust);
    let success = response::success(api, operation);
    quote! {
        async fn #name(&self, call: #call, #argument: #request) -> Result<#success, server::Failure<#request>>
    }
}
