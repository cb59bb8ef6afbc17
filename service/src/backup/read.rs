//! Reads an archive: verifies it, and restores it.

use std::{
    collections::HashMap,
    fs,
    io::{self, Read},
    path::Path,
};

use anyhow::{Context as _, Result, bail, ensure};
use sha2::{Digest as _, Sha256};
use tokio::runtime::Handle;

use super::{FORMAT, File, MANIFEST, Manifest, contents::Contents, problems, write::Hashing};
use crate::{
    blob::{self, Blobs},
    domain::attachment::ContentHash,
    folder::{ATTACHMENTS, STORE},
    place::Place,
    store::{
        self, KnownBlob, Location, Snapshot,
        transfer::{self, Transfer},
    },
};

/// What is wrong with an archive that cannot be read to its end.
const BROKEN: &str = "the file is not a backup, or is cut off";
/// Where an archive is unpacked until it is known to be whole, in the folder that it is restored into.
const STAGING: &str = "restoring";
/// Entries of a folder that counts as empty: the remains of an interrupted restore, the lock, and what a
/// volume contains.
const NOTHING: [&str; 3] = [STAGING, "service.lock", "lost+found"];

/// A verified archive.
#[derive(Debug)]
pub struct Restored {
    /// Its manifest.
    pub manifest: Manifest,
    /// The last migration of this program.
    pub known_migration: i64,
}

/// Verifies an archive without keeping anything.
///
/// # Panics
///
/// On a thread of a runtime, where waiting is not allowed.
pub fn verify(archive: &mut dyn Read, runtime: &Handle) -> Result<Restored> {
    unpack(archive, temporary()?.path(), None, runtime)
}

/// Restores an archive to a place without a store; a damaged archive changes nothing.
///
/// # Panics
///
/// On a thread of a runtime, where waiting is not allowed.
pub fn restore(archive: &mut dyn Read, place: &Place, runtime: &Handle) -> Result<Restored> {
    match &place.store {
        Location::Sqlite(_) => restore_file(archive, place, runtime),
        Location::Postgres(_) => restore_database(archive, place, runtime),
    }
}

/// Into a folder that holds nothing.
fn restore_file(archive: &mut dyn Read, place: &Place, runtime: &Handle) -> Result<Restored> {
    let data = &place.data;
    let at = |path: &Path| path.display().to_string();
    for entry in fs::read_dir(data).with_context(|| at(data))? {
        let name = entry.with_context(|| at(data))?.file_name();
        let is_nothing = NOTHING.contains(&&*name.to_string_lossy());
        ensure!(is_nothing, "{} is not empty: nothing has been changed; restore into an empty folder", at(data));
    }
    let staging = data.join(STAGING);
    if staging.exists() {
        fs::remove_dir_all(&staging).with_context(|| at(&staging))?;
    }
    fs::create_dir(&staging).with_context(|| at(&staging))?;
    let blobs = match &place.attachments {
        blob::Location::Folder(_) => Blobs::local(&staging.join(ATTACHMENTS)),
        blob::Location::S3 { .. } => place.blobs(),
    };
    let unpacked = blobs.map_err(anyhow::Error::from).and_then(|blobs| unpack_all(archive, &staging, blobs, runtime));
    let placed = unpacked.and_then(|restored| {
        // The store comes last, which completes the folder.
        for name in [ATTACHMENTS, STORE] {
            let from = staging.join(name);
            if from.exists() {
                fs::rename(&from, data.join(name)).with_context(|| at(&from))?;
            }
        }
        sync_folder(data)?;
        Ok(restored)
    });
    if let Err(error) = fs::remove_dir_all(&staging)
        && placed.is_ok()
    {
        return Err(error).with_context(|| at(&staging));
    }
    placed
}

/// Into a database that holds nothing, or a part of the same archive.
fn restore_database(archive: &mut dyn Read, place: &Place, runtime: &Handle) -> Result<Restored> {
    runtime.block_on(transfer::ensure_free(&place.store, &place.options))?;
    let folder = temporary()?;
    let restored = unpack_all(archive, folder.path(), place.blobs()?, runtime)?;
    let from = Location::Sqlite(folder.path().join(STORE));
    if restored.manifest.migration < restored.known_migration {
        store::Store::open(from.clone(), &store::Options::default())?.close();
    }
    runtime.block_on(async {
        let mut transfer = Transfer::open((&from, &place.options), (&place.store, &place.options)).await?;
        transfer.copy(&()).await?;
        transfer.verify(&()).await?;
        transfer.finish().await
    })?;
    Ok(restored)
}

fn temporary() -> Result<tempfile::TempDir> {
    let folder = tempfile::Builder::new().prefix("service-restore-").tempdir();
    folder.context("there is no place for temporary files; `TMPDIR` names another")
}

/// Unpacks the store into a folder and the contents into their place, and checks all of it; contents that were put there are
/// taken back when something is wrong.
fn unpack_all(input: &mut dyn Read, folder: &Path, blobs: Blobs, runtime: &Handle) -> Result<Restored> {
    let mut contents = Contents::new(blobs, runtime)?;
    let unpacked = unpack(input, folder, Some(&mut contents), runtime);
    if unpacked.is_err() {
        contents.undo();
    }
    unpacked
}

