//! What only the client crate has: the way in, and the calls of every operation.

mod call;
mod credentials;
mod entry;
mod example;
mod member;
mod multipart;
mod operation;
mod page;
mod read;
mod tag;

pub(crate) use credentials::method as credential_method;
pub(crate) use entry::method as entry_method;
pub(crate) use example::{call, example};

use proc_macro2::TokenStream;

use super::{SourceFile, uses};
use crate::ir::Api;

/// The modules that only add to what others define.
pub(crate) fn private_modules(api: &Api) -> Vec<&'static str> {
    if page::is_needed(api) { vec!["client", "pages"] } else { vec!["client"] }
}

/// The files of the client crate besides models and runtime.
pub(crate) fn files(api: &Api) -> Vec<SourceFile<'_>> {
    let mut files = vec![SourceFile::new("src/client.rs", move || shorten(entry::client(api)))];
    if !api.security_schemes.is_empty() {
        files.push(SourceFile::new("src/security.rs", move || shorten(credentials::security(api))));
    }
    if page::is_needed(api) {
        files.push(SourceFile::new("src/pages.rs", move || shorten(page::pages(api))));
    }
    for tag in &api.tags {
        files.push(SourceFile::new(format!("src/{}.rs", tag.module), move || shorten(tag::tag(api, tag))));
        for operation in &tag.operations {
            let path = format!("src/{}/{}.rs", tag.module, operation.module);
            files.push(SourceFile::new(path, move || shorten(operation::operation(api, operation))));
        }
    }
    files
}

/// The types of bodies, which the shared emitters write without `client::`.
const BARE: &[&str] = &["Body", "Download", "Part", "Undocumented"];

/// The same of streams of items, which are written without `client_stream::`.
const ITEMS: &[&str] = &["ItemBody", "ItemStream"];

fn shorten(file: TokenStream) -> TokenStream {
    let file = uses::shorten(file, "client", BARE);
    uses::shorten(file, "client_stream", ITEMS)
}
