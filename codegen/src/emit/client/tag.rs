//! The file of a tag: its operations as methods.

use super::{entry, operation, snippet::snippet};
use crate::emit::model::deprecated;
use crate::emit::operation::response;
use crate::emit::{doc, section, ty};
use crate::ir::{Api, Operation, Tag};
use proc_macro2::TokenStream;
use quote::quote;

/// The file.
pub(super) fn tag(api: &Api, tag: &Tag) -> TokenStream {
    let own = section::about(tag);
    let about = match &tag.doc {
        Some(text) => doc::inner(text),
        None => doc::own_inner(&own),
    };
    let text = doc::own(&own);
    let name = ty::ident(&tag.name.rust);
    let modules = tag.operations.iter().map(|operation| ty::ident(&operation.module));
    let exports = tag.operations.iter().map(operation::exports);
    let entry = entry::entry(tag);
    let methods = tag.operations.iter().map(|operation| method(api, tag, operation));

    quote! {
        #about

        #(pub mod #modules;)*

        #(#exports)*

        #text
        #[derive(Clone, Debug)]
        pub struct #name {
            client: Client,
        }

        #entry

        impl #name {
            #(#methods)*
        }
    }
}

fn method(api: &Api, tag: &Tag, operation: &Operation) -> TokenStream {
    let text = doc::doc(&operation::text(operation));
    let call = operation.webhook.is_none().then(|| doc::own(&format!("\n`{}`", snippet(api, tag, operation))));
    let failures = response::described_failure(api, operation).map(|text| doc::own(&format!("\n{text}")));
    let deprecated = deprecated(operation.deprecated);
    let signature = signature(api, operation);
    let url = operation.webhook.as_ref().map(|_| quote!(, url.into()));
    quote! {
        #text
        #failures
        #call
        #deprecated
        #signature {
            request.into().call(&self.client #url)
        }
    }
}

/// The method of an operation, without its body.
pub(crate) fn signature(api: &Api, operation: &Operation) -> TokenStream {
    let name = ty::ident(&operation.method_rust);
    let request = ty::ident(&operation.name.rust);
    let success = response::success(api, operation);
    let failure = response::failure(api, operation);
    let to = operation.webhook.as_ref().map(|_| quote!(url: impl Into<String>,));
    quote! {
        pub fn #name(&self, #to request: impl Into<#request>) -> client::Call<#success, #failure>
    }
}
