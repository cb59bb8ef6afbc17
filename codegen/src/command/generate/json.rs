//! The result as JSON. All members are always present.

use serde_json::{Value, json};
use specwright::{CrateFolder, Diagnostics, FileChange};

use crate::command::diagnostics;

/// The result of a generation; `written` if the changes were made.
pub(super) fn json(
    crates: &[Value],
    written: bool,
    operations: usize,
    skipped: usize,
    problems: &Diagnostics,
) -> Value {
    json!({
        "crates": crates,
        "written": written,
        "operations": operations,
        "skipped": skipped,
        "problems": diagnostics::json(problems),
    })
}

/// The result for a description with errors.
pub(super) fn refused(problems: &Diagnostics) -> Value {
    json(&[], false, 0, 0, problems)
}

/// One of the crates.
pub(super) fn of_crate(side: &str, folder: &CrateFolder, changes: &[FileChange]) -> Value {
    let changes = changes.iter().map(|change| {
        let (change, path) = match change {
            FileChange::Add(path) => ("add", path),
            FileChange::Replace(path) => ("replace", path),
            FileChange::Remove(path) => ("remove", path),
        };
        json!({ "change": change, "path": path })
    });
    json!({
        "side": side,
        "folder": folder.path().display().to_string(),
        "files": folder.len(),
        "changes": changes.collect::<Value>(),
    })
}
