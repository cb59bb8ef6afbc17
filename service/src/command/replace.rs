//! Replaces a file atomically.

use std::{fs, io::Write, path::Path};

use anyhow::{Context as _, Result};

/// Writes a file next to `path`, which takes its place once it is on the disk; when writing fails, the earlier one stays.
pub(super) fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let shown = || path.display().to_string();
    let earlier = fs::metadata(path).ok();
    // Write directly to a pipe or a device.
    if earlier.as_ref().is_some_and(|earlier| !earlier.is_file()) {
        return write(&mut fs::File::options().write(true).open(path).with_context(shown)?);
    }
    // Replace the target of a link, not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // What is left of a command that was killed is seen next to what it was to replace.
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

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn devices_links_and_rights_stay_what_they_are() {
        replace(Path::new("/dev/null"), |file| Ok(file.write_all(b"nothing")?)).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "earlier").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        replace(&link, |file| Ok(file.write_all(b"later")?)).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "later");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
