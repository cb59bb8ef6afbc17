//! Free disk space.

use std::{fs, io, path::Path};

use super::Finding;
use crate::folder::STORE;

/// Reports if there is no space for a copy of the store, which backups and migrations make.
pub(super) fn examine(data: &Path) -> io::Result<Vec<Finding>> {
    let needed = fs::metadata(data.join(STORE)).map_or(0, |metadata| metadata.len());
    Ok(match free(data)? {
        Some(free) if free < needed => {
            let what = format!("{} MiB are free, and a copy of the store takes {} MiB", free >> 20, needed >> 20);
            vec![Finding::new(what, "make room: backups and migrations copy the store in its folder first")]
        }
        _ => Vec::new(),
    })
}

/// The number of bytes available to this process (Unix only).
#[cfg(unix)]
fn free(folder: &Path) -> io::Result<Option<u64>> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(Some(disk.f_bavail.saturating_mul(disk.f_frsize)))
}

#[cfg(not(unix))]
fn free(_folder: &Path) -> io::Result<Option<u64>> {
    Ok(None)
}
