//! The documents that a manifest lists.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// One document of a folder.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// Unique; the prefix of its crates' names.
    pub(crate) name: String,
    /// The folder of the manifest.
    pub(crate) folder: PathBuf,
    /// The entry file, relative to `folder`.
    pub(crate) entry: String,
    /// The number of its operations, if the manifest has it.
    pub(crate) operations: Option<usize>,
}

/// The documents of `manifest.tsv`. Its first line names the columns; `name` and `entry` are required,
/// `operations` is optional.
pub(crate) fn list(folder: &Path) -> Result<Vec<Document>> {
    let path = folder.join("manifest.tsv");
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let heading = lines.next().with_context(|| format!("{} is empty", path.display()))?;
    let column = |name| {
        let found = heading.iter().position(|column| *column == name);
        found.with_context(|| format!("{} has no column `{name}`", path.display()))
    };
    let (name, entry) = (column("name")?, column("entry")?);
    let operations = column("operations").ok();
    lines
        .filter(|cells| !cells.concat().is_empty())
        .map(|cells| {
            let cell = |index: usize| cells.get(index).copied().context("a line of the manifest is too short");
            Ok(Document {
                name: cell(name)?.to_owned(),
                folder: folder.to_owned(),
                entry: cell(entry)?.to_owned(),
                operations: operations.and_then(|index| cells.get(index)?.parse().ok()),
            })
        })
        .collect()
}
