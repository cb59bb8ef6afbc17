//! Files and folders that only their owner can access.

use std::{
    fs::{Metadata, Permissions},
    io,
    os::unix::fs::PermissionsExt as _,
    path::Path,
};

/// The rights of group and others.
const OTHERS: u32 = 0o077;

/// Makes new files and folders of this process private: 0600 and 0700.
pub fn keep_new_files() {
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// Removes the access of other users; `true` if there was any. A missing file is not an error.
pub fn mend(path: &Path) -> io::Result<bool> {
    match path.metadata() {
        Ok(metadata) if is_open_to_others(&metadata) => {
            std::fs::set_permissions(path, Permissions::from_mode(metadata.permissions().mode() & !OTHERS))?;
            Ok(true)
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(false),
    }
}

/// Whether other users can read, change or enter it.
pub fn is_open_to_others(metadata: &Metadata) -> bool {
    metadata.permissions().mode() & OTHERS != 0
}
