//! Where a description is read from.

use std::fmt::{self, Debug, Formatter};
use std::io;
use std::path::Path;

use openapiv3::OpenAPI;
use serde_json::Value;

use crate::{Diagnostics, DocumentFolder, Files, load};

/// A description: its entry file, and access to the files that it refers to.
pub struct Source<'a> {
    entry: String,
    files: Box<dyn Files + 'a>,
}

impl<'a> Source<'a> {
    /// The file at a path. It may refer to `.yaml`, `.yml` and `.json` files next to and above it.
    pub fn path(path: impl AsRef<Path>) -> Source<'static> {
        let (folder, entry) = DocumentFolder::of(path.as_ref());
        Source { entry, files: Box::new(folder) }
    }

    /// A text that refers to no other files.
    pub fn text(text: impl Into<String>) -> Source<'static> {
        let text = text.into();
        Source::alone("description", text.into_bytes())
    }

    /// A document in memory, read through its JSON serialization.
    pub fn document(document: &OpenAPI) -> Result<Source<'static>, serde_json::Error> {
        Ok(Source::alone("openapi.json", serde_json::to_vec_pretty(document)?))
    }

    /// The file `entry` of `files`, which also provide the referenced files.
    pub fn files(files: &'a dyn Files, entry: impl Into<String>) -> Self {
        Self { entry: entry.into(), files: Box::new(|path: &str| files.read(path)) }
    }

    /// The name of the entry file.
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// The content of a file, as the description names it.
    pub fn tree(&self, file: &str) -> Result<Value, Diagnostics> {
        load::entry(self, file)
    }

    fn alone(name: &'static str, bytes: Vec<u8>) -> Source<'static> {
        let read = move |path: &str| {
            if path == name { Ok(bytes.clone()) } else { Err(io::Error::from(io::ErrorKind::NotFound)) }
        };
        Source { entry: name.to_owned(), files: Box::new(read) }
    }
}

impl Files for Source<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.files.read(path)
    }
}

impl Debug for Source<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Source").field("entry", &self.entry).finish_non_exhaustive()
    }
}
