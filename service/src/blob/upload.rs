//! One upload: bytes in, a content under its hash out.

use std::sync::Arc;

use bytes::Bytes;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt as _, PutPayload, path::Path as Key};
use sha2::{Digest as _, Sha256};

use super::{Error, STAGING, content_key};

/// Bytes that are gathered before they are sent on: the smallest part that every object store takes.
const PART: usize = 5 << 20;
/// Bytes from the beginning that are kept to tell the type of the file.
const HEAD: usize = 8192;

/// An upload under way. Dropped before it is finished, it leaves at most a staged object, which a sweep removes.
#[derive(Debug)]
pub struct Upload {
    store: Arc<dyn ObjectStore>,
    limit: u64,
    size: u64,
    hash: Sha256,
    head: Vec<u8>,
    pending: Vec<Bytes>,
    pending_bytes: usize,
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
    Pending(Vec<Bytes>),
    Staged(Key),
}

impl Upload {
    pub(super) fn new(store: Arc<dyn ObjectStore>, limit: u64) -> Self {
        Self {
            store,
            limit,
            size: 0,
            hash: Sha256::new(),
            head: Vec::new(),
            pending: Vec::new(),
            pending_bytes: 0,
            staged: None,
        }
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
        self.pending_bytes += bytes.len();
        self.pending.push(bytes);
        if self.pending_bytes >= PART { self.send().await } else { Ok(()) }
    }

    /// Takes no more bytes.
    pub async fn seal(mut self) -> Result<Sealed, Error> {
        if self.staged.is_some() && self.pending_bytes > 0 {
            self.send().await?;
        }
        let bytes = match self.staged.take() {
            None => Whereabouts::Pending(self.pending),
            Some((key, mut upload)) => {
                upload.complete().await?;
                Whereabouts::Staged(key)
            }
        };
        Ok(Sealed { hash: self.hash.finalize().into(), size: self.size, head: self.head, store: self.store, bytes })
    }

    /// Sends what is pending as a part of the staged object.
    async fn send(&mut self) -> Result<(), Error> {
        let payload = PutPayload::from_iter(std::mem::take(&mut self.pending));
        self.pending_bytes = 0;
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
                self.store.put(&key, PutPayload::from_iter(bytes)).await?;
            }
            Whereabouts::Staged(staged) => self.store.rename(&staged, &key).await?,
        }
        Ok(())
    }
}

/// A hash as it stands in keys.
pub(super) fn hexadecimal(hash: &[u8; 32]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    hash.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}
