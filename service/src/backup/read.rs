//! Reads an archive: checks all of it, and puts it in its place.

use std::{
    collections::HashMap,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

use super::{Error, FORMAT, File, MANIFEST, Manifest, io_error, problems, write::Hashing};
use crate::{
    blob,
    domain::attachment::ContentHash,
    folder::{ATTACHMENTS, STORE},
    store::StoreFile,
};

/// Where an archive is unpacked until it is known to be whole, in the folder that it is restored into.
const STAGING: &str = "restoring";
/// What may stand in a folder that counts as empty: what is left of a restore that was cut off, the lock, and what a volume
/// brings along.
const NOTHING: [&str; 3] = [STAGING, "service.lock", "lost+found"];

/// An archive that is whole, and what came of it.
#[derive(Debug)]
pub struct Restored {
    /// What it holds.
    pub manifest: Manifest,
    /// The last migration that this program knows.
    pub known_migration: i64,
}

/// Checks an archive; nothing stays of it.
pub fn verify(archive: &mut dyn Read) -> Result<Restored, Error> {
    let folder = tempfile::Builder::new().prefix("service-verify-").tempdir();
    let folder = folder.map_err(io_error("there is no place for temporary files; `TMPDIR` names another"))?;
    unpack(archive, folder.path(), false)
}

/// Puts an archive into a folder that holds nothing; when it is damaged, the folder stays as it was.
pub fn restore(archive: &mut dyn Read, data: &Path) -> Result<Restored, Error> {
    let at = |path: &Path| io_error(path.display().to_string());
    for entry in fs::read_dir(data).map_err(at(data))? {
        if !NOTHING.contains(&&*entry.map_err(at(data))?.file_name().to_string_lossy()) {
            return Err(Error::NotEmpty(data.display().to_string()));
        }
    }
    let staging = data.join(STAGING);
    if staging.exists() {
        fs::remove_dir_all(&staging).map_err(at(&staging))?;
    }
    fs::create_dir(&staging).map_err(at(&staging))?;
    let placed = unpack(archive, &staging, true).and_then(|restored| {
        // The store comes last: with it the folder is whole.
        for name in [ATTACHMENTS, STORE] {
            let from = staging.join(name);
            if from.exists() {
                fs::rename(&from, data.join(name)).map_err(at(&from))?;
            }
        }
        sync_folder(data)?;
        Ok(restored)
    });
    if let Err(error) = fs::remove_dir_all(&staging)
        && placed.is_ok()
    {
        return Err(Error::Io(staging.display().to_string(), error));
    }
    placed
}

/// Unpacks an archive into a folder and checks it; contents are kept only when they are wanted.
fn unpack(input: &mut dyn Read, folder: &Path, keeps_contents: bool) -> Result<Restored, Error> {
    let broken = |error: io::Error| Error::Archive(format!("the file is no backup, or cut off: {error}"));
    let mut archive = tar::Archive::new(input);
    let mut files: Vec<File> = Vec::new();
    let mut manifest: Option<Manifest> = None;
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        let name = entry.path().map_err(broken)?.to_string_lossy().into_owned();
        if manifest.is_some() {
            return Err(Error::Archive(format!("the file is no backup: `{name}` stands behind the manifest")));
        }
        if name == MANIFEST {
            let mut text = Vec::new();
            entry.read_to_end(&mut text).map_err(broken)?;
            let read = serde_json::from_slice::<Manifest>(&text);
            let read =
                read.map_err(|error| Error::Archive(format!("the manifest of the backup cannot be read: {error}")))?;
            if read.format != FORMAT {
                return Err(Error::Archive(format!(
                    "the backup has form {}, this program reads form {FORMAT}: use the program that made it, {}",
                    read.format, read.program
                )));
            }
            manifest = Some(read);
            continue;
        }
        let path = match blob_name(&name) {
            _ if name == STORE => Some(folder.join(STORE)),
            Some(blob) => keeps_contents.then(|| blob::file(&folder.join(ATTACHMENTS), blob)),
            None => return Err(Error::Archive(format!("the file is no backup: `{name}` is not a part of one"))),
        };
        let (size, sha256) = keep(&mut entry, path.as_deref(), broken)?;
        files.push(File { name, size, sha256 });
    }
    let Some(manifest) = manifest else {
        return Err(Error::Archive("the backup is cut off: it has no manifest, which is the last thing in it".into()));
    };

    let mut found = differences(&manifest, &files);
    let contents: HashMap<&str, u64> = files
        .iter()
        .filter_map(|file| Some((file.name.strip_prefix(ATTACHMENTS)?.rsplit('/').next()?, file.size)))
        .collect();
    let mut known_migration = manifest.migration;
    if found.is_empty() {
        let store = StoreFile::open(&folder.join(STORE))?;
        known_migration = store.migration()?.1;
        found = problems(&store, |blob| {
            contents.get(&*blob.name) == Some(&blob.size) || manifest.lost.contains(&blob.name)
        })?;
    }
    if found.is_empty() { Ok(Restored { manifest, known_migration }) } else { Err(Error::Damaged(found)) }
}

