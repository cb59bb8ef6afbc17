//! Where a description is read from.

use std::fmt::{self, Debug, Formatter};
use std::io;
use std::path::Path;

use openapiv3::OpenAPI;

use crate::{DocumentFolder, Files};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Generator, Side};

    const TEXT: &str = "
openapi: 3.0.3
info: { title: Pets, version: '1' }
paths: { /pets: { get: { operationId: listPets, responses: { '204': { description: None. } } } } }
";

    #[test]
    fn a_path_a_text_and_a_document_give_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pets.yaml");
        std::fs::write(&path, TEXT).unwrap();
        let document: OpenAPI = serde_yaml::from_str(TEXT).unwrap();
        let files = |_: &str| Ok(TEXT.as_bytes().to_vec());
        let sources = [
            Source::path(&path),
            Source::text(TEXT),
            Source::document(&document).unwrap(),
            Source::files(&files, "pets.yaml"),
        ];
        let generated = sources.map(|source| Generator::new().generate(&source).unwrap());
        for other in &generated[1..] {
            // The description that a server shows keeps the order of the document.
            let code = |files: &[crate::File]| -> Vec<_> {
                files.iter().filter(|file| file.path != "src/openapi.json").cloned().collect()
            };
            assert_eq!(code(&generated[0].server.files), code(&other.server.files));
            assert_eq!(generated[0].client, other.client);
        }
    }

    #[test]
    fn a_text_has_no_other_files() {
        let text = TEXT.replace("{ get:", "{ parameters: [{ $ref: 'other.yaml#/a' }], get:");
        let found = Generator::new().read(&Source::text(text)).unwrap_err();
        assert!(found.to_string().contains("there is no file `other.yaml`"), "{found}");
    }

    #[test]
    fn one_side_comes_alone() {
        for side in [Side::Server, Side::Client] {
            let generated = Generator::new().only(side).generate(&Source::text(TEXT)).unwrap();
            let both = Generator::new().generate(&Source::text(TEXT)).unwrap();
            let (server, client) = match side {
                Side::Server => (both.server, crate::Crate::default()),
                Side::Client => (crate::Crate::default(), both.client),
            };
            assert_eq!((generated.server, generated.client), (server, client));
        }
    }
}
