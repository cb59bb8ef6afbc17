//! Partial files of a local object store, left by an interrupted process: it names them `<key>#<number>` and
//! does not list them.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

/// Removes those below `folder` that are older than `grace`; returns their number.
pub(super) fn remove(folder: &Path, grace: Duration) -> io::Result<usize> {
    let left = find(folder, grace)?;
    left.iter().try_for_each(fs::remove_file)?;
    Ok(left.len())
}

/// Those below `folder` that are older than `grace`.
pub(super) fn find(folder: &Path, grace: Duration) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            found.extend(find(&entry.path(), grace)?);
        } else if entry.file_name().to_str().is_some_and(is_partial) && is_older(&entry, grace) {
            found.push(entry.path());
        }
    }
    Ok(found)
}

fn is_partial(name: &str) -> bool {
    let number = name.rsplit_once('#').map(|(_, number)| number);
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `false` if the file has been removed meanwhile.
fn is_older(entry: &fs::DirEntry, grace: Duration) -> bool {
    let modified = entry.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| modified.elapsed().unwrap_or_default() >= grace)
}
