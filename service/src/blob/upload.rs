//! One upload: bytes in, a content under its hash out.

use std::sync::Arc;

use bytes::Bytes;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt as _, PutPayload, PutPayloadMut, path::Path as Key};
use sha2::{Digest as _, Sha256};

use super::{Error, STAGING, content_key};

/// Bytes that are gathered before they are sent on: the smallest part that every object store takes.
pub(super) const PART: usize = 5 << 20;
/// The same for a file of this machine, which takes any.
pub(super) const LOCAL_PART: usize = 512 << 10;
/// Bytes that stand together in memory.
const BLOCK: usize = 64 << 10;
/// Bytes from the beginning that are kept to tell the type of the file.
const HEAD: usize = 8192;

/// An upload under way. Dropped before it is finished, it leaves at most a staged object, which a sweep removes.
#[derive(Debug)]
pub struct Upload {
    store: Arc<dyn ObjectStore>,
    limit: u64,
    part: usize,
    size: u64,
    hash: Sha256,
    head: Vec<u8>,
    pending: PutPayloadMut,
    staged: Option<(Key, Box<dyn MultipartUpload>)>,
}

/// All bytes of an upload, their hash known, not yet kept under it.
#[derive(Debug)]
pub struct Sealed {
    /// SHA-256 of the bytes.
    pub hash: [u8; 32],
    /// How many bytes it has.
    pub size: u64,
    /// The first bytes, to tell its type.
    pub head: Vec<u8>,
    store: Arc<dyn ObjectStore>,
    bytes: Whereabouts,
}

/// Where the bytes of a sealed upload are.
#[derive(Debug)]
enum Whereabouts {
    Pending(PutPayload),
    Staged(Key),
}

impl Upload {
    /// Of at most `limit` bytes, sent on in parts of `part` bytes.
    pub(super) fn new(store: Arc<dyn ObjectStore>, limit: u64, part: usize) -> Self {
        Self { store, limit, part, size: 0, hash: Sha256::new(), head: Vec::new(), pending: pending(), staged: None }
    }

    /// Takes the next bytes.
    pub async fn write(&mut self, bytes: Bytes) -> Result<(), Error> {
        self.size += bytes.len() as u64;
        if self.size > self.limit {
            return Err(Error::TooLarge { limit: self.limit });
        }
        self.hash.update(&bytes);
        let missing = HEAD.saturating_sub(self.head.len());
        self.head.extend_from_slice(&bytes[..missing.min(bytes.len())]);
        // Copied: a caller may send every byte as a piece of its own, each of which would take thirty times as much.
        self.pending.extend_from_slice(&bytes);
        if self.pending.content_length() >= self.part { self.send().await } else { Ok(()) }
    }

    /// Takes no more bytes.
    pub async fn seal(mut self) -> Result<Sealed, Error> {
        if self.staged.is_some() && !self.pending.is_empty() {
            self.send().await?;
        }
        let bytes = match self.staged.take() {
            None => Whereabouts::Pending(self.pending.freeze()),
            Some((key, mut upload)) => {
                upload.complete().await?;
                Whereabouts::Staged(key)
            }
        };
        Ok(Sealed { hash: self.hash.finalize().into(), size: self.size, head: self.head, store: self.store, bytes })
    }

    /// Sends what is pending as a part of the staged object.
    async fn send(&mut self) -> Result<(), Error> {
        let payload = std::mem::replace(&mut self.pending, pending()).freeze();
        let upload = match &mut self.staged {
            Some((_, upload)) => upload,
            none => {
                let key = Key::from_iter([STAGING, &uuid::Uuid::new_v4().to_string()]);
                let upload = self.store.put_multipart(&key).await?;
                &mut none.insert((key, upload)).1
            }
        };
        Ok(upload.put_part(payload).await?)
    }
}

impl Sealed {
    /// Keeps the bytes under their hash; when this returns, they survive a crash.
    pub async fn keep(self) -> Result<(), Error> {
        let key = content_key(&hexadecimal(&self.hash));
        match self.bytes {
            Whereabouts::Pending(bytes) => {
                self.store.put(&key, bytes).await?;
            }
            Whereabouts::Staged(staged) => self.store.rename(&staged, &key).await?,
        }
        Ok(())
    }
}

fn pending() -> PutPayloadMut {
    PutPayloadMut::new().with_block_size(BLOCK)
}

/// A hash as it stands in keys.
pub(super) fn hexadecimal(hash: &[u8; 32]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    hash.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    #[tokio::test]
    async fn bytes_that_come_one_by_one_are_kept_together() {
        let mut upload = Upload::new(Arc::new(InMemory::new()), u64::MAX, PART);
        for _ in 0..200_000 {
            upload.write(Bytes::from_static(b"x")).await.unwrap();
        }
        let Whereabouts::Pending(payload) = upload.seal().await.unwrap().bytes else { panic!("it is staged") };
        assert_eq!((payload.content_length(), payload.iter().count()), (200_000, 4));
    }
}
