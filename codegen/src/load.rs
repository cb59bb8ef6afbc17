//! Text → one tree; asks its caller for the files and reads none itself.

mod encoding;
mod syntax;
mod tree;

use std::io;

use serde_json::Value;

use crate::diagnostic::{Code, Diagnostics};
use crate::location::Location;

pub(crate) use encoding::decode;
pub(crate) use syntax::looks_like_json;

/// Where the files of a description come from.
pub trait Files {
    /// The content of the file at `path`, which is the entry, or a `$ref` joined to the path of the file it stands in.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;
}

/// The files of a description as trees.
#[derive(Clone, Debug)]
pub(crate) struct Documents {
    /// The path that was asked for.
    pub entry: String,
    /// Its tree.
    pub tree: Value,
}

/// Reads the entry.
pub(crate) fn load(files: &dyn Files, entry: &str, diagnostics: &mut Diagnostics) -> Option<Documents> {
    let tree = file(files, entry, diagnostics)?;
    Some(Documents { entry: entry.to_owned(), tree })
}

/// Reads one file.
fn file(files: &dyn Files, path: &str, diagnostics: &mut Diagnostics) -> Option<Value> {
    let root = Location::root(path);
    let bytes = match files.read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            diagnostics.report(Code::UnreadableFile, &root, format!("`{path}` cannot be read: {error}"));
            return None;
        }
    };
    let text = match decode(&bytes) {
        Ok(text) => text,
        Err(error) => {
            diagnostics
                .report(Code::UnreadableFile, &root, format!("`{path}` is not text: {error}"))
                .help("save it as UTF-8");
            return None;
        }
    };
    syntax::parse(path, &text, diagnostics)
}
