//! `servers`: their URLs, variables filled in.

use crate::upgrade::Document;

/// The URLs, each variable replaced by its default.
pub(crate) fn urls(document: &Document) -> Vec<String> {
    document
        .openapi
        .servers
        .iter()
        .map(|server| {
            let variables = server.variables.iter().flatten();
            variables.fold(server.url.clone(), |url, (name, variable)| {
                url.replace(&format!("{{{name}}}"), &variable.default)
            })
        })
        .collect()
}
