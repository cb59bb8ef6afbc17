//! An upload: bytes in, a blob out.

use std::{io, sync::Arc};

use bytes::Bytes;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt as _, PutPayload, PutPayloadMut, path::Path as Key};
use sha2::{Digest as _, Sha256};
use tokio::runtime::Handle;

use super::{Error, STAGING, content_key};
use crate::disk::Reserve;

/// Size of a part of an upload, except the last: some servers require parts of one size. A smaller file is sent whole.
pub(super) const PART: usize = 5 << 20;
/// The same for a local folder, where any size works.
pub(super) const LOCAL_PART: usize = 512 << 10;
/// Size of a block in memory.
const BLOCK: usize = 64 << 10;
/// Number of bytes kept to detect the media type.
const HEAD: usize = 8192;

/// A running upload. Dropping it before the end removes the parts already sent.
#[derive(Debug)]
pub struct Upload {
    store: Arc<dyn ObjectStore>,
    limit: u64,
    /// The disk space to keep free.
    reserve: Option<Reserve>,
    part: usize,
    size: u64,
    hash: Sha256,
    head: Vec<u8>,
    pending: PutPayloadMut,
    staged: Option<Parts>,
}

/// The bytes of an upload with a known hash, not yet a blob. Dropping it discards the bytes.
#[derive(Debug)]
pub struct Sealed {
    /// SHA-256 of the bytes.
    pub hash: [u8; 32],
    /// Length in bytes.
    pub size: u64,
    /// The first bytes, to tell its type.
    pub head: Vec<u8>,
    store: Arc<dyn ObjectStore>,
    bytes: Whereabouts,
}

/// A staged multipart object. Dropping it before completion aborts it.
#[derive(Debug)]
struct Parts {
    key: Key,
    /// `None` once it is complete.
    upload: Option<Box<dyn MultipartUpload>>,
}

/// Where the bytes of a sealed upload are.
#[derive(Debug)]
enum Whereabouts {
    Pending(PutPayload),
    Staged(Key),
}

impl Default for Whereabouts {
    fn default() -> Self {
        Self::Pending(PutPayload::default())
    }
}

impl Upload {
    /// An upload of at most `limit` bytes, sent in parts of `part` bytes.
    pub(super) fn new(store: Arc<dyn ObjectStore>, limit: u64, part: usize, reserve: Option<Reserve>) -> Self {
        let (hash, head, pending) = (Sha256::new(), Vec::new(), pending());
        Self { store, limit, reserve, part, size: 0, hash, head, pending, staged: None }
    }

    /// Adds bytes.
    pub async fn write(&mut self, bytes: Bytes) -> Result<(), Error> {
        self.size += bytes.len() as u64;
        if self.size > self.limit {
            return Err(Error::TooLarge { limit: self.limit });
        }
        self.hash.update(&bytes);
        let missing = HEAD.saturating_sub(self.head.len());
        self.head.extend_from_slice(&bytes[..missing.min(bytes.len())]);
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let room = self.part - self.pending.content_length();
            if room == 0 {
                self.send().await?;
                continue;
            }
            let (now, later) = rest.split_at(room.min(rest.len()));
            // Copy: single-byte chunks would otherwise take thirty times the memory.
            self.pending.extend_from_slice(now);
            rest = later;
        }
        Ok(())
    }

    /// Fails if the disk is too full. Several uploads may have started while there was space.
    fn ask_for_room(&self) -> Result<(), Error> {
        match &self.reserve {
            Some(reserve) if reserve.is_touched()? => Err(io::Error::from(io::ErrorKind::StorageFull).into()),
            _ => Ok(()),
        }
    }

    /// Ends the upload of bytes.
    pub async fn seal(mut self) -> Result<Sealed, Error> {
        self.ask_for_room()?;
        if self.staged.is_some() && !self.pending.is_empty() {
            self.send().await?;
        }
        let bytes = match self.staged.take() {
            None => Whereabouts::Pending(self.pending.freeze()),
            Some(parts) => Whereabouts::Staged(parts.complete(&*self.store, self.size).await?),
        };
        Ok(Sealed { hash: self.hash.finalize().into(), size: self.size, head: self.head, store: self.store, bytes })
    }

    /// Sends what is pending as a part of the staged object.
    async fn send(&mut self) -> Result<(), Error> {
        self.ask_for_room()?;
        let payload = std::mem::replace(&mut self.pending, pending()).freeze();
        let parts = match &mut self.staged {
            Some(parts) => parts,
            none => {
                let key = Key::from_iter([STAGING, &uuid::Uuid::new_v4().to_string()]);
                let upload = Some(self.store.put_multipart(&key).await?);
                none.insert(Parts { key, upload })
            }
        };
        if let Some(upload) = &mut parts.upload {
            upload.put_part(payload).await?;
        }
        Ok(())
    }
}

impl Parts {
    /// Completes the object of this size; returns its key.
    async fn complete(mut self, store: &dyn ObjectStore, size: u64) -> Result<Key, Error> {
        if let Some(upload) = &mut self.upload {
            match upload.complete().await {
                // The request is retried when its response is lost, and a completed upload no longer exists.
                Err(error @ object_store::Error::NotFound { .. }) => match store.head(&self.key).await {
                    Ok(object) if object.size == size => {}
                    Ok(_) | Err(object_store::Error::NotFound { .. }) => return Err(error.into()),
                    Err(error) => return Err(error.into()),
                },
                completed => drop(completed?),
            }
        }
        self.upload = None;
        Ok(std::mem::take(&mut self.key))
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        let (Some(mut upload), Ok(runtime)) = (self.upload.take(), Handle::try_current()) else { return };
        runtime.spawn(async move {
            if let Err(error) = upload.abort().await {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the parts of an upload are left in the bucket"
                );
            }
        });
    }
}

impl Sealed {
    /// Stores the bytes as the blob with this name, durably.
    pub async fn keep(mut self, name: &str) -> Result<(), Error> {
        let key = content_key(name);
        match &mut self.bytes {
            Whereabouts::Pending(bytes) => {
                self.store.put(&key, std::mem::take(bytes)).await?;
            }
            Whereabouts::Staged(staged) => self.store.rename(staged, &key).await?,
        }
        self.bytes = Whereabouts::default();
        Ok(())
    }

    /// Discards the bytes.
    pub async fn discard(mut self) -> Result<(), Error> {
        if let Whereabouts::Staged(staged) = std::mem::take(&mut self.bytes) {
            self.store.delete(&staged).await?;
        }
        Ok(())
    }
}

impl Drop for Sealed {
    fn drop(&mut self) {
        let Whereabouts::Staged(staged) = std::mem::take(&mut self.bytes) else { return };
        let (store, Ok(runtime)) = (Arc::clone(&self.store), Handle::try_current()) else { return };
        runtime.spawn(async move {
            if let Err(error) = store.delete(&staged).await {
                tracing::warn!(error = &error as &dyn std::error::Error, "the file of an upload is left over");
            }
        });
    }
}

fn pending() -> PutPayloadMut {
    PutPayloadMut::new().with_block_size(BLOCK)
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    #[tokio::test]
    async fn bytes_that_come_one_by_one_are_kept_together() {
        let mut upload = Upload::new(Arc::new(InMemory::new()), u64::MAX, PART, None);
        for _ in 0..200_000 {
            upload.write(Bytes::from_static(b"x")).await.unwrap();
        }
        let sealed = upload.seal().await.unwrap();
        let Whereabouts::Pending(payload) = &sealed.bytes else { panic!("it is staged") };
        assert_eq!((payload.content_length(), payload.iter().count()), (200_000, 4));
    }
}
