//! Re-exports an operation's types from the file of its tag.

use super::response;
use crate::emit::ty;
use crate::ir::{Failure, Operation};
use proc_macro2::TokenStream;
use quote::quote;

/// The `use` line; `multipart` are the types of multipart bodies.
pub(crate) fn exports(operation: &Operation, multipart: Vec<String>) -> TokenStream {
    let module = ty::ident(&operation.module);
    let mut names = multipart;
    names.push(operation.name.rust.clone());
    names.extend(operation.request_body.iter().filter(|body| body.contents.len() > 1).map(|body| body.rust.clone()));
    names.extend(response::success_name(operation).map(str::to_owned));
    if let Failure::Enum { rust, .. } = &operation.responses.failure {
        names.push(rust.clone());
    }
    names.extend(response::several(&operation.responses).map(|response| response.body_rust.clone()));
    names.sort();
    names.dedup();

    let names: Vec<_> = names.iter().map(|name| ty::ident(name)).collect();
    match names.as_slice() {
        [name] => quote!(pub use #module::#name;),
        names => quote!(pub use #module::{#(#names),*};),
    }
}
