//! Restores contents of an archive to their place.

use std::collections::HashMap;

use anyhow::Result;
use bytes::Bytes;
use tokio::{runtime::Handle, task::JoinSet};

use crate::{
    blob::{self, Blobs, Upload},
    domain::attachment::ContentHash,
};

/// Maximum number of contents that are finished at once.
const AT_ONCE: usize = 8;

/// The destination of contents, some of which may exist. New ones are removed unless all are kept.
pub(super) struct Contents<'a> {
    runtime: &'a Handle,
    blobs: Blobs,
    /// The existing contents.
    there: HashMap<String, u64>,
    put: Vec<String>,
    finishing: JoinSet<Result<(), blob::Error>>,
}

impl<'a> Contents<'a> {
    pub(super) fn new(blobs: Blobs, runtime: &'a Handle) -> Result<Self> {
        let there = runtime.block_on(blobs.sizes())?;
        Ok(Self { runtime, blobs, there, put: Vec::new(), finishing: JoinSet::new() })
    }

    /// Starts a content.
    pub(super) fn begin(&self) -> Upload {
        self.blobs.upload(u64::MAX)
    }

    /// Takes the next bytes of one.
    pub(super) fn write(&self, upload: &mut Upload, bytes: &[u8]) -> Result<()> {
        Ok(self.runtime.block_on(upload.write(Bytes::copy_from_slice(bytes)))?)
    }

    /// Ends one. What is not what its name says takes the place of none.
    pub(super) fn end(&mut self, name: &str, upload: Upload) -> Result<()> {
        let sealed = self.runtime.block_on(upload.seal())?;
        let is_right = ContentHash(sealed.hash).to_string() == blob::hash_of(name);
        let was_there = self.there.contains_key(name);
        if was_there && (!is_right || self.there.get(name) == Some(&sealed.size)) {
            self.runtime.block_on(sealed.discard())?;
            return Ok(());
        }
        if !was_there {
            self.put.push(name.to_owned());
        }
        while self.finishing.len() >= AT_ONCE {
            self.finished()?;
        }
        let name = name.to_owned();
        self.finishing.spawn_on(async move { sealed.keep(&name).await }, self.runtime);
        Ok(())
    }

    /// Waits until each is where it belongs.
    pub(super) fn finish(&mut self) -> Result<()> {
        while !self.finishing.is_empty() {
            self.finished()?;
        }
        Ok(())
    }

    /// Removes the new contents.
    pub(super) fn undo(mut self) {
        self.runtime.block_on(async {
            // Running uploads cannot be cancelled.
            while self.finishing.join_next().await.is_some() {}
            for name in &self.put {
                if let Err(error) = self.blobs.remove(name).await {
                    tracing::warn!(error = &error as &dyn std::error::Error, "{name} is left of the restore");
                }
            }
        });
    }

    fn finished(&mut self) -> Result<()> {
        match self.runtime.block_on(self.finishing.join_next()) {
            Some(Ok(kept)) => Ok(kept?),
            Some(Err(error)) => Err(error.into()),
            None => Ok(()),
        }
    }
}
