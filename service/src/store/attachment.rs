//! Attachments, temporary uploads, and the contents that they stand for.

use generated_server::models::{Attachment, TempAttachment};
use jiff::Timestamp;

use super::{Condition, Error, TenantStore, delegate};
use crate::domain::{
    attachment::{
        AttachmentKey, Content, ContentHash, ContentPosition, NewAttachment, TemporaryUpload, UnusedContents,
        UploadToAttach,
    },
    caller::Visibility,
    idempotency::{Done, IdempotencyKey},
    list::{ListQuery, Listed},
    module::Module,
};

/// So many contents are forgotten in one write, so that others take turns with it.
const FORGOTTEN: usize = 500;

impl TenantStore {
    /// The account that an object is or belongs to; `None` when the object is not there.
    pub async fn account_of_object(&self, module: Module, object: i32) -> Result<Option<i32>, Error> {
        delegate!(self.account_of_object(module, object))
    }

    /// The attachments of an object; see `shape::ATTACHMENT`.
    pub async fn attachments(&self, module: i32, object: i32, query: ListQuery) -> Result<Listed<Attachment>, Error> {
        delegate!(self.attachments(module, object, query))
    }

    /// One attachment.
    pub async fn attachment(&self, key: AttachmentKey) -> Result<Option<Attachment>, Error> {
        delegate!(self.attachment(key))
    }

    /// One attachment, and what it holds.
    pub async fn attachment_content(&self, key: AttachmentKey) -> Result<Option<(Attachment, Content)>, Error> {
        delegate!(self.attachment_content(key))
    }

    /// Creates an attachment whose content is claimed and has its blob, once for each key.
    pub async fn create_attachment(
        &self,
        new: NewAttachment,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<Attachment>, Error> {
        delegate!(self.create_attachment(new, key))
    }

    /// Makes an attachment of a temporary upload, which is none any more, once for each key. Refused when the writer has made
    /// no such upload for that module, or it has ended.
    pub async fn attach_temporary_upload(
        &self,
        upload: UploadToAttach,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<Attachment>, Error> {
        delegate!(self.attach_temporary_upload(upload, key))
    }

    /// Gives another name to an attachment of which the condition holds; false when it is not there.
    pub async fn rename_attachment(
        &self,
        key: AttachmentKey,
        condition: Condition<Attachment>,
        name: String,
    ) -> Result<bool, Error> {
        delegate!(self.rename_attachment(key, condition, name))
    }

    /// Deletes an attachment of which the condition holds; false when it is not there.
    pub async fn delete_attachment(&self, key: AttachmentKey, condition: Condition<Attachment>) -> Result<bool, Error> {
        delegate!(self.delete_attachment(key, condition))
    }

    /// Deletes those of the attachments that are there and whose objects may be seen; all or none.
    pub async fn delete_attachments(&self, ids: Vec<i32>, visible: Visibility) -> Result<u64, Error> {
        delegate!(self.delete_attachments(ids, visible))
    }

    /// Creates a temporary upload whose content is claimed and has its blob, once for each key.
    pub async fn create_temporary_upload(
        &self,
        upload: TemporaryUpload,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<TempAttachment>, Error> {
        delegate!(self.create_temporary_upload(upload, key))
    }

    /// Deletes those of the uploads that are there and that the writer has made.
    pub async fn delete_temporary_uploads(&self, aliases: Vec<String>) -> Result<u64, Error> {
        delegate!(self.delete_temporary_uploads(aliases))
    }

    /// Deletes the uploads that have ended.
    pub async fn expire_temporary_uploads(&self, now: Timestamp) -> Result<u64, Error> {
        delegate!(self.expire_temporary_uploads(now))
    }

    /// Announces a content before its blob is written, so that it is not taken for unused meanwhile. Answers it with the blob that is
    /// to be written: the one of the same content that the tenant has already, if it has. Refused when the tenant would have
    /// more than `quota` bytes, of which 0 is any number.
    pub async fn claim_content(&self, content: Content, quota: u64) -> Result<Content, Error> {
        delegate!(self.claim_content(content, quota))
    }

    /// The names of the blobs that attachments and uploads refer to, each once.
    pub async fn used_blobs(&self) -> Result<Vec<String>, Error> {
        delegate!(self.used_blobs())
    }

    /// Forgets the contents that nothing refers to and that were last claimed before that moment; answers how many. From then
    /// on their blobs are unused. They are looked for in reads, a few at a time: there may be millions that are used.
    pub async fn forget_contents(&self, before: Timestamp) -> Result<usize, Error> {
        let (mut forgotten, mut from) = (0, None);
        loop {
            let UnusedContents { hashes, next } = self.unused_contents(before, from).await?;
            for some in hashes.chunks(FORGOTTEN) {
                forgotten += self.forget_unused(before, some.to_vec()).await?;
            }
            if next.is_none() {
                return Ok(forgotten);
            }
            from = next;
        }
    }

    /// Those without a reference among the next contents that were last claimed before that moment.
    async fn unused_contents(&self, before: Timestamp, from: Option<ContentPosition>) -> Result<UnusedContents, Error> {
        delegate!(self.unused_contents(before, from))
    }

    /// Forgets contents, unless they are referred to or have been claimed meanwhile.
    async fn forget_unused(&self, before: Timestamp, hashes: Vec<ContentHash>) -> Result<usize, Error> {
        delegate!(self.forget_unused(before, hashes))
    }

    /// The names of some blobs whose content is forgotten.
    pub async fn unused_blobs(&self) -> Result<Vec<String>, Error> {
        delegate!(self.unused_blobs())
    }

    /// Forgets blobs that are removed.
    pub async fn forget_blobs(&self, names: Vec<String>) -> Result<(), Error> {
        delegate!(self.forget_blobs(names))
    }
}
