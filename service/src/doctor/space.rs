//! Room on the disk.

use std::{fs, io, path::Path};

use super::Finding;
use crate::folder::STORE;

/// Finds that a copy of the store would not fit beside it, which is what a backup and a migration make.
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

/// Bytes that this process may still write; only Unix says.
#[cfg(unix)]
fn free(folder: &Path) -> io::Result<Option<u64>> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(Some(disk.f_bavail.saturating_mul(disk.f_frsize)))
}

#[cfg(not(unix))]
fn free(_folder: &Path) -> io::Result<Option<u64>> {
    Ok(None)
}
