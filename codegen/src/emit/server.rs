//! What only the server crate has: the traits, the router, and the way between the two.

mod multipart;
mod operation;
mod reader;
mod responder;
mod router;
mod scaffold;
mod security;
mod tag;

pub(crate) use multipart::variant_name as part_variant;
pub(crate) use scaffold::{implementation, scaffold};

use proc_macro2::TokenStream;

use super::{SourceFile, uses};
use crate::ir::Api;

/// The files of the server crate besides models and runtime.
pub(crate) fn files(api: &Api) -> Vec<SourceFile<'_>> {
    let mut files = vec![SourceFile::new("src/router.rs", move || shorten(router::router(api)))];
    if !api.credentials.is_empty() {
        files.push(SourceFile::new("src/security.rs", move || shorten(security::security(api))));
    }
    for tag in &api.tags {
        files.push(SourceFile::new(format!("src/{}.rs", tag.module), move || shorten(tag::tag(api, tag))));
        for operation in &tag.operations {
            let path = format!("src/{}/{}.rs", tag.module, operation.module);
            files.push(SourceFile::new(path, move || shorten(operation::operation(api, tag, operation))));
        }
    }
    files
}

/// The types of bodies, which the shared emitters write without `server::`.
const BARE: &[&str] = &["Body", "Download"];

fn shorten(file: TokenStream) -> TokenStream {
    uses::shorten(file, "server", BARE)
}
