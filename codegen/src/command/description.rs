//! The files of a description on disk.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use codegen::Files;

/// A description in a folder; other files are read when it refers to them.
pub(super) struct Description {
    folder: PathBuf,
    /// The name of the file it starts in.
    pub(super) entry: String,
}

impl Description {
    /// The description that starts in the file at `path`.
    pub(super) fn new(path: &Path) -> Self {
        let entry = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Self { folder: path.parent().map(Path::to_owned).unwrap_or_default(), entry }
    }

    /// How its files are called from here; `None` when that is how they call each other.
    pub(super) fn folder(&self) -> Option<String> {
        let folder = self.folder.to_string_lossy().replace('\\', "/");
        (!folder.is_empty()).then(|| folder.trim_end_matches('/').to_owned())
    }
}

impl Files for Description {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if path != self.entry {
            is_safe(&self.folder, path)?;
        }
        fs::read(self.folder.join(path))
    }
}

/// The endings of files that a description may refer to.
const ENDINGS: [&str; 3] = ["yaml", "yml", "json"];

/// A description from somebody else may refer to documents beside and above it, not to whatever is on this machine.
fn is_safe(folder: &Path, path: &str) -> io::Result<()> {
    let refused = |why: &str| Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    if Path::new(path).is_absolute() && !folder.is_absolute() || path.starts_with('/') {
        return refused("references are relative");
    }
    // What a link leads to counts.
    let real = fs::canonicalize(folder.join(path))?;
    let is_document =
        real.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)));
    if is_document && real.is_file() { Ok(()) } else { refused("only .yaml, .yml and .json files are read") }
}

/// Files as they are called from here.
pub(super) struct Here;

impl Files for Here {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(path)
    }
}
