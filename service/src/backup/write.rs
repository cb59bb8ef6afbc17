//! Writes an archive.

use std::{
    fs,
    io::{self, Read, Write},
    path::Path,
};

use anyhow::{Context as _, Result};
use futures_util::TryStreamExt as _;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use tokio::runtime::Handle;
use tokio_util::io::{StreamReader, SyncIoBridge};

use super::{FORMAT, File, MANIFEST, Manifest};
use crate::{
    blob,
    domain::attachment::ContentHash,
    folder::{self, ATTACHMENTS, STORE},
    place::Place,
    store::{self, KnownBlob, Location, Snapshot, transfer::Transfer},
};

/// The result of writing.
#[derive(Debug)]
pub struct Written {
    /// Bytes of the store and of the contents.
    pub bytes: u64,
    /// Contents of attachments.
    pub contents: usize,
    /// Names of referenced blobs that are lost or damaged.
    pub lost: Vec<String>,
}

/// Writes an archive of a place, which may be in use: a snapshot of the store, and every referenced content.
///
/// # Panics
///
/// On a thread of a runtime, where waiting is not allowed.
pub fn write(place: &Place, output: &mut dyn Write, runtime: &Handle) -> Result<Written> {
    let folder = || place.data.display().to_string();
    fs::create_dir_all(&place.data).with_context(folder)?;
    let kept = runtime.block_on(place.keep_contents());
    let (_lock, kept) = kept.context("the contents cannot be kept from being removed")?;
    let copying = folder::copy_store(&place.data).context("the store cannot be copied")?;
    let files = folder::copy_of_store(&place.data);
    // An error means that the file is not there, or that the copy fails, too.
    let remove = || files.iter().for_each(|file| drop(fs::remove_file(file)));
    // A backup that was killed may have left its copy.
    remove();
    let copy = &files[0];
    let copied = match &place.store {
        Location::Sqlite(file) => store::copy(file, copy),
        Location::Postgres(_) => runtime.block_on(take(place, copy)),
    };
    let opened = copied.and_then(|()| runtime.block_on(describe(copy)));
    let store = fs::File::open(copy);
    // The open file stays readable.
    remove();
    drop(copying);
    let (migration, used) = opened.context("the store cannot be read")?;
    let mut archive = Archive { builder: tar::Builder::new(output), files: Vec::new(), made_on: Timestamp::now() };
    let mut store = store.context("the copy of the store cannot be read")?;
    let size = store.metadata().context("the copy of the store cannot be read")?.len();
    archive.append(STORE.to_owned(), size, &mut store)?;
    let lost = archive.append_contents(place, used, runtime)?;
    // An archive that is whole may be relied on.
    runtime.block_on(kept.end())?;
    archive.end(migration, lost)
}

/// Copies a snapshot of a database into a new file.
async fn take(place: &Place, file: &Path) -> Result<(), store::Error> {
    let to = Location::Sqlite(file.to_owned());
    let transfer = Transfer::open((&place.store, &place.options), (&to, &place.options)).await?;
    transfer.copy(&()).await?;
    transfer.finish_in_use(&()).await
}

/// The last migration of a store, and the blobs that its records refer to.
async fn describe(file: &Path) -> Result<(i64, Vec<KnownBlob>), store::Error> {
    let store = Snapshot::open(&Location::Sqlite(file.to_owned()), &store::Options::default()).await?;
    Ok((store.migration().await?.0, store.used_blobs().await?))
}

struct Archive<W: Write> {
    builder: tar::Builder<W>,
    files: Vec<File>,
    made_on: Timestamp,
}

impl<W: Write> Archive<W> {
    /// Appends what records refer to; returns the names of the blobs that are lost or damaged.
    fn append_contents(&mut self, place: &Place, used: Vec<KnownBlob>, runtime: &Handle) -> Result<Vec<String>> {
        let blobs = place.blobs_that_are_there()?;
        let mut lost = Vec::new();
        for KnownBlob { name, hash, .. } in used {
            let found = match &blobs {
                Some(blobs) => runtime.block_on(blobs.find(&name))?,
                None => None,
            };
            let Some((size, pieces)) = found else {
                lost.push(name);
                continue;
            };
            let entry = blob::file(Path::new(ATTACHMENTS), &name);
            let entry: Vec<_> = entry.iter().map(|part| part.to_string_lossy()).collect();
            let stream = StreamReader::new(pieces.map_err(io::Error::other));
            let mut bytes = SyncIoBridge::new_with_handle(stream, runtime.clone());
            if self.append(entry.join("/"), size, &mut bytes)? != hash.to_string() {
                lost.push(name);
            }
        }
        Ok(lost)
    }

    /// Appends `size` bytes and returns their hash.
    fn append(&mut self, name: String, size: u64, bytes: &mut dyn Read) -> Result<String> {
        let mut reader = Hashing { reader: bytes, hash: Sha256::new(), size: 0 };
        let mut header = header(size, self.made_on);
        let appended = self.builder.append_data(&mut header, &name, &mut reader);
        let appended = appended.and_then(|()| match reader.size {
            found if found == size => Ok(()),
            found => Err(io::Error::other(format!("{found} bytes of {size} have come"))),
        });
        appended.with_context(|| format!("{name} cannot be written"))?;
        let sha256 = ContentHash(reader.hash.finalize().into()).to_string();
        self.files.push(File { name, size, sha256: sha256.clone() });
        Ok(sha256)
    }

    /// Writes the manifest.
    fn end(self, migration: i64, lost: Vec<String>) -> Result<Written> {
        const WRITE: &str = "the backup cannot be written";
        let Self { mut builder, files, made_on } = self;
        let (contents, bytes) = (files.len() - 1, files.iter().map(|file| file.size).sum());
        let program = env!("CARGO_PKG_VERSION").to_owned();
        let manifest = Manifest { format: FORMAT, made_on, program, migration, files, lost };
        let text = serde_json::to_vec_pretty(&manifest)?;
        let mut header = header(text.len() as u64, made_on);
        builder.append_data(&mut header, MANIFEST, text.as_slice()).context(WRITE)?;
        builder.into_inner().and_then(|mut output| output.flush()).context(WRITE)?;
        Ok(Written { bytes, contents, lost: manifest.lost })
    }
}

/// Hashes and counts the bytes read through it.
pub(super) struct Hashing<R> {
    pub(super) reader: R,
    pub(super) hash: Sha256,
    pub(super) size: u64,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.hash.update(&buffer[..count]);
        self.size += count as u64;
        Ok(count)
    }
}

fn header(size: u64, made_on: Timestamp) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_size(size);
    header.set_mode(0o600);
    header.set_mtime(u64::try_from(made_on.as_second()).unwrap_or(0));
    header
}
