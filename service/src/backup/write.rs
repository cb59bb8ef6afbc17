//! Writes an archive.

use std::{
    fs,
    io::{self, Read, Write},
    path::Path,
};

use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use super::{Error, FORMAT, File, MANIFEST, Manifest, io_error};
use crate::{
    blob,
    domain::attachment::ContentHash,
    folder::{self, ATTACHMENTS, STORE},
    store::{self, StoreFile, UsedBlob},
};

/// What was written.
#[derive(Debug)]
pub struct Written {
    /// Bytes of the store and of the contents.
    pub bytes: u64,
    /// Contents of attachments.
    pub contents: usize,
    /// Names of blobs that records refer to and that are lost or damaged.
    pub lost: Vec<String>,
}

/// Writes the archive of a folder of data, which may be in use: the store as it is now, and every content that it refers to.
pub fn write(data: &Path, output: &mut dyn Write) -> Result<Written, Error> {
    let write = || io_error("the backup cannot be written");
    let _held = folder::keep_contents(data).map_err(io_error("the contents cannot be kept from being removed"))?;
    let copying = folder::copy_store(data).map_err(io_error("the store cannot be copied"))?;
    // Nobody else copies now: what is there is of a process that was killed, perhaps one with the number of this one.
    for left in folder::copies(data).map_err(io_error("the folder of data cannot be read"))? {
        tracing::warn!("{} is left of a backup that was cut off; it is removed", left.display());
        let _ = fs::remove_file(left);
    }
    let copy = folder::copy_of_store(data);
    store::copy(&data.join(STORE), &copy)?;
    let opened = StoreFile::open(&copy).and_then(|file| Ok((file.migration()?.0, file.used_blobs()?)));
    let store = fs::File::open(&copy);
    // What is open can still be read; nothing is left behind from here on. Where that is not so, it goes at the end.
    let _ = fs::remove_file(&copy);
    drop(copying);
    let result = (|| {
        let (migration, used) = opened?;
        let mut archive = Archive { builder: tar::Builder::new(output), files: Vec::new(), made_on: Timestamp::now() };
        archive.append(STORE.to_owned(), &mut store.map_err(io_error("the copy of the store cannot be read"))?)?;
        let mut lost = Vec::new();
        for UsedBlob { name, hash, .. } in used {
            let path = blob::file(&data.join(ATTACHMENTS), &name);
            let entry = blob::file(Path::new(ATTACHMENTS), &name);
            let entry: Vec<_> = entry.iter().map(|part| part.to_string_lossy()).collect();
            match fs::File::open(&path) {
                Ok(mut file) => {
                    if archive.append(entry.join("/"), &mut file)? != hash.to_string() {
                        lost.push(name);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => lost.push(name),
                Err(error) => return Err(Error::Io(path.display().to_string(), error)),
            }
        }
        let contents = archive.files.len() - 1;
        let bytes = archive.files.iter().map(|file| file.size).sum();
        let program = env!("CARGO_PKG_VERSION").to_owned();
        let Archive { mut builder, files, made_on } = archive;
        let manifest = Manifest { format: FORMAT, made_on, program, migration, files, lost };
        let text = serde_json::to_vec_pretty(&manifest).map_err(|error| write()(error.into()))?;
        let mut header = header(text.len() as u64, made_on);
        builder.append_data(&mut header, MANIFEST, text.as_slice()).map_err(write())?;
        builder.into_inner().and_then(Write::flush).map_err(write())?;
        Ok(Written { bytes, contents, lost: manifest.lost })
    })();
    let _ = fs::remove_file(&copy);
    result
}

struct Archive<W: Write> {
    builder: tar::Builder<W>,
    files: Vec<File>,
    made_on: Timestamp,
}

impl<W: Write> Archive<W> {
    /// Appends a file and answers the hash of what has been read of it.
    fn append(&mut self, name: String, file: &mut fs::File) -> Result<String, Error> {
        let size = file.metadata().map_err(io_error(&name))?.len();
        let mut reader = Hashing { reader: file, hash: Sha256::new() };
        let mut header = header(size, self.made_on);
        self.builder
            .append_data(&mut header, &name, &mut reader)
            .map_err(io_error(format!("{name} cannot be written")))?;
        let sha256 = ContentHash(reader.hash.finalize().into()).to_string();
        self.files.push(File { name, size, sha256: sha256.clone() });
        Ok(sha256)
    }
}

/// Hashes what is read through it.
pub(super) struct Hashing<R> {
    pub(super) reader: R,
    pub(super) hash: Sha256,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.hash.update(&buffer[..count]);
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
