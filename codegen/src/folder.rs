//! The folder of a description, and which files of a machine a description may name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::Files;

/// The endings of files that a description may refer to.
const ENDINGS: [&str; 3] = ["yaml", "yml", "json"];

/// Files as a description calls them: relative to the folder of the file it starts in.
#[derive(Clone, Debug)]
pub struct DocumentFolder {
    path: PathBuf,
    /// What the caller has named, and not the description.
    named: Vec<String>,
}

impl DocumentFolder {
    /// The folder of `document`, and what the file is called in it.
    pub fn of(document: &Path) -> (Self, String) {
        let entry = document.file_name().unwrap_or(document.as_os_str()).to_string_lossy().into_owned();
        let path = document.parent().map(Path::to_owned).unwrap_or_default();
        (Self { path, named: vec![entry.clone()] }, entry)
    }

    /// Lets these files be read too, whatever they are called: nobody but the caller has chosen them.
    pub fn name(&mut self, files: impl IntoIterator<Item = String>) {
        self.named.extend(files);
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How its files are called from here; `None` when that is how they call each other.
    pub fn prefix(&self) -> Option<String> {
        let path = self.path.to_string_lossy().replace('\\', "/");
        (!path.is_empty()).then(|| path.trim_end_matches('/').to_owned())
    }

    /// A description from somebody else may refer to documents beside and above it, not to whatever is on this machine.
    fn is_safe(&self, path: &str) -> io::Result<()> {
        let refused = |why: &str| Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        if Path::new(path).is_absolute() && !self.path.is_absolute() || path.starts_with('/') {
            return refused("references are relative");
        }
        // What a link leads to counts.
        let real = fs::canonicalize(self.path.join(path))?;
        let is_document =
            real.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)));
        if is_document && real.is_file() { Ok(()) } else { refused("only .yaml, .yml and .json files are read") }
    }
}

impl Files for DocumentFolder {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if !self.named.iter().any(|named| named == path) {
            self.is_safe(path)?;
        }
        fs::read(self.path.join(path))
    }
}
