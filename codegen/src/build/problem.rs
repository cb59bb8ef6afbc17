//! Problems of a description, as a build script reports them.

use std::fs;
use std::io;
use std::path::Path;

use crate::{Diagnostics, DocumentFolder, Located, Style};

/// Maximum number of warnings passed to cargo, which repeats them with every build.
const SHOWN: usize = 20;

/// All errors, with excerpts.
pub(super) fn errors(document: &Path, folder: &DocumentFolder, found: &Diagnostics) -> String {
    let count = found.errors().count();
    let plural = if count == 1 { "" } else { "s" };
    let shown = from_here(folder, found).render(&here, Style::Plain);
    format!("{} has {count} error{plural}\n\n{shown}", document.display())
}

/// A line for each warning.
pub(super) fn warnings(document: &Path, folder: &DocumentFolder, found: &Diagnostics) -> Vec<String> {
    let found = from_here(folder, found);
    let count = found.iter().count();
    let line = |located: Located<'_>| {
        let diagnostic = located.diagnostic;
        let line = located.range.map(|range| format!(":{}:{}", range.start.line, range.start.column));
        let (file, line) = (diagnostic.location.file(), line.unwrap_or_default());
        let message = diagnostic.message.replace(['\n', '\r'], " ");
        format!("{file}{line}: {message} [{}]", diagnostic.code.number())
    };
    let mut lines: Vec<_> = found.locate(&here).into_iter().take(SHOWN).map(line).collect();
    if count > SHOWN {
        lines.push(format!("{} has {} more warnings", document.display(), count - SHOWN));
    }
    lines
}

fn from_here(folder: &DocumentFolder, found: &Diagnostics) -> Diagnostics {
    let mut found = found.clone();
    if let Some(prefix) = folder.prefix() {
        found.below(&prefix);
    }
    found
}

fn here(path: &str) -> io::Result<Vec<u8>> {
    fs::read(path)
}
