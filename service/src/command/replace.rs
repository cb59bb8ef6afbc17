//! Replaces a file atomically.

use std::{fs, io::Write, path::Path};

use anyhow::{Context as _, Result};

/// Replaces a file once the new one is on the disk. If writing fails, the old one is kept.
pub(super) fn replace(path: &Path, write: impl FnOnce(&mut (dyn Write + Send)) -> Result<()>) -> Result<()> {
    let shown = || path.display().to_string();
    let earlier = fs::metadata(path).ok();
    // Write directly to a pipe or a device.
    if earlier.as_ref().is_some_and(|earlier| !earlier.is_file()) {
        return write(&mut fs::File::options().write(true).open(path).with_context(shown)?);
    }
    // Replace the target of a link, not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A killed command leaves its file next to the one it was to replace, where it is noticed.
    let name = format!("{}.", path.file_name().unwrap_or_default().to_string_lossy());
    let mut file = tempfile::Builder::new().prefix(&name).suffix(".part").tempfile_in(folder).with_context(shown)?;
    if let Some(earlier) = earlier {
        file.as_file().set_permissions(earlier.permissions())?;
    }
    write(&mut file)?;
    file.as_file().sync_all()?;
    file.persist(&path).with_context(shown)?;
    Ok(())
}
