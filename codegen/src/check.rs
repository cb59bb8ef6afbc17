//! Rules that need the whole Api.

mod operation_id;
mod route;

use crate::diagnostic::Diagnostics;
use crate::ir::Api;
use crate::location::Location;

/// Reports what is wrong with the description as a whole.
pub(crate) fn check(api: &Api, root: &Location, diagnostics: &mut Diagnostics) {
    operation_id::operation_ids_are_unique(api, root, diagnostics);
    route::routes_are_unambiguous(api, root, diagnostics);
    route::bodies_have_a_meaning(api, root, diagnostics);
}

/// Where an operation stands; one that stands behind a `$ref` of its path is found there by its readers.
fn place(root: &Location, operation: &crate::ir::Operation) -> Location {
    root.members(&["paths", &operation.path, operation.method.word()])
}
