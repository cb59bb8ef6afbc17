//! The service's writes to its files, as logged by the fault library, and the possible states of a disk after
//! a power loss at any of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use anyhow::{Context as _, Result, bail};

/// The atomic unit of a disk: of an unflushed write, any sectors may be missing.
const SECTOR: usize = 512;

/// One change; paths are relative to the folder of data, and begin with a slash.
#[derive(Clone, Debug)]
pub enum Change {
    /// A new file.
    Create(String),
    /// Bytes written at an offset.
    Write(String, usize, Vec<u8>),
    /// A new length.
    Truncate(String, usize),
    /// A file or folder is flushed to the disk.
    Sync(String),
    /// A new name, replacing an existing file.
    Rename(String, String),
    /// A hard link.
    Link(String, String),
    /// A removed name.
    Unlink(String),
    /// A new folder.
    CreateFolder(String),
}

/// Parses the log; each change has the length of the log up to it.
pub fn read(log: &[u8]) -> Result<Vec<(usize, Change)>> {
    let mut changes = Vec::new();
    let mut at = 0;
    while at < log.len() {
        let number = |from: usize, length: usize| -> Result<usize> {
            let bytes = log.get(at + from..at + from + length).context("the log is cut")?;
            let mut whole = [0; 8];
            whole[..length].copy_from_slice(bytes);
            Ok(usize::try_from(u64::from_le_bytes(whole))?)
        };
        let (kind, path, offset, length) = (number(0, 4)?, number(4, 4)?, number(8, 8)?, number(16, 8)?);
        let begin = at + 24;
        let text = |from: usize, length: usize| -> Result<String> {
            Ok(String::from_utf8(log.get(from..from + length).context("the log is cut")?.to_vec())?)
        };
        let name = text(begin, path)?;
        at = begin + path + length;
        changes.push((
            at,
            match kind {
                1 => Change::Create(name),
                2 => Change::Write(name, offset, log.get(begin + path..at).context("the log is cut")?.to_vec()),
                3 => Change::Truncate(name, offset),
                4 => Change::Sync(name),
                5 => Change::Rename(name, text(begin + path, length)?),
                6 => Change::Link(name, text(begin + path, length)?),
                7 => Change::Unlink(name),
                8 => Change::CreateFolder(name),
                kind => bail!("the log has a change of kind {kind}"),
            },
        ));
    }
    Ok(changes)
}

/// A file: its flushed and unflushed state.
#[derive(Clone, Debug, Default)]
struct Inode {
    durable: Vec<u8>,
    /// Writes since the last flush, in order.
    pending: Vec<Data>,
}

#[derive(Clone, Debug)]
enum Data {
    Write(usize, Vec<u8>),
    Truncate(usize),
}

#[derive(Clone, Debug)]
enum Name {
    Set(String, usize),
    Remove(String),
    Folder(String),
}

/// A disk with unflushed changes. Names are flushed with their folder only, bytes with their file only.
#[derive(Debug, Default)]
pub struct Disk {
    inodes: Vec<Inode>,
    /// What programs see.
    names: BTreeMap<String, usize>,
    durable_names: BTreeMap<String, usize>,
    durable_folders: BTreeSet<String>,
    pending_names: Vec<Name>,
}

/// How much of the unflushed data survives a power loss.
#[derive(Clone, Copy, Debug)]
pub enum Left {
    /// Nothing.
    Nothing,
    /// Everything, as when only the process dies.
    Everything,
    /// Names up to some change, and any sectors.
    Some,
}

impl Disk {
    /// A disk with the files of a folder, all flushed.
    pub fn of(folder: &Path) -> Result<Self> {
        let mut disk = Self::default();
        disk.add(folder, "")?;
        Ok(disk)
    }

