//! Text → one tree; asks its caller for the files and reads none itself.

mod reference;
mod syntax;
mod tree;

use std::io;

use serde_json::Value;

use crate::diagnostic::{Code, Diagnostics};
use crate::files::{Files, decode};
use crate::location::Location;

pub(crate) use reference::Reference;

/// The longest path of common file systems, in bytes; ends a file that refers to itself through ever deeper
/// folders.
const LONGEST_PATH: usize = 4096;

/// Reads the entry file.
pub(crate) fn entry(files: &dyn Files, path: &str) -> Result<Value, Diagnostics> {
    let mut diagnostics = Diagnostics::default();
    load(files, path, None, &mut diagnostics).ok_or(diagnostics)
}

/// Reads the file at `path`; `wanted_at` is the location that refers to it.
pub(crate) fn load(
    files: &dyn Files,
    path: &str,
    wanted_at: Option<&Location>,
    diagnostics: &mut Diagnostics,
) -> Option<Value> {
    let root = Location::root(path);
    let location = wanted_at.unwrap_or(&root);
    if path.len() > LONGEST_PATH {
        let message = format!("the path of this file has more than {LONGEST_PATH} bytes");
        diagnostics
            .report(Code::UnreadableFile, location, message)
            .help("files that refer to themselves through folders of folders have no end: mend the `$ref`");
        return None;
    }
    let bytes = match files.read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let message = match error.kind() {
                io::ErrorKind::NotFound => format!("there is no file `{path}`"),
                _ => format!("`{path}` cannot be read: {error}"),
            };
            let diagnostic = diagnostics.report(Code::UnreadableFile, location, message);
            if wanted_at.is_some() && error.kind() == io::ErrorKind::NotFound {
                diagnostic.help("save it there, or leave out the operations that need it with `--skip errors`");
            }
            return None;
        }
    };
    let text = match decode(bytes) {
        Ok(text) => text,
        Err(error) => {
            diagnostics
                .report(Code::UnreadableFile, &root, format!("`{path}` is not text: {error}"))
                .help("save it as UTF-8");
            return None;
        }
    };
    let mut found = Diagnostics::default();
    let tree = syntax::parse(path, &text, &mut found);
    diagnostics.append(found);
    tree
}
