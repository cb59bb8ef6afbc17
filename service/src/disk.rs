//! The free space of the disk with the data.

use std::{io, path::PathBuf};

/// Space to keep free on the disk of a folder, so that running requests can finish and deletions still work.
#[derive(Clone, Debug)]
pub struct Reserve {
    folder: PathBuf,
    bytes: u64,
}

impl Reserve {
    /// `bytes` on the disk of `folder`; 0 for none.
    pub fn new(folder: PathBuf, bytes: u64) -> Self {
        Self { folder, bytes }
    }

    /// Whether less is free than reserved. Takes about a microsecond.
    pub fn is_touched(&self) -> io::Result<bool> {
        Ok(self.bytes > 0 && fs4::available_space(&self.folder)? < self.bytes)
    }
}
