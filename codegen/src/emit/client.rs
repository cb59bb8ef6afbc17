//! What only the client crate has: the way to each tag, and the calls of every operation.

mod call;
mod credentials;
mod entry;
mod example;
mod operation;
mod page;
mod read;
mod root;
mod server_choice;
mod snippet;
mod tag;

pub(super) use call::media_type;
pub use credentials::method as credential_method;
pub use entry::method as entry_method;
pub(crate) use example::{call, example};
pub(crate) use snippet::snippet;
pub(crate) use tag::signature;

use super::section::Section;
use super::{Side, SourceFile, runtime};
use crate::ir::Api;
use proc_macro2::TokenStream;
use quote::quote;

/// The modules that only add to what others define.
pub(crate) fn private_modules(api: &Api) -> Vec<&'static str> {
    (!api.pages.is_empty()).then_some("pages").into_iter().collect()
}

/// The files of the client crate besides models and runtime.
pub(crate) fn files(section: Section<'_>) -> Vec<SourceFile<'_>> {
    let Section { api, tags, .. } = section;
    let folder = section.folder();
    let mut files = vec![SourceFile::new(format!("{folder}/client.rs"), move || root::root(section))];
    if !section.credentials().is_empty() {
        let security = move || credentials::security(section);
        files.push(SourceFile::new(format!("{folder}/security.rs"), security));
    }
    if !section.is_webhooks && !api.pages.is_empty() {
        files.push(SourceFile::new("src/pages.rs", move || page::list(api)));
        for page in &api.pages {
            let model = api.model(page.model);
            let path = format!("src/pages/{}.rs", model.module);
            files.push(SourceFile::new(path, move || page::file(api, page)));
        }
    }
    for tag in tags {
        files.push(SourceFile::new(format!("{folder}/{}.rs", tag.module), move || tag::tag(api, tag)));
        for operation in &tag.operations {
            let path = format!("{folder}/{}/{}.rs", tag.module, operation.module);
            files.push(SourceFile::new(path, move || operation::operation(api, operation)));
        }
    }
    let places = section.places(Side::Client);
    files.into_iter().map(|file| file.with(places)).collect()
}

/// The modules besides those of tags that others may use.
pub(crate) fn own_modules(section: Section<'_>) -> &'static [&'static str] {
    if section.credentials().is_empty() { &["client"] } else { &["client", "security"] }
}

/// What a caller needs of the runtime.
pub(crate) fn reexport(section: Section<'_>) -> TokenStream {
    let root = section.is_webhooks.then(|| quote!(crate::));
    let items = runtime::has_items(section).then(|| {
        quote! {
            pub use #root runtime::client_stream::{ItemBody, ItemError, ItemStream, UnreadableItem};
            pub use #root runtime::stream::Event;
        }
    });
    let page = runtime::has_pages(section).then(|| quote!(Page,));
    let part = runtime::sends_parts(section, Side::Client).then(|| quote!(pub use #root runtime::multipart::Part;));
    let servers = if section.is_webhooks { Vec::new() } else { server_choice::names(section.api) };
    quote! {
        pub use client::{Client, ClientBuilder #(, #servers)*};
        pub use #root runtime::client::{
            ApiError, Body, BuildError, Call, Credential, CredentialProvider, Download, Error, #page RawResponse, Response,
            Retry, Unexpected,
        };
        #part
        #items
    }
}
