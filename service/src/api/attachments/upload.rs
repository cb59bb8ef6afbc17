//! Uploads: streamed into the object store while they arrive, recorded when complete.

use generated_server::{
    attachments::{PostAttachment, PostAttachmentPart, PostTempAttachment, PostTempAttachmentPart},
    models::{Attachment, TempAttachment},
    runtime::server::{Call, Common, Failure, FilePart},
};
use jiff::Timestamp;

use crate::{
    api::{Service, failure::refused, idempotency},
    blob,
    domain::{
        attachment::{Content, ContentHash, NewAttachment, TemporaryUpload, UploadToAttach},
        file_name,
        idempotency::Done,
        refusal::Refusal,
        token::Token,
    },
    shares::Share,
    store,
};

/// Seconds after which a refused upload is worth another try.
const RETRY_SECONDS: u32 = 2;

/// A file that has arrived and can be recorded.
struct Received {
    name: String,
    alias: String,
    file_type: Option<String>,
    content: Content,
    /// Why the content is not claimed: the tenant has no room for it. A repeated request is answered all the same.
    over_quota: Option<store::Error>,
}

/// What to attach.
enum Given {
    File(Received),
    /// The alias of a temporary upload.
    Alias(String),
}

/// `POST /v2/system/attachments/{moduleId}/{objectId}`
pub(super) async fn attach(
    service: &Service,
    call: &Call<Token>,
    mut request: PostAttachment,
) -> Result<Done<Attachment>, Failure<PostAttachment>> {
    let _share = share(service, call.principal())?;
    let mut given = None;
    // The generated reader ensures that a form has exactly one of the two.
    while let Some(part) = request.body.next().await? {
        given = Some(match part {
            PostAttachmentPart::FormFile(file) => Given::File(receive(service, call, file, "formFile").await?),
            PostAttachmentPart::Alias(alias) => Given::Alias(alias),
        });
    }
    let (module_id, object_id) = (request.module_id, request.object_id);
    let target = [module_id.to_le_bytes(), object_id.to_le_bytes()].concat();
    let key = |said: &[&[u8]]| idempotency::key(service, request.idempotency_key, &[&[&*target], said].concat());
    match given.ok_or_else(|| missing("formFile"))? {
        Given::File(Received { name, alias, file_type, content, over_quota }) => {
            let key = key(&[name.as_bytes(), &content.hash.0]);
            let (original_file_name, alias_name) = (name, alias);
            let new = NewAttachment { module_id, object_id, original_file_name, alias_name, file_type, content };
            Ok(service
                .records(call)
                .create_attachment(new, key)
                .await
                .map_err(|error| unrecorded(error, over_quota))?)
        }
        Given::Alias(alias) => {
            let key = key(&[alias.as_bytes()]);
            let upload = UploadToAttach { module_id, object_id, alias };
            Ok(service.records(call).attach_temporary_upload(upload, key).await?)
        }
    }
}

/// `POST /v2/system/attachments/{moduleId}`
pub(super) async fn keep(
    service: &Service,
    call: &Call<Token>,
    mut request: PostTempAttachment,
) -> Result<Done<TempAttachment>, Failure<PostTempAttachment>> {
    let _share = share(service, call.principal())?;
    let mut received = None;
    while let Some(PostTempAttachmentPart::File(file)) = request.body.next().await? {
        received = Some(receive(service, call, file, "File").await?);
    }
    let Received { name, alias, file_type, content, over_quota } = received.ok_or_else(|| missing("File"))?;
    let target = request.module_id.to_le_bytes();
    let key = idempotency::key(service, request.idempotency_key, &[&target, name.as_bytes(), &content.hash.0]);
    let kept = service.config.bounds.temporary;
    let upload = TemporaryUpload {
        alias,
        module_id: request.module_id,
        name,
        file_type,
        expires_on: Timestamp::now().saturating_add(kept)?,
        content,
    };
    Ok(service
        .records(call)
        .create_temporary_upload(upload, key)
        .await
        .map_err(|error| unrecorded(error, over_quota))?)
}

/// Room for one more file that is received.
fn share(service: &Service, token: &Token) -> Result<Share, Failure<Common>> {
    let mut share = service.uploads.share();
    let has_room = share.take(Some((token.tenant, token.id)), 1);
    has_room.then_some(share).ok_or_else(|| Failure::unavailable(RETRY_SECONDS))
}

/// Streams a file into the object store.
async fn receive(
    service: &Service,
    call: &Call<Token>,
    mut file: FilePart,
    part: &str,
) -> Result<Received, Failure<Common>> {
    let name = file.file_name().and_then(file_name::safe);
    let name = name.ok_or_else(|| refused(vec![Refusal::new(format!("/{part}"), "format", "has no file name")]))?;
    let mut upload = service.blobs.upload(service.config.limits.upload_bytes, Some(service.reserve.clone()));
    while let Some(bytes) = file.chunk().await? {
        upload.write(bytes).await?;
    }
    let sealed = upload.seal().await?;
    if sealed.size == 0 {
        return Err(Failure::bad_request(format!("the file `{name}` is empty")));
    }
    let media_type = infer::get(&sealed.head).map_or("application/octet-stream", |found| found.mime_type());
    let content = Content {
        hash: ContentHash(sealed.hash),
        blob: blob::name(&sealed.hash),
        size: sealed.size,
        media_type: media_type.to_owned(),
    };
    // Claim first: a crash afterwards leaves a content that is known to be unused.
    let claimed = service.records(call).claim_content(content.clone(), service.config.limits.tenant_bytes).await;
    let (content, over_quota) = match claimed {
        Ok(claimed) => {
            sealed.keep(&claimed.blob).await?;
            (claimed, None)
        }
        Err(error @ store::Error::OverQuota { .. }) => (content, Some(error)),
        Err(error) => return Err(error.into()),
    };
    let extension = file_name::extension(&name);
    Ok(Received {
        alias: format!("{}{extension}", uuid::Uuid::new_v4()),
        file_type: (!extension.is_empty()).then_some(extension),
        name,
        content,
        over_quota,
    })
}

/// Why a received file is not recorded.
fn unrecorded(error: store::Error, over_quota: Option<store::Error>) -> store::Error {
    match (error, over_quota) {
        (store::Error::Unclaimed, Some(error)) | (error, _) => error,
    }
}

fn missing(part: &str) -> Failure<Common> {
    refused(vec![Refusal::new(format!("/{part}"), "required", "is missing")])
}
