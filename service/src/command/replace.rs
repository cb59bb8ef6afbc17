//! Replaces a file atomically.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

use anyhow::{Context as _, Result};

/// The suffix of a file being written.
const PART: &str = ".service-part";

/// Writes a file next to `path`, and renames it once it is flushed; on failure, the old file stays.
pub(super) fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let shown = || path.display().to_string();
    let earlier = fs::metadata(path).ok();
    // Write directly to a pipe or a device.
    if earlier.as_ref().is_some_and(|earlier| !earlier.is_file()) {
        return write(&mut File::options().write(true).open(path).with_context(shown)?);
    }
    // Replace the target of a link, not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if let Some(folder) = path.parent() {
        // Remains that cannot be removed are harmless.
        let _ = remove_left(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    }
    let mut beside = path.clone().into_os_string();
    beside.push(format!(".{}{PART}", std::process::id()));
    let mut file = File::create_new(&beside).with_context(shown)?;
    // Lock the file so that others see it is in use. Without lock support, they leave it alone, too.
    let _ = file.try_lock();
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
        // Report the original error; the remains are harmless.
        let _ = fs::remove_file(&beside);
    }
    result
}

/// Removes partial files of interrupted commands from a folder.
fn remove_left(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let number = name.strip_suffix(PART).and_then(|name| Some(name.rsplit_once('.')?.1));
        let is_part = number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
        if is_part && File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) && fs::remove_file(&path).is_ok() {
            tracing::warn!("{} was left of a command that was cut off, and has been removed", path.display());
        }
    }
    Ok(())
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
    fn what_is_left_of_a_command_that_was_cut_off_is_removed_and_what_is_written_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["earlier.tar.1.service-part", "x.json.4711.service-part", "of-the-user.1.new", "x.service-part"] {
            fs::write(path(name), "half").unwrap();
        }
        let own = path(&format!("file.{}.service-part", std::process::id()));
        fs::write(&own, "of a process with the same number").unwrap();
        let written = File::create_new(path("other.tar.2.service-part")).unwrap();
        written.try_lock().unwrap();
        replace(&path("file"), |file| Ok(file.write_all(b"whole")?)).unwrap();
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        assert_eq!(names, ["file", "of-the-user.1.new", "other.tar.2.service-part", "x.service-part"]);
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
