//! Diagnostics as a JSON array.

use serde_json::{Value, json};
use specwright::{Diagnostics, Located, Severity};

use crate::command::description::Here;

/// Every problem in the order of the text.
pub(in crate::command) fn json(diagnostics: &Diagnostics) -> Value {
    diagnostics.locate(&Here).iter().map(problem).collect()
}

fn problem(Located { diagnostic, range, .. }: &Located<'_>) -> Value {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let related = diagnostic
        .related
        .iter()
        .map(|(location, label)| json!({ "file": location.file(), "pointer": location.pointer(), "label": label }));
    json!({
        "code": diagnostic.code.number(),
        "name": diagnostic.code.name(),
        "severity": severity,
        "message": diagnostic.message,
        "label": diagnostic.label,
        "file": diagnostic.location.file(),
        "pointer": diagnostic.location.pointer(),
        "line": range.as_ref().map(|range| range.start.line),
        "column": range.as_ref().map(|range| range.start.column),
        "related": related.collect::<Value>(),
        "help": diagnostic.help,
        "notes": diagnostic.notes,
    })
}
