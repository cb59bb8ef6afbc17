//! The folder of a generated crate: how it differs from the generated files, and which files may be replaced.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::parallel;
use crate::render::{File, is_code};

/// A folder and its expected files.
///
/// ```
/// use specwright::{CrateFolder, Generator, Source};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/openapi.yaml");
/// # let target = tempfile::tempdir()?;
/// let generated = Generator::new().generate(&Source::path(path))?;
/// let folder = CrateFolder::new(target.path(), generated.server);
/// assert!(!folder.write()?.is_empty());
/// assert!(folder.write()?.is_empty(), "the second time nothing differs");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct CrateFolder {
    path: PathBuf,
    files: BTreeMap<String, String>,
    owned: Owned,
}

/// Which files of a folder belong to the generator and may be replaced or removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owned {
    /// Files with this text in their first line. Other files below `src` are never overwritten, and a
    /// `Cargo.toml`, `rustfmt.toml` or `README.md` without it is kept.
    Marked(String),
    /// The expected files, and everything below this folder; the empty name is the folder itself.
    Below(String),
    /// The expected files.
    Listed,
}

/// One difference between a folder and its expected files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileChange {
    /// The file is missing.
    Add(String),
    /// The file has other content.
    Replace(String),
    /// The file is from an earlier generation, and not among the expected ones.
    Remove(String),
}

impl Display for FileChange {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Add(path) => write!(formatter, "+ {path}"),
            Self::Replace(path) => write!(formatter, "~ {path}"),
            Self::Remove(path) => write!(formatter, "- {path}"),
        }
    }
}

/// The state of a file, compared with its expected text.
enum State {
    Same,
    Missing,
    Different,
    /// It is not generated.
    Foreign,
}

impl CrateFolder {
    /// The folder at `path` with its expected `files`. Existing files that say `@generated` in their first
    /// line are replaced and removed.
    pub fn new(path: impl Into<PathBuf>, files: impl IntoIterator<Item = File>) -> Self {
        let files = files.into_iter().map(|file| (file.path, file.text)).collect();
        Self { path: path.into(), files, owned: Owned::Marked("@generated".to_owned()) }
    }

    /// Sets which files may be replaced and removed.
    #[must_use]
    pub fn owned(self, owned: Owned) -> Self {
        Self { owned, ..self }
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of expected files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether no file is expected.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Writes the files, and returns what changed.
    pub fn write(&self) -> io::Result<Vec<FileChange>> {
        let changes = self.compare()?;
        self.apply(&changes)?;
        Ok(changes)
    }

    /// The differences. Fails if a file that is not generated is in the way.
    pub fn compare(&self) -> io::Result<Vec<FileChange>> {
        // A new crate has no files to compare.
        let is_new = !self.path.join("src").try_exists()?;
        let files: Vec<_> = self.files.iter().collect();
        let states = parallel::map(&files, |(path, text)| {
            if is_new && path.starts_with("src/") { Ok(State::Missing) } else { self.state(path, text) }
        });
        let mut changes = Vec::new();
        for (state, (path, _)) in states.into_iter().zip(files) {
            match state? {
                State::Same => {}
                State::Missing => changes.push(FileChange::Add(path.clone())),
                State::Different => changes.push(FileChange::Replace(path.clone())),
                State::Foreign => {
                    let file = self.path.join(path);
                    let message =
                        format!("`{}` is not generated, so it is not overwritten; move it away", file.display());
                    return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
                }
            }
        }
        let mut stale = Vec::new();
        match &self.owned {
            Owned::Marked(_) => self.find_stale("src", &mut stale)?,
            Owned::Below(folder) => self.find_stale(folder, &mut stale)?,
            Owned::Listed => {}
        }
        stale.sort();
        changes.extend(stale.into_iter().map(FileChange::Remove));
        Ok(changes)
    }

    /// Applies changes found by [`compare`](Self::compare).
    pub fn apply(&self, changes: &[FileChange]) -> io::Result<()> {
        let added = changes.iter().filter_map(|change| match change {
            FileChange::Add(path) => Path::new(path).parent(),
            FileChange::Replace(_) | FileChange::Remove(_) => None,
        });
        for folder in added.collect::<BTreeSet<_>>() {
            fs::create_dir_all(self.path.join(folder))?;
        }
        let written = parallel::map(changes, |change| match change {
            FileChange::Add(path) => fs::write(self.path.join(path), &self.files[path]),
            FileChange::Replace(path) => replace(&self.path.join(path), &self.files[path]),
            FileChange::Remove(_) => Ok(()),
        });
        written.into_iter().collect::<io::Result<()>>()?;
        for change in changes {
            if let FileChange::Remove(path) = change {
                remove(&self.path, &self.path.join(path))?;
            }
        }
        Ok(())
    }

    /// Compares one file with its expected text.
    fn state(&self, path: &str, text: &str) -> io::Result<State> {
        let bytes = match fs::read(self.path.join(path)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(State::Missing),
            Err(error) => return Err(error),
        };
        // Only code has a comment, so the name decides of others. An interrupted write leaves an empty file.
        let is_ours = || self.owns(&bytes) || bytes.is_empty() || path.starts_with("src/") && !is_code(path);
        Ok(if bytes == text.as_bytes() {
            State::Same
        } else if is_ours() {
            State::Different
        } else if path.starts_with("src/") {
            State::Foreign
        } else {
            // A manifest, `rustfmt.toml` or README that the user has taken over.
            State::Same
        })
    }

    /// Whether a file with this content belongs to the generator.
    fn owns(&self, bytes: &[u8]) -> bool {
        match &self.owned {
            Owned::Marked(mark) => {
                let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
                String::from_utf8_lossy(line).contains(mark)
            }
            Owned::Below(_) | Owned::Listed => true,
        }
    }

    fn find_stale(&self, below: &str, stale: &mut Vec<String>) -> io::Result<()> {
        let entries = match fs::read_dir(self.path.join(below)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        for entry in entries {
            let entry = entry?;
            // Generated names are UTF-8.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = if below.is_empty() { name } else { format!("{below}/{name}") };
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.find_stale(&path, stale)?;
            } else if kind.is_file() && !self.files.contains_key(&path) && self.owns(&fs::read(entry.path())?) {
                stale.push(path);
            }
        }
        Ok(())
    }
}

/// Replaces a file atomically.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    fs::write(&new, text)?;
    fs::rename(&new, path)
}

/// Removes a file and the folders that become empty.
fn remove(folder: &Path, path: &Path) -> io::Result<()> {
    fs::remove_file(path)?;
    for parent in path.ancestors().skip(1).take_while(|parent| *parent != folder) {
        if fs::read_dir(parent)?.next().is_some() {
            break;
        }
        fs::remove_dir(parent)?;
    }
    Ok(())
}
