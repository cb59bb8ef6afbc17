//! What only the server crate has: the traits, the router, and the way between the two.

mod failure;
mod multipart;
mod operation;
mod reader;
mod responder;
mod router;
mod scaffold;
mod security;
mod tag;

pub(crate) use scaffold::{program, scaffold};

use super::SourceFile;
use super::section::Section;
use printing::Tokens;

/// The files of the server crate besides models and runtime.
pub(crate) fn files(section: Section<'_>) -> Vec<SourceFile<'_>> {
    let Section { api, tags, .. } = section;
    let folder = section.folder();
    let shorten = move |file: &Tokens| section.shorten(file, "server", BARE);
    let mut files = vec![SourceFile::new(format!("{folder}/router.rs"), move || shorten(&router::router(section)))];
    if is_secured(section) {
        let security = move || shorten(&security::security(section));
        files.push(SourceFile::new(format!("{folder}/security.rs"), security));
    }
    for tag in tags {
        files.push(SourceFile::new(format!("{folder}/{}.rs", tag.module), move || shorten(&tag::tag(api, tag))));
        for operation in &tag.operations {
            let path = format!("{folder}/{}/{}.rs", tag.module, operation.module);
            files.push(SourceFile::new(path, move || shorten(&operation::operation(api, tag, operation))));
        }
    }
    files
}

/// The modules besides those of tags and the router.
pub(crate) fn own_modules(section: Section<'_>) -> &'static [&'static str] {
    if is_secured(section) { &["security"] } else { &[] }
}

/// Some operation asks who calls.
fn is_secured(section: Section<'_>) -> bool {
    !section.credentials().is_empty()
}

/// The types of bodies, which the shared emitters write without `server::`.
const BARE: &[&str] = &["Body", "Download"];
