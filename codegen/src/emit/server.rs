//! Server-only files: the traits, the router, and the handlers.

mod callback_url;
mod failure;
mod operation;
mod reader;
mod responder;
mod router;
mod scaffold;
mod security;
mod tag;

pub(crate) use scaffold::{program, scaffold, signature};

use super::section::Section;
use super::{Side, SourceFile};

/// The files of the server crate, except models and runtime.
pub(crate) fn files(section: Section<'_>) -> Vec<SourceFile<'_>> {
    let Section { api, tags, .. } = section;
    let folder = section.folder();
    let mut files = vec![SourceFile::new(format!("{folder}/router.rs"), move || router::router(section))];
    if is_secured(section) {
        let security = move || security::security(section);
        files.push(SourceFile::new(format!("{folder}/security.rs"), security));
    }
    for tag in tags {
        files.push(SourceFile::new(format!("{folder}/{}.rs", tag.module), move || tag::tag(api, tag)));
        for operation in &tag.operations {
            let path = format!("{folder}/{}/{}.rs", tag.module, operation.module);
            files.push(SourceFile::new(path, move || operation::operation(api, tag, operation)));
        }
    }
    let places = section.places(Side::Server);
    files.into_iter().map(|file| file.with(places)).collect()
}

/// The modules other than tags and the router.
pub(crate) fn own_modules(section: Section<'_>) -> &'static [&'static str] {
    if is_secured(section) { &["security"] } else { &[] }
}

/// Whether some operation requires a caller.
fn is_secured(section: Section<'_>) -> bool {
    !section.credentials().is_empty()
}
