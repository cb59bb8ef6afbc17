//! OpenAPI → `Api`: references resolved, `allOf` merged, unions decided, names given.

mod models;
pub(crate) mod name;
mod node;
mod operation;
mod overrides;
mod passes;
mod reference;
mod reporter;
mod schema;
#[cfg(test)]
pub(crate) mod tests;

use crate::diagnostic::Diagnostics;
use crate::ir::{Api, Contents};
use crate::upgrade::Document;
use crate::{Options, parallel};
use operation::security::Schemes;
use overrides::Overrides;
use overrides::selection::Selected;
use passes::Passed;
use reference::Resolver;
use reporter::Reporter;
use schema::reader::Reader;

pub(crate) use operation::is_method;
#[cfg(test)]
pub(crate) use operation::{security::TAKEN_BY_BUILDER, tag::TAKEN_BY_CLIENT};
pub(crate) use passes::TAKEN_BY_MODELS;

/// Lowers a description. After an error, the result is only used to find more errors.
pub(crate) fn lower(document: &Document, options: &Options, diagnostics: &mut Diagnostics) -> Api {
    let mut selection = Selected::new(options);
    let mut security = Schemes::default();
    let mut reader = Reader::new(Resolver { document, reporter: Reporter::new(diagnostics) }, Overrides::new(options));
    schema::named::add_all(&mut reader);
    let operations = operation::operations(&mut reader, &mut security, &mut selection);
    let webhooks = operation::webhook::read_webhooks(&mut reader, &mut security, &mut selection);
    overrides::selection::report_unmatched(&mut reader.resolver, &reader.overrides, &selection);
    overrides::selection::report_empty(&mut reader.resolver, &reader.overrides, &selection);
    schema::named::build_all(&mut reader);
    let Reader { mut resolver, mut overrides, models, elements, .. } = reader;
    let tags = operation::tag::group_by_tag(&mut resolver, &mut overrides, operations, !webhooks.is_empty());
    let webhooks = operation::tag::group_by_tag(&mut resolver, &mut overrides, webhooks, false);

    let Schemes { list: security_schemes, credentials, .. } = security;
    let read =
        Contents { tags, webhooks, models: models.into_drafts(), security_schemes, credentials, xml: elements.table };
    let source = selection.prune(&document.tree);
    // Serializing the document is slow, and only the output needs it.
    let (source, Passed { contents, pages, nesting }) = parallel::both(
        || format!("{source:#}\n"),
        || passes::run(read, &mut resolver, &mut overrides, &selection, options.features),
    );
    let info = &document.openapi.info;
    Api {
        location: document.root.clone(),
        title: info.title.clone(),
        description: info.description.clone(),
        version: info.version.clone(),
        servers: operation::server::urls(document),
        server_choices: operation::server_choice::choices(document),
        contents,
        source,
        any_case: any_case(document),
        pages,
        nesting,
        dependencies: overrides.finish(&mut resolver, &selection),
    }
}

/// `x-name-matching: ascii-case-insensitive`
fn any_case(document: &Document) -> bool {
    let said = document.tree.get("x-name-matching").or_else(|| document.tree.pointer("/info/x-name-matching"));
    said.and_then(serde_json::Value::as_str) == Some("ascii-case-insensitive")
}
