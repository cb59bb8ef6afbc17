//! The operations tagged `Attachments`.

mod download;
mod thumbnails;
mod upload;

use generated_server::{
    attachments::*,
    models::*,
    runtime::server::{Declares, Status},
};

use super::{etag, failure::refused, idempotency, list::ids, prelude::*};
use crate::domain::{attachment::AttachmentKey, file_name, module::Module, refusal::Refusal};

pub(super) use thumbnails::Thumbnails;

impl Attachments for Service {
    type Principal = Token;

    async fn get_attachments(
        &self,
        call: Call<Token>,
        request: GetAttachments,
    ) -> Result<GetAttachmentsResponse, Failure<GetAttachments>> {
        self.object::<GetAttachments>(&call, request.module_id, request.object_id).await?;
        let paging = paging!(request);
        let query = paging.query(Filter::default(), &resource::ATTACHMENT)?;
        let records = self.records(&call);
        let listed = records.attachments(request.module_id, request.object_id, query).await?;
        let link = paging.links(call.uri(), &listed);
        let records: Vec<_> = listed.records.into_iter().map(|record| self.with_base(record)).collect();
        Ok(GetAttachmentsResponse { link, body: answer!(AttachmentPage, records, total: listed.total) })
    }

    async fn post_attachment(
        &self,
        call: Call<Token>,
        request: PostAttachment,
    ) -> Result<PostAttachmentResponse, Failure<PostAttachment>> {
        self.object::<PostAttachment>(&call, request.module_id, request.object_id).await?;
        let created = upload::attach(self, &call, request).await?;
        let idempotency_replayed = idempotency::replayed(created.is_replayed);
        let body = answer!(AttachmentList, vec![self.with_base(created.value)]);
        Ok(PostAttachmentResponse { idempotency_replayed, body })
    }

    async fn get_attachment(
        &self,
        call: Call<Token>,
        request: GetAttachment,
    ) -> Result<GetAttachmentResponse, Failure<GetAttachment>> {
        self.object::<GetAttachment>(&call, request.module_id, request.object_id).await?;
        let key = key(request.module_id, request.object_id, request.attachment_id);
        let found = self.records(&call).attachment(key).await?;
        Ok(GetAttachmentResponse { etag: None, body: self.answer()(&found.ok_or_else(|| absent(key))?) })
    }

    async fn put_attachment(&self, call: Call<Token>, request: PutAttachment) -> Result<(), Failure<PutAttachment>> {
        self.object::<PutAttachment>(&call, request.module_id, request.object_id).await?;
        let key = key(request.module_id, request.object_id, request.attachment_id);
        if let Some(id) = request.body.id.filter(|id| *id != key.id) {
            let detail = format!("`Id` is {id}, and the path names attachment {}", key.id);
            return Err(Failure::bad_request(detail).into());
        }
        let Some(name) = file_name::safe(&request.body.name) else {
            let refusal = Refusal::new("/Name", "format", "is not a valid file name");
            return Err(refused(vec![refusal]).into());
        };
        let condition = etag::condition(&call, request.if_match, self.answer());
        let found = self.records(&call).rename_attachment(key, condition, name).await?;
        if found { Ok(()) } else { Err(absent(key).into()) }
    }

    async fn delete_attachment(
        &self,
        call: Call<Token>,
        request: DeleteAttachment,
    ) -> Result<(), Failure<DeleteAttachment>> {
        self.object::<DeleteAttachment>(&call, request.module_id, request.object_id).await?;
        let key = key(request.module_id, request.object_id, request.attachment_id);
        let condition = etag::condition(&call, request.if_match, self.answer());
        let found = self.records(&call).delete_attachment(key, condition).await?;
        if found { Ok(()) } else { Err(absent(key).into()) }
    }

    async fn download_attachment(
        &self,
        call: Call<Token>,
        request: DownloadAttachment,
    ) -> Result<DownloadAttachmentResponse, Failure<DownloadAttachment>> {
        self.object::<DownloadAttachment>(&call, request.module_id, request.object_id).await?;
        download::download(self, &call, request).await
    }

    async fn post_temp_attachment(
        &self,
        call: Call<Token>,
        request: PostTempAttachment,
    ) -> Result<PostTempAttachmentResponse, Failure<PostTempAttachment>> {
        module(request.module_id)?;
        let created = upload::keep(self, &call, request).await?;
        let idempotency_replayed = idempotency::replayed(created.is_replayed);
        Ok(PostTempAttachmentResponse { idempotency_replayed, body: answer!(TempAttachmentResponse, created.value) })
    }

    async fn delete_attachments(
        &self,
        call: Call<Token>,
        request: DeleteAttachments,
    ) -> Result<(), Failure<DeleteAttachments>> {
        let ids = ids("attachmentIds", &request.attachment_ids)?;
        self.records(&call).delete_attachments(ids).await?;
        Ok(())
    }

    async fn delete_temp_attachments(
        &self,
        call: Call<Token>,
        request: DeleteTempAttachments,
    ) -> Result<(), Failure<DeleteTempAttachments>> {
        self.records(&call).delete_temporary_uploads(request.body).await?;
        Ok(())
    }
}

impl Service {
    /// The response of a GET, which `If-Match` is compared with.
    fn answer(&self) -> impl Fn(&Attachment) -> AttachmentResponse + Send + Sync + 'static {
        let service = self.clone();
        move |attachment| answer!(AttachmentResponse, service.with_base(attachment.clone()))
    }

    /// The record with the proxy's path prefix in its `Url`.
    fn with_base(&self, mut attachment: Attachment) -> Attachment {
        if let Maybe::Value(url) = &mut attachment.url {
            url.insert_str(0, &self.config.base_path);
        }
        attachment
    }

    /// Refuses an object that does not exist or is hidden from the caller. Objects are never removed, so it
    /// still exists when the operation ends.
    async fn object<O: Declares<404>>(
        &self,
        call: &Call<Token>,
        module_id: i32,
        object_id: i32,
    ) -> Result<(), Failure<O>> {
        let module = module(module_id)?;
        let account = self.records(call).account_of_object(module, object_id).await?;
        let is_visible = account.is_some_and(|account| call.principal().visible.includes(account));
        if is_visible { Ok(()) } else { Err(Failure::not_found(module.object(), object_id).into()) }
    }
}

fn module(id: i32) -> Result<Module, Failure<Status<404>>> {
    Module::of_id(id).ok_or_else(|| Failure::not_found("module", id))
}

fn key(module_id: i32, object_id: i32, id: i32) -> AttachmentKey {
    AttachmentKey { module_id, object_id, id }
}

fn absent(key: AttachmentKey) -> Failure<Status<404>> {
    Failure::not_found("attachment", key.id)
}
