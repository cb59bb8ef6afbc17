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

use super::{FORMAT, File, MANIFEST, Manifest, problems, write::Hashing};
use crate::{
    blob::{self, Blobs},
    domain::attachment::ContentHash,
    folder::{ATTACHMENTS, LOCK, RESTORING, STORE},
    place::Place,
    store::{
        self, KnownBlob, Location, Snapshot,
        transfer::{self, Transfer},
    },
};

/// What is wrong with an archive that cannot be read to its end.
const BROKEN: &str = "the file is not a backup, or is cut off";
/// Entries of a folder that counts as empty: the remains of an interrupted restore, the lock, and what a
/// volume contains.
const NOTHING: [&str; 3] = [RESTORING, LOCK, "lost+found"];

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
    unpack(archive, temporary()?.path(), false, runtime)
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
    let staging = data.join(RESTORING);
    if staging.exists() {
        fs::remove_dir_all(&staging).with_context(|| at(&staging))?;
    }
    fs::create_dir(&staging).with_context(|| at(&staging))?;
    let placed = unpack(archive, &staging, true, runtime).and_then(|restored| {
        // The store comes last, which completes the folder.
        let mut names = vec![ATTACHMENTS, STORE];
        if place.attachments.folder().is_none() {
            put_contents(&restored, &staging, place, runtime)?;
            names.remove(0);
        }
        for from in names.iter().map(|name| staging.join(name)).filter(|from| from.exists()) {
            fs::rename(&from, data.join(from.file_name().unwrap_or_default())).with_context(|| at(&from))?;
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
    let restored = unpack(archive, folder.path(), true, runtime)?;
    put_contents(&restored, folder.path(), place, runtime)?;
    let from = Location::Sqlite(folder.path().join(STORE));
    if restored.manifest.migration < restored.known_migration {
        store::Store::open(from.clone(), &store::Options::default())?.close();
    }
    runtime.block_on(async {
        let transfer = Transfer::open((&from, &place.options), (&place.store, &place.options)).await?;
        transfer.copy(&()).await?;
        transfer.finish(&()).await
    })?;
    Ok(restored)
}

fn temporary() -> Result<tempfile::TempDir> {
    let folder = tempfile::Builder::new().prefix("service-restore-").tempdir();
    folder.context("there is no place for temporary files; `TMPDIR` names another")
}

/// Copies the unpacked contents to their place, except existing ones.
fn put_contents(restored: &Restored, folder: &Path, place: &Place, runtime: &Handle) -> Result<()> {
    let (from, to) = (Blobs::local(&folder.join(ATTACHMENTS))?, place.blobs()?);
    let contents = restored.manifest.files.iter().filter_map(|file| Some((blob_name(&file.name)?, file.size)));
    runtime.block_on(to.copy_missing(&from, contents, || {}))?;
    Ok(())
}

/// Verifies an archive, and unpacks it into a folder: the contents only if they are kept.
fn unpack(input: &mut dyn Read, folder: &Path, keeps_contents: bool, runtime: &Handle) -> Result<Restored> {
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
        let is_store = name == STORE;
        ensure!(is_store || blob_name(&name).is_some(), "the file is not a backup: unexpected entry `{name}`");
        let (size, sha256) = keep(&mut entry, (is_store || keeps_contents).then_some(folder), &name)?;
        files.push(File { name, size, sha256 });
    }
    let Some(manifest) = manifest else {
        bail!("the backup is cut off: it has no manifest, which is the last thing in it");
    };
    let mut found = differences(&manifest, &files);
    let contents: HashMap<&str, u64> =
        files.iter().filter_map(|file| Some((blob_name(&file.name)?, file.size))).collect();
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

/// The differences between the manifest and the files, both in the order of the archive.
fn differences(manifest: &Manifest, files: &[File]) -> Vec<String> {
    let mut found = Vec::new();
    if files.first().is_none_or(|file| file.name != STORE) {
        found.push(format!("{STORE} is not there"));
    }
    if files.len() != manifest.files.len() {
        found.push(format!("it has {} files, the manifest {}", files.len(), manifest.files.len()));
    }
    if let Some((expected, _)) = manifest.files.iter().zip(files).find(|(expected, file)| expected != file) {
        found.push(format!("{} is not there, or has other bytes than were put into it", expected.name));
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

/// Reads an entry to its end, into a new file below a folder if there is one; returns its size and its hash.
fn keep(entry: &mut dyn Read, folder: Option<&Path>, name: &str) -> Result<(u64, String)> {
    let mut reader = Hashing { reader: entry, hash: Sha256::new(), size: 0 };
    if let Some(folder) = folder {
        let path = folder.join(name);
        let unpacked = fs::create_dir_all(path.parent().unwrap_or(folder)).and_then(|()| {
            let mut file = fs::File::create_new(&path)?;
            io::copy(&mut reader, &mut file)?;
            file.sync_all()
        });
        unpacked.with_context(|| format!("the backup cannot be unpacked to {}", path.display()))?;
        path.ancestors().skip(1).take_while(|above| above.starts_with(folder)).try_for_each(sync_folder)?;
    } else {
        io::copy(&mut reader, &mut io::sink()).context(BROKEN)?;
    }
    Ok((reader.size, ContentHash(reader.hash.finalize().into()).to_string()))
}

/// Puts the names in a folder on the disk.
fn sync_folder(folder: &Path) -> Result<()> {
    let synced = fs::File::open(folder).and_then(|folder| folder.sync_all());
    synced.with_context(|| folder.display().to_string())
}
