//! A file that is replaced as a whole or not at all.

use std::{
    fs::{self, File},
    io::Write,
    path::Path,
};

use anyhow::{Context as _, Result};

/// Writes a file beside `path`, which takes its place once it is on the disk; when writing fails, the earlier one stays.
pub(super) fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let shown = || path.display().to_string();
    let earlier = fs::metadata(path).ok();
    // A pipe or a device cannot be replaced, and holds nothing that could be lost.
    if earlier.as_ref().is_some_and(|earlier| !earlier.is_file()) {
        return write(&mut File::options().write(true).open(path).with_context(shown)?);
    }
    // The file that a link leads to is meant, not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut beside = path.clone().into_os_string();
    beside.push(format!(".{}.new", std::process::id()));
    let mut file = File::create_new(&beside).with_context(shown)?;
    let result = (|| {
        if let Some(earlier) = earlier {
            file.set_permissions(earlier.permissions())?;
        }
        write(&mut file)?;
        file.sync_all()?;
        fs::rename(&beside, &path)?;
        Ok(())
    })();
    if result.is_err() {
        // The failure is what matters; what is left behind is harmless.
        let _ = fs::remove_file(&beside);
    }
    result
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn devices_and_links_stay_what_they_are() {
        replace(Path::new("/dev/null"), |file| Ok(file.write_all(b"nothing")?)).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "earlier").unwrap();
        symlink(&file, &link).unwrap();
        replace(&link, |file| Ok(file.write_all(b"later")?)).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "later");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[test]
    fn who_may_read_the_file_stays_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "earlier").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        replace(&path, |file| Ok(file.write_all(b"later")?)).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
