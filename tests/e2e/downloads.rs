//! Downloads: complete, partial, not modified, and thumbnails.

use generated_client::{Client, Error, attachments::*, models::ErrorResponse, runtime::multipart::Part};

use crate::{
    app::App,
    records::{file, refusal},
};

async fn attach(client: &Client, form_file: Part) -> i32 {
    let request = PostAttachment { module_id: 1, object_id: 101, idempotency_key: None, body: file(form_file) };
    let answer = client.attachments().post_attachment(request).await.expect("attached");
    answer.body.result.into_option().expect("the attachment")[0].id.expect("an id")
}

pub(crate) fn whole(attachment_id: i32) -> DownloadAttachment {
    DownloadAttachment {
        module_id: 1,
        object_id: 101,
        attachment_id,
        width: None,
        height: None,
        range: None,
        if_none_match: None,
    }
}

async fn download(
    client: &Client,
    request: DownloadAttachment,
) -> Result<DownloadAttachmentResponse, Error<ErrorResponse>> {
    client.attachments().download_attachment(request).await
}

#[tokio::test]
async fn a_file_comes_back_whole_with_its_name_in_utf8() {
    let app = App::start().await;
    let client = app.client();
    let id = attach(&client, Part::bytes("Übersicht \"1\".txt", "the content")).await;
    let answer = download(&client, whole(id)).await.expect("downloaded");
    let DownloadAttachmentResponse::Ok { content_disposition, etag, accept_ranges, body } = answer else {
        panic!("not whole: {answer:?}")
    };
    let disposition = content_disposition.expect("a name");
    assert!(disposition.starts_with("attachment; filename=\"_bersicht"), "{disposition}");
    assert!(disposition.contains("filename*=UTF-8''%C3%9Cbersicht%20"), "{disposition}");
    assert!(etag.is_some_and(|tag| tag.starts_with('"')));
    assert_eq!(accept_ranges.as_deref(), Some("bytes"));
    assert_eq!(body.content_type(), Some("application/octet-stream"), "text is not a picture");
    assert_eq!(body.content_length(), Some(11));
    assert_eq!(body.bytes().await.expect("the bytes"), "the content");
    assert_eq!(refusal(download(&client, whole(987_654)).await.expect_err("not there")).0, 404);
}

#[tokio::test]
async fn a_page_that_was_uploaded_never_runs_as_one() {
    let app = App::start().await;
    let client = app.client();
    let page = Part::bytes("page.html", "<script>alert(1)</script>").content_type("text/html");
    let id = attach(&client, page).await;
    let answer = client.attachments().download_attachment(whole(id)).with_response().await.expect("downloaded");
    let header = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok());
    assert_eq!(header("content-type"), Some("application/octet-stream"));
    assert_eq!(header("x-content-type-options"), Some("nosniff"));
    assert_eq!(header("content-security-policy"), Some("default-src 'none'; sandbox"));
    assert!(header("content-disposition").is_some_and(|value| value.starts_with("attachment")));
}

#[tokio::test]
async fn a_range_is_answered_with_that_part() {
    let app = App::start().await;
    let client = app.client();
    let id = attach(&client, Part::bytes("digits.txt", "0123456789")).await;
    let part = |range: &str| download(&client, DownloadAttachment { range: Some(range.to_owned()), ..whole(id) });
    for (range, bytes, said) in
        [("bytes=2-4", "234", "bytes 2-4/10"), ("bytes=7-", "789", "bytes 7-9/10"), ("bytes=-1", "9", "bytes 9-9/10")]
    {
        let answer = part(range).await.expect("a part");
        let DownloadAttachmentResponse::PartialContent { content_range, body, .. } = answer else {
            panic!("{range}: {answer:?}")
        };
        assert_eq!(content_range.as_deref(), Some(said));
        assert_eq!(body.bytes().await.expect("the bytes"), bytes);
    }
    for range in ["bytes=0-1,4-5", "lines=1-2"] {
        let answer = part(range).await.expect("everything");
        assert!(matches!(answer, DownloadAttachmentResponse::Ok { .. }), "{range}: {answer:?}");
    }
    let error = part("bytes=10-").await.expect_err("behind the end");
    let response = error.response().expect("an answer");
    assert_eq!(response.headers["content-range"], "bytes */10");
    assert_eq!(refusal(error).0, 416);
}

#[tokio::test]
async fn unchanged_files_are_not_modified() {
    let app = App::start().await;
    let client = app.client();
    let id = attach(&client, Part::bytes("a.txt", "same")).await;
    let DownloadAttachmentResponse::Ok { etag, .. } = download(&client, whole(id)).await.expect("downloaded") else {
        panic!("not whole")
    };
    let tag = etag.expect("a tag");
    for tags in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
        let answer = download(&client, DownloadAttachment { if_none_match: Some(tags.clone()), ..whole(id) }).await;
        let answer = answer.expect("an answer");
        assert!(
            matches!(&answer, DownloadAttachmentResponse::NotModified { etag } if etag.as_ref() == Some(&tag)),
            "{tags}: {answer:?}"
        );
    }
    let other = DownloadAttachment { if_none_match: Some("\"other\"".into()), ..whole(id) };
    assert!(matches!(download(&client, other).await, Ok(DownloadAttachmentResponse::Ok { .. })));
}

