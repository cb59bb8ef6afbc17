//! The files of a description, and what of their text is seen without parsing it.

mod encoding;
pub(crate) mod pieces;

use std::io;

pub(crate) use encoding::decode;
pub(crate) use pieces::{indent, members};

/// Where the files of a description come from.
pub trait Files {
    /// The content of the file at `path`, which is the entry, or a `$ref` joined to the path of the file it stands in.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;
}

/// A function that reads a file will do: `&|path: &str| std::fs::read(folder.join(path))`.
impl<F: Fn(&str) -> io::Result<Vec<u8>>> Files for F {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self(path)
    }
}

/// JSON and YAML are told apart by the first character, not by the name of the file.
pub(crate) fn looks_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}
