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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_touched_when_less_is_free() {
        let folder = tempfile::tempdir().expect("a folder");
        let reserve = |bytes| Reserve::new(folder.path().to_owned(), bytes);
        assert!(reserve(u64::MAX).is_touched().expect("the system answers"));
        assert!(!reserve(1).is_touched().expect("the system answers"));
        assert!(!reserve(0).is_touched().expect("the system is not asked"));
        assert!(Reserve::new("/not/there".into(), 1).is_touched().is_err());
    }
}