#[tokio::test]
async fn a_thumbnail_has_the_requested_size() {
    let app = App::start().await;
    let client = app.client();
    let id = attach(&client, Part::bytes("red.png", png(40, 20))).await;
    let sized = |width, height| download(&client, DownloadAttachment { width, height, ..whole(id) });
    let mut tags = Vec::new();
    for (width, height, size) in [(None, None, (40, 20)), (Some(10), None, (10, 5)), (Some(20), Some(20), (20, 10))] {
        let answer = sized(width, height).await.expect("a picture");
        let DownloadAttachmentResponse::Ok { etag, body, .. } = answer else { panic!("not whole: {answer:?}") };
        assert_eq!(body.content_type(), Some("image/png"));
        let bytes = body.bytes().await.expect("the bytes");
        let side = |at: usize| bytes[at..at + 4].iter().fold(0, |side, byte| side * 256 + u32::from(*byte));
        assert_eq!((side(16), side(20)), size, "width and height stand in the head of a PNG");
        tags.push(etag.expect("a tag"));
    }
    tags.dedup();
    assert_eq!(tags.len(), 3, "each size has a tag of its own");
    assert_eq!(refusal(sized(Some(0), None).await.expect_err("no size")).0, 400);

    let text = attach(&client, Part::bytes("a.txt", "text")).await;
    let answer = download(&client, DownloadAttachment { width: Some(10), ..whole(text) }).await.expect("downloaded");
    let DownloadAttachmentResponse::Ok { body, .. } = answer else { panic!("not whole: {answer:?}") };
    assert_eq!(body.bytes().await.expect("the bytes"), "text", "other files are not scaled");
}

#[tokio::test]
async fn a_picture_with_too_many_pixels_gets_no_thumbnail() {
    let app = App::start_with(|config| config.bounds.thumbnail_pixels = 799).await;
    let client = app.client();
    let id = attach(&client, Part::bytes("red.png", png(40, 20))).await;
    let small = DownloadAttachment { width: Some(10), ..whole(id) };
    assert_eq!(refusal(download(&client, small).await.expect_err("too many pixels")).0, 422);
    assert!(matches!(download(&client, whole(id)).await, Ok(DownloadAttachmentResponse::Ok { .. })));
}

#[tokio::test]
async fn only_small_pictures_of_known_formats_are_read_for_thumbnails() {
    let app = App::start_with(|config| config.bounds.thumbnail_file_bytes = 100).await;
    let client = app.client();
    let large = attach(&client, Part::bytes("red.png", png(40, 20))).await;
    let small = DownloadAttachment { width: Some(10), ..whole(large) };
    let (status, texts) = refusal(download(&client, small).await.expect_err("too large"));
    assert_eq!(status, 422);
    assert!(texts[0].contains("bytes, more than 100"), "{texts:?}");
    let tiff = attach(&client, Part::bytes("a.tiff", [&b"II*\0"[..], &[0; 200]].concat())).await;
    let answer = download(&client, DownloadAttachment { width: Some(10), ..whole(tiff) }).await.expect("downloaded");
    let DownloadAttachmentResponse::Ok { body, .. } = answer else { panic!("not whole: {answer:?}") };
    assert_eq!(body.bytes().await.expect("the bytes").len(), 204);
}

/// A gray image without compression.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut rows = Vec::new();
    for _ in 0..height {
        rows.push(0);
        rows.extend((0..width).map(|column| column.to_le_bytes()[0]));
    }
    let length = u16::try_from(rows.len()).expect("a small picture");
    let mut data = vec![0x78, 0x01, 1];
    data.extend(length.to_le_bytes());
    data.extend((!length).to_le_bytes());
    data.extend(&rows);
    let (low, high) = rows.iter().fold((1_u32, 0_u32), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % 65_521;
        (low, (high + low) % 65_521)
    });
    data.extend(((high << 16) | low).to_be_bytes());

    let mut head = [width.to_be_bytes(), height.to_be_bytes()].concat();
    head.extend([8, 0, 0, 0, 0]);
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in [(b"IHDR", head), (b"IDAT", data), (b"IEND", Vec::new())] {
        bytes.extend(u32::try_from(data.len()).expect("a small chunk").to_be_bytes());
        let chunk = [name.as_slice(), &data].concat();
        bytes.extend(&chunk);
        bytes.extend(crc(&chunk).to_be_bytes());
    }
    bytes
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ if sum & 1 == 1 { 0xEDB8_8320 } else { 0 })
    })
}

#[tokio::test]
async fn a_download_is_resumed_only_while_the_file_is_the_same() {
    let app = App::start().await;
    let id = attach(&app.client(), Part::bytes("a.txt", "0123456789")).await;
    let url = format!("http://{}/v2/system/attachments/1/101/{id}/download", app.address);
    let get = async |if_range: Option<&str>| {
        let request = app.http.get(&url).bearer_auth(app.token()).header("range", "bytes=4-");
        let request = if let Some(validator) = if_range { request.header("if-range", validator) } else { request };
        let answer = request.send().await.expect("an answer");
        let tag = answer.headers()["etag"].to_str().expect("text").to_owned();
        (answer.status().as_u16(), tag, answer.text().await.expect("text"))
    };
    let (status, tag, rest) = get(None).await;
    assert_eq!((status, rest.as_str()), (206, "456789"));
    assert_eq!(get(Some(&tag)).await.2, "456789");
    for other in [format!("W/{tag}"), "\"other\"".to_owned(), "Sun, 06 Nov 1994 08:49:37 GMT".to_owned()] {
        let (status, _, whole) = get(Some(&other)).await;
        assert_eq!((status, whole.as_str()), (200, "0123456789"), "{other}");
    }
}
