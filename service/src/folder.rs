//! The data folder: its files, and the process that serves it.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Read as _, Seek as _, Write as _},
    net::SocketAddr,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use jiff::Timestamp;

use crate::private;

/// The file of the store.
pub const STORE: &str = "store.sqlite";
/// The folder of attachments' contents.
pub const ATTACHMENTS: &str = "attachments";
/// The folder that a backup is unpacked into, until it is known to be whole.
pub const RESTORING: &str = "restoring";
/// The lock file of the serving process.
pub const LOCK: &str = "service.lock";

/// The lock file for contents: shared by processes that need them, exclusive for removal.
const CONTENTS_LOCK: &str = "contents.lock";

/// The lock file of the process that copies the store for a backup.
const COPY_LOCK: &str = "backup.lock";

/// The right to serve a folder, which one process has at a time; it ends with the process, however that ends.
#[derive(Debug)]
pub struct Lock(File);

impl Lock {
    /// Locks a folder, and creates it if it is missing.
    pub fn take(folder: &Path) -> Result<Self> {
        let shown = folder.display();
        let unusable = || format!("the folder {shown} cannot be used");
        fs::create_dir_all(folder).with_context(unusable)?;
        let mut file = open_lock(&folder.join(LOCK)).with_context(unusable)?;
        if !is_free(&file).with_context(unusable)? {
            let mut holder = String::new();
            if file.read_to_string(&mut holder).is_err() || holder.is_empty() {
                "another process".clone_into(&mut holder);
            }
            bail!("the folder {shown} is served by {holder}: stop it first, or use another folder");
        }
        let mut lock = Self(file);
        lock.write("").with_context(unusable)?;
        Ok(lock)
    }

    /// Tells others where this process listens.
    pub fn announce(&mut self, address: SocketAddr) -> Result<()> {
        self.write(&format!(" on http://{address}")).context("the lock of the folder of data cannot be written")
    }

    fn write(&mut self, place: &str) -> io::Result<()> {
        self.0.set_len(0)?;
        self.0.rewind()?;
        write!(self.0, "process {}{place} since {:.0}", std::process::id(), Timestamp::now())
    }
}

/// Protects contents from removal until the guard is dropped or the process ends; waits for a running
/// removal.
pub fn keep_contents(folder: &Path) -> io::Result<File> {
    let file = open_lock(&folder.join(CONTENTS_LOCK))?;
    file.lock_shared()?;
    Ok(file)
}

/// Locks contents for removal until the guard is dropped; `None` while a process protects them.
pub fn remove_contents(folder: &Path) -> io::Result<Option<File>> {
    let file = open_lock(&folder.join(CONTENTS_LOCK))?;
    Ok(is_free(&file)?.then_some(file))
}

/// The right to copy the store for a backup, until the answer is dropped; waits while another process has it.
pub fn copy_store(folder: &Path) -> io::Result<File> {
    let file = open_lock(&folder.join(COPY_LOCK))?;
    file.lock()?;
    Ok(file)
}

/// The copy of the store that a backup makes, and the files that SQLite creates next to it. One process copies at a time.
pub fn copy_of_store(folder: &Path) -> [PathBuf; 4] {
    ["", "-journal", "-wal", "-shm"].map(|suffix| folder.join(format!("{STORE}.copy{suffix}")))
}

/// The files of a copy left by an interrupted backup; none while a backup is running.
pub fn left_copy(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let copying = open_lock(&folder.join(COPY_LOCK))?;
    let files = is_free(&copying)?.then(|| copy_of_store(folder));
    Ok(files.into_iter().flatten().filter(|file| file.exists()).collect())
}

/// Takes a lock; `false` while another process has it.
fn is_free(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn open_lock(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create(true).truncate(false).open(path)
}

/// Removes the rights of other users on the folder, the store and the attachments, and returns the paths that had some. Others
/// then reach nothing below the folder.
///
/// Where the rights cannot be removed, such as on a volume of another user, `service doctor` reports it.
pub fn mend(folder: &Path) -> Vec<PathBuf> {
    let store = [STORE.to_owned(), format!("{STORE}-wal"), format!("{STORE}-shm"), ATTACHMENTS.to_owned()];
    let within = store.iter().map(|name| folder.join(name));
    std::iter::once(folder.to_owned()).chain(within).filter(|path| private::mend(path).unwrap_or(false)).collect()
}