    fn add(&mut self, folder: &Path, inside: &str) -> Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = format!("{inside}/{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                self.durable_folders.insert(path.clone());
                self.add(&entry.path(), &path)?;
            } else {
                self.inodes.push(Inode { durable: fs::read(entry.path())?, pending: Vec::new() });
                self.names.insert(path.clone(), self.inodes.len() - 1);
                self.durable_names.insert(path, self.inodes.len() - 1);
            }
        }
        Ok(())
    }

    /// Applies a change.
    pub fn apply(&mut self, change: Change) {
        match change {
            Change::Create(path) => {
                self.inodes.push(Inode::default());
                self.set(path, self.inodes.len() - 1);
            }
            Change::Write(path, offset, bytes) => self.change(&path, Data::Write(offset, bytes)),
            Change::Truncate(path, length) => self.change(&path, Data::Truncate(length)),
            Change::Sync(path) => self.sync(&path),
            Change::Rename(from, to) => {
                if let Some(inode) = self.names.remove(&from) {
                    self.pending_names.push(Name::Remove(from));
                    self.set(to, inode);
                }
            }
            Change::Link(from, to) => {
                if let Some(inode) = self.names.get(&from).copied() {
                    self.set(to, inode);
                }
            }
            Change::Unlink(path) => {
                self.names.remove(&path);
                self.pending_names.push(Name::Remove(path));
            }
            Change::CreateFolder(path) => self.pending_names.push(Name::Folder(path)),
        }
    }

    fn set(&mut self, path: String, inode: usize) {
        self.names.insert(path.clone(), inode);
        self.pending_names.push(Name::Set(path, inode));
    }

    fn change(&mut self, path: &str, data: Data) {
        // After a power loss, a file without a name is lost.
        if let Some(inode) = self.names.get(path) {
            self.inodes[*inode].pending.push(data);
        }
    }

    fn sync(&mut self, path: &str) {
        if let Some(inode) = self.names.get(path) {
            let inode = &mut self.inodes[*inode];
            for data in std::mem::take(&mut inode.pending) {
                put(&mut inode.durable, &data, |_| true);
            }
            return;
        }
        let (flushed, pending) = std::mem::take(&mut self.pending_names).into_iter().partition(|name| {
            let (Name::Set(name, _) | Name::Remove(name) | Name::Folder(name)) = name;
            name.rsplit_once('/').map(|(folder, _)| folder) == Some(path)
        });
        self.pending_names = pending;
        let flushed: Vec<Name> = flushed;
        apply_names(&mut self.durable_names, &mut self.durable_folders, flushed);
    }

    /// Writes the state after a power loss into an empty folder. SQLite rebuilds the index of its log when it
    /// opens the store.
    pub fn lose_power(&self, left: Left, random: &mut fastrand::Rng, folder: &Path) -> Result<()> {
        let mut names = self.durable_names.clone();
        let mut folders = self.durable_folders.clone();
        let kept = match left {
            Left::Nothing => 0,
            Left::Everything => self.pending_names.len(),
            Left::Some => random.usize(..=self.pending_names.len()),
        };
        apply_names(&mut names, &mut folders, self.pending_names[..kept].to_vec());
        for path in &folders {
            fs::create_dir_all(folder.join(&path[1..]))?;
        }
        for (path, inode) in names.iter().filter(|(path, _)| !path.ends_with("-shm")) {
            let inode = &self.inodes[*inode];
            let mut bytes = inode.durable.clone();
            for data in &inode.pending {
                match left {
                    Left::Nothing => break,
                    Left::Everything => put(&mut bytes, data, |_| true),
                    Left::Some => {
                        let is_kept = random.bool();
                        let is_torn = random.u8(..4) == 0;
                        if is_kept || is_torn {
                            put(&mut bytes, data, |_| !is_torn || random.bool());
                        }
                    }
                }
            }
            let target = folder.join(&path[1..]);
            // If the folder of a name is lost, so is the name.
            if target.parent().is_some_and(Path::is_dir) {
                fs::write(target, bytes)?;
            }
        }
        Ok(())
    }
}

fn apply_names(names: &mut BTreeMap<String, usize>, folders: &mut BTreeSet<String>, changes: Vec<Name>) {
    for change in changes {
        match change {
            Name::Set(path, inode) => {
                names.insert(path, inode);
            }
            Name::Remove(path) => {
                names.remove(&path);
            }
            Name::Folder(path) => {
                folders.insert(path);
            }
        }
    }
}

/// Applies a write; only the sectors that `is_kept` accepts.
fn put(bytes: &mut Vec<u8>, data: &Data, mut is_kept: impl FnMut(usize) -> bool) {
    match data {
        Data::Truncate(length) => bytes.resize(*length, 0),
        Data::Write(offset, written) => {
            let mut begin = 0;
            while begin < written.len() {
                let place = offset + begin;
                let end = (begin + SECTOR - place % SECTOR).min(written.len());
                if is_kept(place / SECTOR) {
                    let last = offset + end;
                    if bytes.len() < last {
                        bytes.resize(last, 0);
                    }
                    bytes[place..last].copy_from_slice(&written[begin..end]);
                }
                begin = end;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(disk: &Disk, left: Left) -> Vec<(String, Vec<u8>)> {
        let folder = tempfile::tempdir().expect("a folder");
        disk.lose_power(left, &mut fastrand::Rng::with_seed(1), folder.path()).expect("written");
        let entries = fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry"));
        let mut files: Vec<_> = entries
            .map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("a file")))
            .collect();
        files.sort();
        files
    }

    #[test]
    fn what_is_flushed_stays_and_the_rest_may_go() {
        let mut disk = Disk::default();
        disk.apply(Change::Create("/a".into()));
        disk.apply(Change::Write("/a".into(), 0, b"one".to_vec()));
        disk.apply(Change::Sync("/a".into()));
        assert_eq!(left(&disk, Left::Nothing), [], "its name is not flushed");
        disk.apply(Change::Sync(String::new()));
        disk.apply(Change::Write("/a".into(), 3, b"two".to_vec()));
        disk.apply(Change::Rename("/a".into(), "/b".into()));
        assert_eq!(left(&disk, Left::Nothing), [("a".to_owned(), b"one".to_vec())]);
        assert_eq!(left(&disk, Left::Everything), [("b".to_owned(), b"onetwo".to_vec())]);
    }
}
