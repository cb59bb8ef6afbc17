//! The folder of a description, and which files a description may name.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::Files;

/// Extensions of files that a description may refer to.
const ENDINGS: [&str; 3] = ["yaml", "yml", "json"];

/// Files as a description names them: relative to the folder of its entry file.
#[derive(Clone, Debug)]
pub struct DocumentFolder {
    path: PathBuf,
    /// Files that the caller has named.
    named: Vec<String>,
}

impl DocumentFolder {
    /// The folder of `document`, and its name in that folder.
    pub fn of(document: &Path) -> (Self, String) {
        let entry = document.file_name().unwrap_or(document.as_os_str()).to_string_lossy().into_owned();
        let path = document.parent().map(Path::to_owned).unwrap_or_default();
        (Self { path, named: vec![entry.clone()] }, entry)
    }

    /// Allows these files, whatever their extension: the caller has chosen them.
    pub fn name(&mut self, files: impl IntoIterator<Item = String>) {
        self.named.extend(files);
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of `file` seen from the folder.
    pub fn path_of(&self, file: &Path) -> String {
        let folder = &self.path;
        let names: Vec<Component<'_>> = folder.components().filter(|part| *part != Component::CurDir).collect();
        let path = if let Ok(inside) = file.strip_prefix(folder) {
            inside.to_owned()
        } else if file.is_relative() && names.iter().all(|part| matches!(part, Component::Normal(_))) {
            names.iter().map(|_| Component::ParentDir).chain(file.components()).collect()
        } else {
            std::path::absolute(file).unwrap_or_else(|_| file.to_owned())
        };
        path.to_string_lossy().replace('\\', "/")
    }

    /// The path from the working directory to it; `None` if they are the same.
    pub fn prefix(&self) -> Option<String> {
        let path = self.path.to_string_lossy().replace('\\', "/");
        (!path.is_empty()).then(|| path.trim_end_matches('/').to_owned())
    }

    /// An untrusted description may refer to documents next to and above it, but not to other files of this
    /// machine.
    fn is_safe(&self, path: &str) -> io::Result<()> {
        let refused = |why: &str| Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        if Path::new(path).is_absolute() && !self.path.is_absolute() || path.starts_with('/') {
            return refused("references are relative");
        }
        // Symbolic links are followed first.
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
