//! An implementation of a tag's trait to start from.

use super::{operation, tag};
use crate::emit::operation::response;
use crate::emit::section::Section;
use crate::emit::ty;
use crate::ir::{Api, Operation, Tag};
use crate::tokens::{Tokens, quote};

/// An implementation of the smallest trait there is.
pub(crate) fn implementation(api: &Api) -> Option<Tokens> {
    let smallest = api.tags.iter().min_by_key(|tag| tag.operations.len())?;
    Some(scaffold(Section::paths(api), smallest))
}

/// The file, as a module of the crate with the trait would have it.
pub(crate) fn scaffold(section: Section<'_>, tag: &Tag) -> Tokens {
    let api = section.api;
    let root = section.module();
    let module = ty::module(&tag.module);
    let name = ty::ident(&tag.name.rust);
    let mut names = vec![tag.name.rust.clone()];
    for operation in &tag.operations {
        names.push(operation.name.rust.clone());
        names.extend(response::success_name(operation).map(str::to_owned));
    }
    names.sort();
    let names = names.iter().map(|name| ty::ident(name));
    let methods = tag.operations.iter().map(|operation| method(api, operation));
    let caller = tag::is_secured(tag).then(|| {
        quote! {
            /// Who calls.
            pub struct Caller;
        }
    });
    let principal = tag::is_secured(tag).then(|| {
        quote!(
            type Principal = Caller;
        )
    });
    let file = quote! {
        use #root::#module::{#(#names),*};

        /// What the operations need.
        pub struct Service;

        #caller

        impl #name for Service {
            #principal
            #(#methods)*
        }
    };
    section.shorten(&file, "server", super::BARE)
}

fn method(api: &Api, operation: &Operation) -> Tokens {
    let name = ty::ident(&operation.method_rust);
    let call = operation::call(operation, &quote!(Caller));
    let request = ty::ident(&operation.name.rust);
    let success = response::success(api, operation);
    quote! {
        async fn #name(&self, call: #call, _: #request) -> Result<#success, server::Failure> {
            Err(server::Failure::not_implemented(call.operation().id))
        }
    }
}
