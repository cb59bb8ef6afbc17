//! The data folder: its files, and the process that serves it.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Read as _, Seek as _, Write as _},
    net::SocketAddr,
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::private;

/// The file of the store.
pub const STORE: &str = "store.sqlite";
/// The folder of attachments' contents.
pub const ATTACHMENTS: &str = "attachments";
/// The lock file of the serving process.
const LOCK: &str = "service.lock";

/// The lock file for contents: shared by processes that need them, exclusive for removal.
const CONTENTS_LOCK: &str = "contents.lock";

/// The lock file of the process that copies the store for a backup.
const COPY_LOCK: &str = "backup.lock";

/// The suffixes of files that SQLite creates next to a database.
pub const BESIDE: [&str; 3] = ["-journal", "-wal", "-shm"];

/// Why a folder cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Another process serves it.
    #[error("the folder {folder} is served by {holder}: stop it first, or use another folder")]
    Held {
        /// The folder.
        folder: String,
        /// How the other process describes itself.
        holder: String,
    },
    /// The folder cannot be used.
    #[error("the folder {folder} cannot be used")]
    Io {
        /// The folder.
        folder: String,
        /// Why.
        source: io::Error,
    },
}

/// The exclusive lock on a folder; released when the process ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    folder: PathBuf,
    file: File,
    since: Timestamp,
}

/// The description of a lock's holder.
#[derive(Deserialize, Serialize)]
struct Holder {
    process: u32,
    since: Timestamp,
    address: Option<SocketAddr>,
}

impl Lock {
    /// Locks a folder, and creates it if missing.
    pub fn take(folder: &Path) -> Result<Self, Error> {
        let fail = |source| Error::Io { folder: folder.display().to_string(), source };
        fs::create_dir_all(folder).map_err(fail)?;
        let path = folder.join(LOCK);
        let mut file = File::options().read(true).write(true).create(true).truncate(false).open(path).map_err(fail)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::Held { folder: folder.display().to_string(), holder: holder(&mut file) });
            }
            Err(TryLockError::Error(source)) => return Err(fail(source)),
        }
        let mut lock = Self { folder: folder.to_owned(), file, since: Timestamp::now() };
        lock.write(None)?;
        Ok(lock)
    }

    /// Records the address of this process for others.
    pub fn announce(&mut self, address: SocketAddr) -> Result<(), Error> {
        self.write(Some(address))
    }

    fn write(&mut self, address: Option<SocketAddr>) -> Result<(), Error> {
        let holder = Holder { process: std::process::id(), since: self.since, address };
        let text = serde_json::to_string(&holder).map_err(io::Error::from);
        let written = text.and_then(|text| {
            self.file.set_len(0)?;
            self.file.rewind()?;
            self.file.write_all(text.as_bytes())
        });
        written.map_err(|source| Error::Io { folder: self.folder.display().to_string(), source })
    }
}

/// Protects contents from removal until the guard is dropped or the process ends; waits for a running
/// removal.
pub fn keep_contents(folder: &Path) -> io::Result<File> {
    let file = contents_lock(folder)?;
    file.lock_shared()?;
    Ok(file)
}

/// Locks contents for removal until the guard is dropped; `None` while a process protects them.
pub fn remove_contents(folder: &Path) -> io::Result<Option<File>> {
    let file = contents_lock(folder)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn contents_lock(folder: &Path) -> io::Result<File> {
    open_lock(&folder.join(CONTENTS_LOCK))
}

/// Locks the store for a backup copy until the guard is dropped; waits for another process.
pub fn copy_store(folder: &Path) -> io::Result<File> {
    let file = open_lock(&folder.join(COPY_LOCK))?;
    file.lock()?;
    Ok(file)
}

/// Copies of the store left by interrupted backups; empty while a backup is running.
pub fn left_copies(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match open_lock(&folder.join(COPY_LOCK))?.try_lock() {
        Ok(()) => copies(folder),
        Err(TryLockError::WouldBlock) => Ok(Vec::new()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The copies of the store in a folder, with SQLite's additional files.
pub fn copies(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut copies = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let number = BESIDE.iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(&name);
        let number = number.strip_prefix(STORE).and_then(|rest| rest.strip_prefix('.')?.strip_suffix(".copy"));
        if number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit())) {
            copies.push(entry.path());
        }
    }
    Ok(copies)
}

/// The path of this process's copy of the store.
pub fn copy_of_store(folder: &Path) -> PathBuf {
    folder.join(format!("{STORE}.{}.copy", std::process::id()))
}

fn open_lock(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create(true).truncate(false).open(path)
}

/// Removes the access of other users to the folder and its direct entries; returns the changed paths.
///
/// Entries further below are then inaccessible, too. What cannot be changed, such as a volume's folder with
/// another owner, is reported by `service doctor`.
pub fn mend(folder: &Path) -> Vec<PathBuf> {
    let store = [STORE.to_owned(), format!("{STORE}-wal"), format!("{STORE}-shm"), ATTACHMENTS.to_owned()];
    let within = store.iter().map(|name| folder.join(name));
    std::iter::once(folder.to_owned()).chain(within).filter(|path| private::mend(path).unwrap_or(false)).collect()
}

/// The content of a lock file in words.
fn holder(file: &mut File) -> String {
    let mut text = String::new();
    // On Windows, a locked file cannot be read, so the holder is unknown.
    let holder = file.read_to_string(&mut text).ok().and_then(|_| serde_json::from_str::<Holder>(&text).ok());
    holder.map_or("another process".into(), |holder| {
        let address = holder.address.map_or_else(String::new, |address| format!(" on http://{address}"));
        format!("process {}{address} since {:.0}", holder.process, holder.since)
    })
}
