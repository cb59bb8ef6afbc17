//! Files and folders that only their owner can access.

use std::path::Path;

/// Makes new files and folders of this process private: 0600 and 0700.
pub fn keep_new_files() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// Removes the access of other users; `true` if there was any. A missing file is not an error.
pub fn mend(path: &Path) -> std::io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let permissions = match path.metadata() {
            Ok(metadata) => metadata.permissions(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        let mode = permissions.mode();
        if mode & OTHERS != 0 {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode & !OTHERS))?;
            return Ok(true);
        }
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(false)
}

/// Whether other users can read, change or enter it.
pub fn is_open_to_others(metadata: &std::fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        metadata.permissions().mode() & OTHERS != 0
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}

/// The rights of group and others.
#[cfg(unix)]
const OTHERS: u32 = 0o077;