/// Unpacks the store to a folder, and the contents to their place if requested, and verifies everything.
fn unpack(
    input: &mut dyn Read,
    folder: &Path,
    mut contents: Option<&mut Contents<'_>>,
    runtime: &Handle,
) -> Result<Restored> {
    let mut archive = tar::Archive::new(input);
    let mut files: Vec<File> = Vec::new();
    let mut manifest: Option<Manifest> = None;
    for entry in archive.entries().context(BROKEN)? {
        let mut entry = entry.context(BROKEN)?;
        let name = entry.path().context(BROKEN)?.to_string_lossy().into_owned();
        if manifest.is_some() {
            bail!("the file is not a backup: `{name}` follows the manifest");
        }
        if name == MANIFEST {
            manifest = Some(read_manifest(&mut entry)?);
            continue;
        }
        let (size, sha256) = match (blob_name(&name), contents.as_deref_mut()) {
            _ if name == STORE => keep_store(&mut entry, &folder.join(STORE))?,
            (Some(blob), Some(contents)) => keep_content(&mut entry, blob, contents)?,
            (Some(_), None) => read_all(&mut entry, |_| Ok(()))?,
            (None, _) => bail!("the file is not a backup: unexpected entry `{name}`"),
        };
        files.push(File { name, size, sha256 });
    }
    let Some(manifest) = manifest else {
        bail!("the backup is cut off: it has no manifest, which is the last thing in it");
    };
    if let Some(contents) = contents {
        contents.finish()?;
    }

    let mut found = differences(&manifest, &files);
    let contents: HashMap<&str, u64> = files
        .iter()
        .filter_map(|file| Some((file.name.strip_prefix(ATTACHMENTS)?.rsplit('/').next()?, file.size)))
        .collect();
    let mut known_migration = manifest.migration;
    if found.is_empty() {
        let is_there =
            |blob: &KnownBlob| contents.get(&*blob.name) == Some(&blob.size) || manifest.lost.contains(&blob.name);
        (known_migration, found) = runtime.block_on(async {
            let file = Location::Sqlite(folder.join(STORE));
            let store = Snapshot::open(&file, &store::Options::default()).await?;
            anyhow::Ok((store.migration().await?.1, problems(&store, is_there).await?))
        })?;
    }
    ensure!(found.is_empty(), "the backup is damaged: {}", found.join("; "));
    Ok(Restored { manifest, known_migration })
}

fn read_manifest(entry: &mut dyn Read) -> Result<Manifest> {
    let mut text = Vec::new();
    entry.read_to_end(&mut text).context(BROKEN)?;
    let read = serde_json::from_slice::<Manifest>(&text);
    let read = read.context("the manifest of the backup cannot be read")?;
    if read.format != FORMAT {
        bail!(
            "the backup has form {}, this program reads form {FORMAT}: use the program that made it, {}",
            read.format,
            read.program
        );
    }
    Ok(read)
}

/// The differences between the files and the manifest.
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

/// The name of the blob at a path; `None` if it is not a blob's path.
fn blob_name(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    let is_hexadecimal = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let (hash, random) = name.split_once('-').unwrap_or((name, ""));
    let is_name = hash.len() == 64 && is_hexadecimal(hash) && is_hexadecimal(random);
    let expected: Vec<_> =
        blob::file(Path::new(ATTACHMENTS), name).iter().map(|part| part.to_string_lossy().into_owned()).collect();
    (is_name && expected.join("/") == path).then_some(name)
}

/// Reads an entry into a new file on the disk; returns its size and its hash.
fn keep_store(entry: &mut dyn Read, path: &Path) -> Result<(u64, String)> {
    let at = || path.display().to_string();
    let mut file = fs::File::create_new(path).with_context(at)?;
    let read = read_all(entry, |bytes| io::Write::write_all(&mut file, bytes).with_context(at))?;
    file.sync_all().with_context(at)?;
    Ok(read)
}

/// Reads an entry into the place of contents.
fn keep_content(entry: &mut dyn Read, blob: &str, contents: &mut Contents<'_>) -> Result<(u64, String)> {
    let mut upload = contents.begin();
    let read = read_all(entry, |bytes| contents.write(&mut upload, bytes))?;
    contents.end(blob, upload)?;
    Ok(read)
}

/// Reads an entry to its end; returns its size and its hash.
fn read_all(entry: &mut dyn Read, mut keep: impl FnMut(&[u8]) -> Result<()>) -> Result<(u64, String)> {
    let mut reader = Hashing { reader: entry, hash: Sha256::new(), size: 0 };
    let mut buffer = vec![0; 64 << 10];
    loop {
        match reader.read(&mut buffer).context(BROKEN)? {
            0 => return Ok((reader.size, ContentHash(reader.hash.finalize().into()).to_string())),
            count => keep(&buffer[..count])?,
        }
    }
}

/// Puts the names in a folder on the disk; only Unix can.
fn sync_folder(folder: &Path) -> Result<()> {
    if cfg!(unix) {
        let synced = fs::File::open(folder).and_then(|folder| folder.sync_all());
        synced.with_context(|| folder.display().to_string())?;
    }
    Ok(())
}
