//! Leaves out parts of a description that have problems, and parts that depend on them.

mod graph;

use std::collections::BTreeMap;

use serde_json::Value;

use graph::{Graph, Kind, Part};

use crate::diagnostic::{Code, Diagnostic, Diagnostics, Policies};
use crate::files::Files;
use crate::location::{self, Location};
use crate::lower::is_method;

/// The result of reading, and the number of operations left out.
pub(crate) struct Remaining<T> {
    pub(crate) read: T,
    /// The number of operations left out.
    pub(crate) skipped: usize,
    pub(crate) warnings: Diagnostics,
}

/// Reads the tree of `entry` with `read`; while it has errors to skip, leaves out the affected parts and
/// reads the rest again.
pub(crate) fn leaving_out<T>(
    files: &dyn Files,
    entry: &str,
    mut tree: Value,
    policies: &Policies,
    read: impl Fn(Value, &mut Diagnostics) -> Option<T>,
) -> Result<Remaining<T>, Diagnostics> {
    let mut skipped = Skipped::default();
    loop {
        let rest = policies.may_skip().then(|| tree.clone());
        let mut found = Diagnostics::default();
        let read = read(tree, &mut found);
        policies.apply(&mut found);
        let rest = rest.filter(|_| found.has_errors());
        if let Some(rest) = rest.and_then(|rest| skipped.leave_out(files, entry, rest, &found, policies)) {
            tree = rest;
            continue;
        }
        let Skipped { operations, diagnostics: mut warnings } = skipped;
        policies.apply(&mut warnings);
        warnings.append(found);
        return match read {
            Some(read) if !warnings.has_errors() => Ok(Remaining { read, skipped: operations, warnings }),
            Some(_) | None => Err(warnings),
        };
    }
}

/// What has been left out.
#[derive(Debug, Default)]
struct Skipped {
    operations: usize,
    /// A warning for each part that was left out.
    diagnostics: Diagnostics,
}

impl Skipped {
    /// The entry's tree without the parts that have errors. `None` if an error is not to be skipped, belongs
    /// to no part, or would leave no operation.
    fn leave_out(
        &mut self,
        files: &dyn Files,
        entry: &str,
        mut tree: Value,
        found: &Diagnostics,
        policies: &Policies,
    ) -> Option<Value> {
        if found.errors().any(|error| !policies.skips(error.code)) {
            return None;
        }
        let graph = Graph::new(files, entry, &tree);
        let mut reasons: BTreeMap<&Part, &Diagnostic> = BTreeMap::new();
        for error in found.errors() {
            let parts = graph.parts_that_need(&error.location);
            if parts.is_empty() {
                return None;
            }
            for part in parts {
                reasons.entry(part).or_insert(error);
            }
        }
        if graph.parts().filter(|part| part.operations > 0).all(|part| reasons.contains_key(part)) {
            return None;
        }
        for (part, reason) in &reasons {
            self.operations += part.operations;
            self.say(entry, part, reason);
        }
        for pointer in reasons.into_keys().map(|part| part.pointer.clone()).collect::<Vec<_>>() {
            remove(&mut tree, &pointer);
        }
        Some(tree)
    }

    fn say(&mut self, entry: &str, part: &Part, reason: &Diagnostic) {
        let what = match &part.kind {
            Kind::Operation(name) => format!("the operation `{name}`"),
            Kind::Path(path) => format!("the path `{path}`"),
            Kind::Shared => format!("`#{}`", part.pointer),
        };
        let message = format!("{what} is left out: {}", reason.message);
        let code = reason.code;
        let diagnostic =
            self.diagnostics.report(Code::Skipped, &Location::at(entry, part.pointer.as_str()).name(), message);
        diagnostic.related(&reason.location, format!("{} {}", code.number(), code.name()));
        for help in &reason.help {
            diagnostic.help(help);
        }
    }
}

/// Removes a part; a path without operations is removed with it.
fn remove(tree: &mut Value, pointer: &str) {
    let Some((parent, _)) = pointer.rsplit_once('/') else { return };
    let Some(name) = location::tokens(&pointer[parent.len()..]).next() else { return };
    let Some(members) = tree.pointer_mut(parent).and_then(Value::as_object_mut) else { return };
    members.shift_remove(&name);
    let is_last = !members.keys().any(|name| holds_operations(name));
    if parent.starts_with("/paths/")
        && (holds_operations(&name) && is_last || item_of(parent) != parent && members.is_empty())
    {
        remove(tree, parent);
    }
}

/// Whether the member of a path item is an operation or contains some.
fn holds_operations(name: &str) -> bool {
    is_method(name) || name == OTHERS
}

/// The member of a path item with operations of nonstandard methods.
const OTHERS: &str = "additionalOperations";

/// The path item of an operation: the location itself, or its parent.
fn item_of(operations: &str) -> &str {
    operations.strip_suffix(OTHERS).and_then(|item| item.strip_suffix('/')).unwrap_or(operations)
}
