//! Attachments, temporary uploads, and the contents that they stand for.

use std::sync::Arc;

use generated_server::models::{Attachment, TempAttachment};
use jiff::Timestamp;

use crate::{
    domain::{
        attachment::{
            AttachmentKey, Content, ContentHash, ContentPosition, NewAttachment, TemporaryUpload, UnusedContents,
            UploadToAttach,
        },
        caller::Visibility,
        idempotency::{Done, IdempotencyKey},
        list::{ListQuery, Listed},
        module::Module,
    },
    store::{
        Condition, Error, Scope,
        postgres::{Database, attachment, content, idempotency},
    },
};

impl Database {
    pub(in crate::store) async fn account_of_object(
        &self,
        scope: &Scope,
        module: Module,
        object: i32,
    ) -> Result<Option<i32>, Error> {
        self.view(scope, |view| attachment::account(view, module, object)).await
    }

    pub(in crate::store) async fn attachments(
        &self,
        scope: &Scope,
        module: i32,
        object: i32,
        query: ListQuery,
    ) -> Result<Listed<Attachment>, Error> {
        self.view(scope, |view| attachment::list(view, (module, object), query.clone())).await
    }

    pub(in crate::store) async fn attachment(
        &self,
        scope: &Scope,
        key: AttachmentKey,
    ) -> Result<Option<Attachment>, Error> {
        self.view(scope, |view| attachment::one(view, key)).await
    }

    pub(in crate::store) async fn attachment_content(
        &self,
        scope: &Scope,
        key: AttachmentKey,
    ) -> Result<Option<(Attachment, Content)>, Error> {
        self.view(scope, |view| attachment::content(view, key)).await
    }

    pub(in crate::store) async fn create_attachment(
        &self,
        scope: &Scope,
        new: NewAttachment,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<Attachment>, Error> {
        self.change_numbered(scope, &[("attachments", 1)], move |change, numbers| {
            let new = new.clone();
            idempotency::once(change, key.clone(), move |change| attachment::create(change, numbers, new))
        })
        .await
    }

    pub(in crate::store) async fn attach_temporary_upload(
        &self,
        scope: &Scope,
        upload: UploadToAttach,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<Attachment>, Error> {
        self.change_numbered(scope, &[("attachments", 1)], move |change, numbers| {
            let upload = upload.clone();
            idempotency::once(change, key.clone(), move |change| attachment::create_of_upload(change, numbers, upload))
        })
        .await
    }

    pub(in crate::store) async fn rename_attachment(
        &self,
        scope: &Scope,
        key: AttachmentKey,
        condition: Condition<Attachment>,
        name: String,
    ) -> Result<bool, Error> {
        let condition = Arc::new(condition);
        self.change(scope, move |change| {
            let (condition, name) = (Arc::clone(&condition), name.clone());
            async move { attachment::rename(change, key, &condition, name).await }
        })
        .await
    }

    pub(in crate::store) async fn delete_attachment(
        &self,
        scope: &Scope,
        key: AttachmentKey,
        condition: Condition<Attachment>,
    ) -> Result<bool, Error> {
        let condition = Arc::new(condition);
        self.change(scope, move |change| {
            let condition = Arc::clone(&condition);
            async move { attachment::delete(change, key, &condition).await }
        })
        .await
    }

    pub(in crate::store) async fn delete_attachments(
        &self,
        scope: &Scope,
        ids: Vec<i32>,
        visible: Visibility,
    ) -> Result<u64, Error> {
        self.change(scope, move |change| attachment::delete_all(change, ids.clone(), visible.clone())).await
    }

    pub(in crate::store) async fn create_temporary_upload(
        &self,
        scope: &Scope,
        upload: TemporaryUpload,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<TempAttachment>, Error> {
        self.change(scope, move |change| {
            let upload = upload.clone();
            idempotency::once(change, key.clone(), move |change| content::create_upload(change, upload))
        })
        .await
    }

    pub(in crate::store) async fn delete_temporary_uploads(
        &self,
        scope: &Scope,
        aliases: Vec<String>,
    ) -> Result<u64, Error> {
        self.change(scope, move |change| content::delete_uploads(change, aliases.clone())).await
    }

    pub(in crate::store) async fn expire_temporary_uploads(&self, scope: &Scope, now: Timestamp) -> Result<u64, Error> {
        self.change(scope, move |change| content::expire_uploads(change, now)).await
    }

    pub(in crate::store) async fn claim_content(
        &self,
        scope: &Scope,
        content: Content,
        quota: u64,
    ) -> Result<Content, Error> {
        self.change(scope, move |change| content::claim_within(change, content.clone(), quota)).await
    }

    pub(in crate::store) async fn used_blobs(&self, scope: &Scope) -> Result<Vec<String>, Error> {
        self.view(scope, content::used_blobs).await
    }

    pub(in crate::store) async fn unused_contents(
        &self,
        scope: &Scope,
        before: Timestamp,
        from: Option<ContentPosition>,
    ) -> Result<UnusedContents, Error> {
        self.view(scope, move |view| content::unused(view, before, from)).await
    }

    pub(in crate::store) async fn forget_unused(
        &self,
        scope: &Scope,
        before: Timestamp,
        hashes: Vec<ContentHash>,
    ) -> Result<usize, Error> {
        self.change(scope, move |change| content::forget(change, before, hashes.clone())).await
    }

    pub(in crate::store) async fn unused_blobs(&self, scope: &Scope) -> Result<Vec<String>, Error> {
        self.view(scope, content::unused_blobs).await
    }

    pub(in crate::store) async fn forget_blobs(&self, scope: &Scope, names: Vec<String>) -> Result<(), Error> {
        self.change(scope, move |change| content::forget_blobs(change, names.clone())).await
    }
}
