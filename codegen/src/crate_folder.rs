//! The folder of a generated crate: how it differs from the generated files, and which files may be replaced.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::parallel;
use crate::render::File;

/// A folder and its expected files.
///
/// ```
/// use codegen::{CrateFolder, Generator, Source};
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
    /// The file was generated earlier and is no longer expected.
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
        // JSON has no comments, so the name decides. An interrupted write leaves an empty file.
        let is_ours = || self.owns(&bytes) || bytes.is_empty() || path == "src/openapi.json";
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
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    fs::write(&beside, text)?;
    fs::rename(&beside, path)
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

#[cfg(test)]
mod tests {
    use super::*;

    const THERE: [(&str, &str); 5] = [
        ("Cargo.toml", "ours"),
        ("src/lib.rs", "// made here\nold"),
        ("src/same.rs", "// made here\nsame"),
        ("src/a/b/c.rs", "// made here"),
        ("src/own.rs", "own"),
    ];

    /// The changes made to a folder, and its files afterwards.
    fn written(there: &[(&str, &str)], owned: Owned) -> io::Result<(Vec<String>, String)> {
        let folder = tempfile::tempdir()?;
        for (path, text) in there {
            fs::create_dir_all(folder.path().join(path).parent().unwrap())?;
            fs::write(folder.path().join(path), text)?;
        }
        let files = [
            ("Cargo.toml", "theirs"),
            ("src/lib.rs", "// made here\nnew"),
            ("src/same.rs", "// made here\nsame"),
            ("src/d/e.rs", "// made here\ne"),
        ];
        let files = files.map(|(path, text)| File { path: path.to_owned(), text: text.to_owned() });
        let folder_of_crate = CrateFolder::new(folder.path(), files).owned(owned);
        let changes = folder_of_crate.write()?.iter().map(ToString::to_string).collect();
        assert_eq!(folder_of_crate.compare()?, []);
        assert_eq!(fs::read_to_string(folder.path().join("src/lib.rs"))?, "// made here\nnew");
        Ok((changes, fs::read_to_string(folder.path().join("Cargo.toml"))?))
    }

    #[test]
    fn marked_files_are_replaced_and_removed() -> io::Result<()> {
        let marked = || Owned::Marked("made here".to_owned());
        let changes = ["+ src/d/e.rs", "~ src/lib.rs", "- src/a/b/c.rs"];
        assert_eq!(written(&THERE, marked())?, (changes.map(str::to_owned).into(), "ours".to_owned()));
        let foreign = written(&[("src/lib.rs", "old")], marked()).unwrap_err();
        assert!(foreign.to_string().ends_with("src/lib.rs` is not generated, so it is not overwritten; move it away"));
        Ok(())
    }

    #[test]
    fn a_folder_below_can_be_owned_as_a_whole() -> io::Result<()> {
        let changes = ["~ Cargo.toml", "+ src/d/e.rs", "~ src/lib.rs", "- src/a/b/c.rs", "- src/own.rs"];
        let (found, manifest) = written(&THERE, Owned::Below("src".to_owned()))?;
        assert_eq!((found, manifest.as_str()), (changes.map(str::to_owned).into(), "theirs"));
        let (found, _) = written(&THERE, Owned::Listed)?;
        assert_eq!(found, &changes[..3]);
        Ok(())
    }
}