/// How what was read differs from what the manifest says.
fn differences(manifest: &Manifest, files: &[File]) -> Vec<String> {
    let mut found = Vec::new();
    if !files.iter().any(|file| file.name == STORE) {
        found.push(format!("{STORE} is not there"));
    }
    let read: HashMap<&str, &File> = files.iter().map(|file| (&*file.name, file)).collect();
    for file in &manifest.files {
        match read.get(&*file.name) {
            None => found.push(format!("{} is not there", file.name)),
            Some(read) if **read != *file => found.push(format!("{} has other bytes than were put into it", file.name)),
            Some(_) => {}
        }
    }
    if read.len() != manifest.files.len() || files.len() != manifest.files.len() {
        found.push(format!("it has {} files, the manifest {}", files.len(), manifest.files.len()));
    }
    for file in files {
        let is_right = blob_name(&file.name)
            .is_none_or(|blob| blob::hash_of(blob) == file.sha256 || manifest.lost.iter().any(|lost| lost == blob));
        if !is_right {
            found.push(format!("{} has bytes of another hash", file.name));
        }
    }
    found
}

/// The name of the blob that is at a path; nothing when it is no such path.
fn blob_name(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    let is_hexadecimal = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let (hash, random) = name.split_once('-').unwrap_or((name, ""));
    let is_name = hash.len() == 64 && is_hexadecimal(hash) && is_hexadecimal(random);
    let expected: Vec<_> =
        blob::file(Path::new(ATTACHMENTS), name).iter().map(|part| part.to_string_lossy().into_owned()).collect();
    (is_name && expected.join("/") == path).then_some(name)
}

/// Reads an entry to its end, into a file on the disk where one is wanted; answers its size and its hash.
fn keep(
    entry: &mut dyn Read,
    path: Option<&Path>,
    broken: impl Fn(io::Error) -> Error,
) -> Result<(u64, String), Error> {
    let mut reader = Hashing { reader: entry, hash: Sha256::new() };
    let mut file = path.map(create).transpose()?;
    let mut buffer = vec![0; 64 << 10];
    let mut size = 0;
    loop {
        let count = reader.read(&mut buffer).map_err(&broken)?;
        if count == 0 {
            break;
        }
        size += count as u64;
        if let Some((path, file)) = &mut file {
            io::Write::write_all(file, &buffer[..count]).map_err(io_error(path.display().to_string()))?;
        }
    }
    if let Some((path, file)) = file {
        file.sync_all().map_err(io_error(path.display().to_string()))?;
    }
    Ok((size, ContentHash(reader.hash.finalize().into()).to_string()))
}

fn create(path: &Path) -> Result<(PathBuf, fs::File), Error> {
    let at = || io_error(path.display().to_string());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(at())?;
    }
    Ok((path.to_owned(), fs::File::create_new(path).map_err(at())?))
}

/// Puts the names in a folder on the disk; only Unix can.
fn sync_folder(folder: &Path) -> Result<(), Error> {
    if cfg!(unix) {
        let synced = fs::File::open(folder).and_then(|folder| folder.sync_all());
        synced.map_err(io_error(folder.display().to_string()))?;
    }
    Ok(())
}
