//! Attachments, temporary uploads, and the contents that they stand for.

use generated_server::models::{AttachmentOutputDto, TempAttachmentOuputDto};
use jiff::Timestamp;

use super::{
    Condition, Error, TenantStore,
    sqlite::{attachment, content, object},
};
use crate::domain::{
    attachment::{AttachmentKey, Content, ContentHash, NewAttachment, TemporaryUpload, UploadToAttach},
    caller::Visibility,
    idempotency::{Done, IdempotencyKey},
    list::{ListQuery, Listed},
    module::Module,
};

impl TenantStore {
    /// The account that an object is or belongs to; `None` when the object is not there.
    pub async fn account_of_object(&self, module: Module, object: i32) -> Result<Option<i32>, Error> {
        self.read(move |view| object::account(view, module, object)).await
    }

    /// The attachments of an object; see `shape::ATTACHMENT`.
    pub async fn attachments(
        &self,
        module: i32,
        object: i32,
        query: ListQuery,
    ) -> Result<Listed<AttachmentOutputDto>, Error> {
        self.read(move |view| attachment::list(view, (module, object), &query)).await
    }

    /// One attachment.
    pub async fn attachment(&self, key: AttachmentKey) -> Result<Option<AttachmentOutputDto>, Error> {
        self.read(move |view| attachment::one(view, key)).await
    }

    /// One attachment, and what it holds.
    pub async fn attachment_content(
        &self,
        key: AttachmentKey,
    ) -> Result<Option<(AttachmentOutputDto, Content)>, Error> {
        self.read(move |view| attachment::content(view, key)).await
    }

    /// Creates an attachment whose content is in its place already, once for each key.
    pub async fn create_attachment(
        &self,
        new: NewAttachment,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<AttachmentOutputDto>, Error> {
        self.write_once(key, move |change| attachment::create(change, &new)).await
    }

    /// Makes an attachment of a temporary upload, which is none any more, once for each key. Refused when the writer has made
    /// no such upload for that module, or it has ended.
    pub async fn attach_temporary_upload(
        &self,
        upload: UploadToAttach,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<AttachmentOutputDto>, Error> {
        self.write_once(key, move |change| attachment::create_of_upload(change, upload)).await
    }

    /// Gives another name to an attachment of which the condition holds; false when it is not there.
    pub async fn rename_attachment(
        &self,
        key: AttachmentKey,
        condition: Condition<AttachmentOutputDto>,
        name: String,
    ) -> Result<bool, Error> {
        self.write(move |change| attachment::rename(change, key, &condition, &name)).await
    }

    /// Deletes an attachment of which the condition holds; false when it is not there.
    pub async fn delete_attachment(
        &self,
        key: AttachmentKey,
        condition: Condition<AttachmentOutputDto>,
    ) -> Result<bool, Error> {
        self.write(move |change| attachment::delete(change, key, &condition)).await
    }

    /// Deletes those of the attachments that are there and whose objects may be seen; all or none.
    pub async fn delete_attachments(&self, ids: Vec<i32>, visible: Visibility) -> Result<u64, Error> {
        self.write(move |change| attachment::delete_all(change, &ids, &visible)).await
    }

    /// Creates a temporary upload whose content is in its place already, once for each key.
    pub async fn create_temporary_upload(
        &self,
        upload: TemporaryUpload,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<TempAttachmentOuputDto>, Error> {
        self.write_once(key, move |change| content::create_upload(change, &upload)).await
    }

    /// Deletes those of the uploads that are there and that the writer has made.
    pub async fn delete_temporary_uploads(&self, aliases: Vec<String>) -> Result<u64, Error> {
        self.write(move |change| content::delete_uploads(change, &aliases)).await
    }

    /// Deletes the uploads that have ended.
    pub async fn expire_temporary_uploads(&self, now: Timestamp) -> Result<u64, Error> {
        self.write(move |change| content::expire_uploads(change, now)).await
    }

    /// Announces a content before it is put in its place, so that it is not taken for unused meanwhile; refused when the
    /// tenant would have more than `quota` bytes, of which 0 is any number.
    pub async fn claim_content(&self, content: Content, quota: u64) -> Result<(), Error> {
        self.write(move |change| content::claim_within(change, &content, quota)).await
    }

    /// The contents that attachments and uploads refer to, each once.
    pub async fn content_hashes(&self) -> Result<Vec<ContentHash>, Error> {
        self.read(content::used).await
    }

    /// Contents that nothing refers to and that were last claimed before that moment.
    pub async fn unused_contents(&self, before: Timestamp) -> Result<Vec<ContentHash>, Error> {
        self.read(move |view| content::unused(view, before)).await
    }

    /// Whether nothing refers to a content that was last claimed before that moment.
    pub async fn is_content_unused(&self, hash: ContentHash, before: Timestamp) -> Result<bool, Error> {
        self.read(move |view| content::is_unused(view, hash, before)).await
    }

    /// Whether the tenant has a content, used or not.
    pub async fn has_content(&self, hash: ContentHash) -> Result<bool, Error> {
        self.read(move |view| content::exists(view, hash)).await
    }

    /// Forgets a content if it is still unused.
    pub async fn forget_content(&self, hash: ContentHash, before: Timestamp) -> Result<bool, Error> {
        self.write(move |change| content::forget(change, hash, before)).await
    }
}
