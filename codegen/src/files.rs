//! The files of a description, and what their text shows without parsing.

mod encoding;

use std::io;

pub(crate) use encoding::decode;

/// Where the files of a description come from.
pub trait Files {
    /// The content of the file at `path`: the entry, or a `$ref` joined to the path of the file that contains
    /// it.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;
}

/// Any function that reads a file works: `&|path: &str| std::fs::read(folder.join(path))`.
impl<F: Fn(&str) -> io::Result<Vec<u8>>> Files for F {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self(path)
    }
}

/// JSON and YAML are told apart by the first character, not by the file name.
pub(crate) fn looks_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}
