//! A folder as path → text: read, compare, write what differs, remove what is stale.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Text by path; the paths are relative, with `/` between their parts.
pub(crate) type Tree = BTreeMap<String, String>;

/// One difference between a folder and the tree it should hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// The folder has no such file.
    Add(String),
    /// The file holds something else.
    Replace(String),
    /// The file belongs to nothing.
    Remove(String),
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Add(path) => write!(f, "+ {path}"),
            Self::Replace(path) => write!(f, "~ {path}"),
            Self::Remove(path) => write!(f, "- {path}"),
        }
    }
}

/// How the folder differs from the tree; `part` is the sub-folder that belongs to the tree alone, as in `src`, if any.
pub(crate) fn compare(folder: &Path, part: Option<&str>, tree: &Tree) -> io::Result<Vec<Change>> {
    let mut changes = Vec::new();
    for (path, text) in tree {
        match fs::read(folder.join(path)) {
            Ok(bytes) if bytes == text.as_bytes() => {}
            Ok(_) => changes.push(Change::Replace(path.clone())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => changes.push(Change::Add(path.clone())),
            Err(error) => return Err(error),
        }
    }
    let mut there = BTreeSet::new();
    if let Some(part) = part {
        list(folder, Path::new(part), &mut there)?;
    }
    changes.extend(there.into_iter().filter(|path| !tree.contains_key(path)).map(Change::Remove));
    Ok(changes)
}

/// Makes the changes. A file is replaced in one step, so that whoever reads it meanwhile sees the old or the new one.
pub(crate) fn apply(folder: &Path, tree: &Tree, changes: &[Change]) -> io::Result<()> {
    for change in changes {
        match change {
            Change::Add(path) | Change::Replace(path) => write(&folder.join(path), &tree[path])?,
            Change::Remove(path) => remove(folder, &folder.join(path))?,
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    fs::write(&beside, text)?;
    fs::rename(&beside, path)
}

/// Removes a file and the folders that are empty without it.
fn remove(folder: &Path, path: &Path) -> io::Result<()> {
    fs::remove_file(path)?;
    let parents = path.ancestors().skip(1).take_while(|parent| *parent != folder);
    for parent in parents {
        if fs::read_dir(parent)?.next().is_some() {
            break;
        }
        fs::remove_dir(parent)?;
    }
    Ok(())
}

fn list(folder: &Path, below: &Path, paths: &mut BTreeSet<String>) -> io::Result<()> {
    let entries = match fs::read_dir(folder.join(below)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let entry = entry?;
        let path = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            list(folder, &path, paths)?;
        } else {
            let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
            paths.insert(parts.join("/"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_becomes_the_tree() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        for (path, text) in
            [("Cargo.toml", "ours"), ("src/lib.rs", "old"), ("src/same.rs", "same"), ("src/a/b/c.rs", "")]
        {
            write(&folder.path().join(path), text)?;
        }
        let tree = [("src/lib.rs", "new"), ("src/same.rs", "same"), ("src/d/e.rs", "e")];
        let tree: Tree = tree.map(|(path, text)| (path.to_owned(), text.to_owned())).into();

        let changes = compare(folder.path(), Some("src"), &tree)?;
        let shown: Vec<String> = changes.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["+ src/d/e.rs", "~ src/lib.rs", "- src/a/b/c.rs"]);

        apply(folder.path(), &tree, &changes)?;
        assert_eq!(compare(folder.path(), Some("src"), &tree)?, []);
        assert!(!folder.path().join("src/a").exists());
        assert_eq!(fs::read_to_string(folder.path().join("Cargo.toml"))?, "ours");
        Ok(())
    }
}
