//! Downloads: complete, partial, as a thumbnail, or not modified.

use std::ops::RangeInclusive;

use axum::http::header;
use generated_server::{
    attachments::{DownloadAttachment, DownloadAttachmentResponse},
    models::Attachment,
    runtime::server::{Call, Download, Failure, Status},
};
use http_range_header::parse_range_header;

use super::{absent, key};
use crate::{
    api::{Service, etag},
    domain::{
        file_name,
        thumbnail::{Size, has_thumbnails},
        token::Token,
    },
};

/// Media types that are sent as they are; browsers get everything else as bytes.
const HARMLESS: &[&str] = &[
    "application/pdf",
    "application/zip",
    "audio/mpeg",
    "image/gif",
    "image/jpeg",
    "image/png",
    "image/webp",
    "video/mp4",
];

/// `GET /v2/system/attachments/{moduleId}/{objectId}/{attachmentId}/download`
pub(super) async fn download(
    service: &Service,
    call: &Call<Token>,
    request: DownloadAttachment,
) -> Result<DownloadAttachmentResponse, Failure<DownloadAttachment>> {
    let key = key(request.module_id, request.object_id, request.attachment_id);
    let found = service.records(call).attachment_content(key).await?;
    let (attachment, content) = found.ok_or_else(|| absent(key))?;

    let size = (request.width, request.height);
    let is_thumbnail = size != (None, None) && has_thumbnails(&content.media_type);
    let tag = match size {
        (width, height) if is_thumbnail => {
            let number = |side: Option<i32>| side.map_or(String::new(), |side| side.to_string());
            format!("\"{}-{}x{}\"", content.hash, number(width), number(height))
        }
        _ => format!("\"{}\"", content.hash),
    };
    if request.if_none_match.as_deref().is_some_and(|tags| etag::names(tags, &tag)) {
        return Ok(DownloadAttachmentResponse::NotModified { etag: Some(tag) });
    }
    if is_thumbnail {
        let number = |pixels: Option<i32>| pixels.and_then(|pixels| u32::try_from(pixels).ok());
        let size = Size { width: number(size.0), height: number(size.1) };
        let bounds = &service.config.bounds;
        if let Some(thumbnail) =
            service.thumbnails.get(call.principal(), &service.blobs, &content, size, bounds).await?
        {
            let body = Download::bytes(thumbnail.bytes).content_type(thumbnail.media_type);
            return Ok(whole(&attachment, tag, None, body));
        }
    }

    let media_type = HARMLESS.iter().find(|harmless| **harmless == content.media_type);
    let media_type = media_type.copied().unwrap_or("application/octet-stream");
    // `If-Range` compares strongly, and dates are not supported.
    let if_range = call.headers().get(header::IF_RANGE);
    let is_same = if_range.is_none_or(|validator| *validator == tag);
    let range = range(request.range.as_deref().filter(|_| is_same), content.size)?;
    if service.config.attachments_redirect {
        let name = disposition(&attachment);
        let address = service.blobs.address(&content.blob, media_type, name.as_deref()).await;
        if let Some(location) = address? {
            return Ok(DownloadAttachmentResponse::TemporaryRedirect { location });
        }
    }
    match range {
        None => {
            let stream = service.blobs.read(&content.blob, None).await?;
            let body = Download::stream(stream).content_type(media_type).content_length(content.size);
            Ok(whole(&attachment, tag, Some("bytes".to_owned()), body))
        }
        Some(range) => {
            let bytes = *range.start()..range.end() + 1;
            let length = bytes.end - bytes.start;
            let stream = service.blobs.read(&content.blob, Some(bytes)).await?;
            Ok(DownloadAttachmentResponse::PartialContent {
                content_disposition: disposition(&attachment),
                etag: Some(tag),
                accept_ranges: Some("bytes".to_owned()),
                content_range: Some(format!("bytes {}-{}/{}", range.start(), range.end(), content.size)),
                body: Download::stream(stream).content_type(media_type).content_length(length),
            })
        }
    }
}

fn whole(
    attachment: &Attachment,
    tag: String,
    accept_ranges: Option<String>,
    body: Download,
) -> DownloadAttachmentResponse {
    DownloadAttachmentResponse::Ok {
        content_disposition: disposition(attachment),
        etag: Some(tag),
        accept_ranges,
        body,
    }
}

fn disposition(attachment: &Attachment) -> Option<String> {
    attachment.original_file_name.as_deref().map(file_name::content_disposition)
}

/// The bytes that `Range` requests. Anything but a single byte range gets the complete file (RFC 9110, 14.2).
fn range(header: Option<&str>, size: u64) -> Result<Option<RangeInclusive<u64>>, Failure<Status<416>>> {
    let Some(parsed) = header.and_then(|header| parse_range_header(header).ok()) else { return Ok(None) };
    match parsed.validate(size) {
        Ok(ranges) if ranges.len() == 1 => Ok(ranges.into_iter().next()),
        Ok(_) => Ok(None),
        Err(_) => {
            let failure = Failure::declared(format!("the range is outside of the {size} bytes of the file"));
            Err(failure.with_header(header::CONTENT_RANGE, format!("bytes */{size}")))
        }
    }
}
