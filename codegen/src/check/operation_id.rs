//! Operation ids name methods, so each is there once.

use std::collections::HashMap;

use super::place;
use crate::diagnostic::{Code, Diagnostics};
use crate::ir::Api;
use crate::location::Location;

pub(super) fn operation_ids_are_unique(api: &Api, root: &Location, diagnostics: &mut Diagnostics) {
    let mut first: HashMap<&str, Location> = HashMap::new();
    for operation in api.operations() {
        let id = operation.name.wire.as_str();
        let location = place(root, operation);
        let Some(earlier) = first.get(id) else {
            first.insert(id, location);
            continue;
        };
        diagnostics
            .report(
                Code::DuplicateOperationId,
                &location.member("operationId"),
                format!("two operations have the operationId `{id}`"),
            )
            .related(&earlier.member("operationId"), "the first one")
            .help("give each operation its own operationId; it names the method");
    }
}
