//! Attaching, renaming, listing and removing files.

use std::path::Path;

use generated_client::{Client, attachments::*, models::*, runtime::multipart::Part};
use jiff::{SignedDuration, Timestamp};
use service::{
    domain::{caller::Visibility, tenant::TenantId},
    folder, sweep,
};

use crate::{
    app::App,
    records::{file, refusal},
    waiting::eventually,
};

pub(crate) async fn attach(client: &Client, form_file: Part) -> Attachment {
    let request = PostAttachment { module_id: 1, object_id: 101, idempotency_key: None, body: file(form_file) };
    let answer = client.attachments().post_attachment(request).await.expect("attached");
    assert_eq!(answer.body.success, Some(true));
    answer.body.result.into_option().expect("the attachment").remove(0)
}

pub(crate) async fn listed(client: &Client) -> Vec<Attachment> {
    let request = GetAttachments {
        module_id: 1,
        object_id: 101,
        sort: Some("Id".into()),
        exclude: None,
        page_size: None,
        page_number: None,
        after: None,
    };
    let body = client.attachments().get_attachments(request).await.expect("listed").body;
    let records = body.result.into_option().expect("records");
    assert_eq!(body.total_records.map(usize::try_from), Some(Ok(records.len())));
    records
}

fn one(attachment_id: i32) -> GetAttachment {
    GetAttachment { module_id: 1, object_id: 101, attachment_id }
}

/// The number of files in the folder of attachments, at any depth.
pub(crate) fn files(folder: &Path) -> usize {
    std::fs::read_dir(folder).expect("a folder").fold(0, |count, entry| {
        let path = entry.expect("an entry").path();
        count + if path.is_dir() { files(&path) } else { 1 }
    })
}

/// Removes unused files as the scheduler does after the grace period; waits while the service itself sweeps.
pub(crate) async fn sweep_later(app: &App, hours: i64) -> usize {
    let later = Timestamp::now() + SignedDuration::from_hours(hours);
    loop {
        if let Some(removed) = sweep::sweep(&app.service, later).await.expect("swept") {
            return removed;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_streamed_file_is_attached_listed_and_read_back() {
    let app = App::start().await;
    let client = app.client();
    let chunks = (0..64_u8).map(|number| Ok::<_, std::io::Error>(vec![number; 16 * 1024].into()));
    let part = Part::stream("report.PDF", futures_util::stream::iter(chunks));
    let created = attach(&client, part).await;
    let id = created.id.expect("an id");
    assert_eq!(created.original_file_name.as_deref(), Some("report.PDF"));
    assert_eq!(created.file_type.as_deref(), Some(".pdf"));
    assert!(
        created
            .alias_name
            .as_deref()
            .is_some_and(|alias| alias.strip_suffix(".pdf").is_some() && alias != "report.PDF")
    );
    assert_eq!((created.module_id.value(), created.object_id.value()), (Some(&1), Some(&101)));
    assert!(created.created_on.value().is_some());

    let read = client.attachments().get_attachment(one(id)).await.expect("read").body.result;
    assert_eq!(read, Some(created.clone()));
    assert_eq!(listed(&client).await, [created]);
    let elsewhere = GetAttachment { object_id: 102, ..one(id) };
    assert_eq!(refusal(client.attachments().get_attachment(elsewhere).await.expect_err("another object's")).0, 404);
}

#[tokio::test]
async fn names_of_files_are_made_safe() {
    let app = App::start().await;
    let client = app.client();
    for (sent, kept) in [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\plan.docx", "plan.docx"),
        ("Übersicht \u{202e}2026.txt", "Übersicht 2026.txt"),
        ("trailing. .", "trailing"),
    ] {
        let created = attach(&client, Part::bytes(sent, "text")).await;
        assert_eq!(created.original_file_name.as_deref(), Some(kept), "{sent}");
    }
    let nameless = file(Part::bytes("..", "text"));
    let request = PostAttachment { module_id: 1, object_id: 101, idempotency_key: None, body: nameless };
    let (status, texts) = refusal(client.attachments().post_attachment(request).await.expect_err("no name"));
    assert_eq!(status, 422);
    assert!(texts[0].contains("/formFile"), "{texts:?}");
}

#[tokio::test]
async fn empty_and_oversized_files_are_refused_and_leave_nothing() {
    let mut folder = None;
    let app = App::start_with(|config| {
        config.limits.upload_bytes = 100_000;
        folder = Some(config.data.join("attachments"));
    })
    .await;
    let client = app.client();
    for (bytes, status) in [(0, 400), (100_001, 413), (100_000, 200)] {
        let body = file(Part::bytes("file.bin", vec![7_u8; bytes]));
        let request = PostAttachment { module_id: 1, object_id: 101, idempotency_key: None, body };
        match client.attachments().post_attachment(request).await {
            Ok(_) => assert_eq!(status, 200),
            Err(error) => assert_eq!(refusal(error).0, status, "{bytes} bytes"),
        }
    }
    assert_eq!(listed(&client).await.len(), 1);
    assert_eq!(files(&folder.expect("a folder")), 1);
    let upload = PostTempAttachment {
        module_id: 1,
        idempotency_key: None,
        body: PostTempAttachmentBody { file: Part::bytes("file.bin", vec![7_u8; 100_001]) },
    };
    assert_eq!(refusal(client.attachments().post_temp_attachment(upload).await.expect_err("too large")).0, 413);
}

#[tokio::test]
async fn equal_files_are_stored_once_and_go_with_the_last_of_them() {
    let mut folder = None;
    let app = App::start_with(|config| folder = Some(config.data.join("attachments"))).await;
    let folder = folder.expect("a folder");
    let client = app.client();
    let first = attach(&client, Part::bytes("a.txt", "the same")).await;
    let second = attach(&client, Part::bytes("b.txt", "the same")).await;
    assert_ne!(first.id, second.id);
    assert_eq!(files(&folder), 1);
    for (attachment, left) in [(first, 1), (second, 0)] {
        let attachment_id = attachment.id.expect("an id");
        let request = DeleteAttachment { module_id: 1, object_id: 101, attachment_id, if_match: None };
        client.attachments().delete_attachment(request.clone()).await.expect("deleted");
        assert_eq!(refusal(client.attachments().delete_attachment(request).await.expect_err("gone")).0, 404);
        assert_eq!(refusal(client.attachments().get_attachment(one(attachment_id)).await.expect_err("gone")).0, 404);
        sweep_later(&app, 2).await;
        assert_eq!(files(&folder), left);
    }
    assert_eq!(app.service.records_of(TenantId::FIRST).used_blobs().await.expect("names").len(), 0);
}

#[tokio::test]
async fn an_attachment_is_renamed() {
    let app = App::start().await;
    let client = app.client();
    let attachment_id = attach(&client, Part::bytes("old.txt", "text")).await.id.expect("an id");
    let rename = |attachment_id, id, name: &str| {
        let body = AttachmentPut { id, name: name.to_owned() };
        client.attachments().put_attachment(PutAttachment {
            module_id: 1,
            object_id: 101,
            attachment_id,
            if_match: None,
            body,
        })
    };
    rename(attachment_id, Some(attachment_id), "folder/new.txt").await.expect("renamed");
    rename(attachment_id, None, "newer.txt").await.expect("renamed without an Id");
    let read = client.attachments().get_attachment(one(attachment_id)).await.expect("read").body.result.expect("read");
    assert_eq!(read.original_file_name.as_deref(), Some("newer.txt"));
    let other = Some(attachment_id + 1);
    assert_eq!(refusal(rename(attachment_id, other, "x.txt").await.expect_err("another Id")).0, 400);
    assert_eq!(refusal(rename(attachment_id, None, " . ").await.expect_err("no name")).0, 422);
    assert_eq!(refusal(rename(987_654, None, "x.txt").await.expect_err("not there")).0, 404);
}

#[tokio::test]
async fn several_are_deleted_at_once_and_unknown_ids_are_ignored() {
    let app = App::start().await;
    let client = app.client();
    let mut ids = Vec::new();
    for number in 0..3 {
        ids.push(attach(&client, Part::bytes(format!("{number}.txt"), "text")).await.id.expect("an id"));
    }
    let delete = |ids: String| client.attachments().delete_attachments(&ids);
    let (status, texts) = refusal(delete(format!("{},two", ids[0])).await.expect_err("no number"));
    assert_eq!(status, 400);
    assert!(texts[0].contains("attachmentIds"), "{texts:?}");
    assert_eq!(listed(&client).await.len(), 3, "nothing of a refused request is done");
    delete(format!("{},{},987654", ids[0], ids[2])).await.expect("deleted");
    assert_eq!(listed(&client).await.iter().map(|left| left.id).collect::<Vec<_>>(), [Some(ids[1])]);
}

#[tokio::test]
async fn a_form_without_its_file_or_with_another_part_is_refused() {
    let app = App::start().await;
    let part = "--b\ncontent-disposition: form-data; name=\"other\"\n\nx\n--b--\n";
    for (body, place) in [("--b--\n", "0 of the parts `formFile`, `alias`, at least 1"), (part, "/other")] {
        let length = body.len() + body.matches('\n').count();
        let request = format!(
            "POST /v2/system/attachments/1/101 HTTP/1.1\nhost: x\nauthorization: Bearer {{token}}\ncontent-type: multipart/form-data; boundary=b\nconnection: close\ncontent-length: {length}\n\n{body}"
        );
        let answer = app.raw(&request).await;
        assert!(answer.starts_with("HTTP/1.1 422") && answer.contains(place), "{answer}");
    }
}

#[tokio::test]
async fn only_visible_objects_have_attachments() {
    let app = App::start().await;
    let all = app.client();
    let kept = attach(&all, Part::bytes("kept.txt", "kept")).await.id.expect("an id");
    let of_contact = PostAttachment {
        idempotency_key: None,
        module_id: 2,
        object_id: 4,
        body: file(Part::bytes("photo.txt", "contact 4 belongs to account 102")),
    };
    let of_contact = all.attachments().post_attachment(of_contact).await.expect("attached").body.result;
    let of_contact = of_contact.into_option().expect("a list")[0].id.expect("an id");
    let sees_102 = app.client_with(&["*"], &[], Visibility::Accounts([102].into())).await;
    let sees_103 = app.client_with(&["*"], &[], Visibility::Accounts([103].into())).await;

    // The client, the object, the attachment, and what the response must report as missing.
    for (client, module_id, object_id, attachment_id, missing) in [
        (&all, 3, 101, kept, "module 3"),
        (&all, 1, 9999, kept, "account 9999"),
        (&all, 2, 9999, of_contact, "contact 9999"),
        (&sees_102, 1, 101, kept, "account 101"),
        (&sees_103, 2, 4, of_contact, "contact 4"),
    ] {
        let attachments = client.attachments();
        let mut refusals = Vec::new();
        let (sort, exclude, page_size, page_number) = (None, None, None, None);
        let list = GetAttachments { module_id, object_id, sort, exclude, page_size, page_number, after: None };
        refusals.push(refusal(attachments.get_attachments(list).await.expect_err("list")));
        let body = file(Part::bytes("a.txt", "text"));
        let post = PostAttachment { module_id, object_id, idempotency_key: None, body };
        refusals.push(refusal(attachments.post_attachment(post).await.expect_err("post")));
        let get = GetAttachment { module_id, object_id, attachment_id };
        refusals.push(refusal(attachments.get_attachment(get).await.expect_err("get")));
        let body = AttachmentPut { id: None, name: "b.txt".into() };
        let put = PutAttachment { module_id, object_id, attachment_id, if_match: None, body };
        refusals.push(refusal(attachments.put_attachment(put).await.expect_err("put")));
        let delete = DeleteAttachment { module_id, object_id, attachment_id, if_match: None };
        refusals.push(refusal(attachments.delete_attachment(delete).await.expect_err("delete")));
        let (width, height, range, if_none_match) = (None, None, None, None);
        let download = DownloadAttachment { module_id, object_id, attachment_id, width, height, range, if_none_match };
        refusals.push(refusal(attachments.download_attachment(download).await.expect_err("download")));
        for (status, texts) in refusals {
            assert_eq!(status, 404, "{module_id}/{object_id}: {texts:?}");
            assert!(texts[0].contains(missing), "{texts:?}");
        }
    }
    let temporary = PostTempAttachment {
        module_id: 3,
        idempotency_key: None,
        body: PostTempAttachmentBody { file: Part::bytes("a.txt", "text") },
    };
    assert_eq!(refusal(all.attachments().post_temp_attachment(temporary).await.expect_err("no module")).0, 404);

    let both = format!("{kept},{of_contact}");
    sees_103.attachments().delete_attachments(&both).await.expect("passed over");
    sees_102.attachments().delete_attachments(&both).await.expect("one of them");
    assert_eq!(listed(&all).await.iter().map(|left| left.id).collect::<Vec<_>>(), [Some(kept)]);
    let gone = GetAttachment { module_id: 2, object_id: 4, attachment_id: of_contact };
    assert_eq!(refusal(all.attachments().get_attachment(gone).await.expect_err("deleted")).0, 404);
}

#[tokio::test]
async fn no_content_goes_while_a_backup_copies_them() {
    let mut data = None;
    let app = App::start_with(|config| data = Some(config.data.clone())).await;
    let (client, data) = (app.client(), data.expect("a folder"));
    let id = attach(&client, Part::bytes("a.txt", "hello")).await.id.expect("an id");
    client.attachments().delete_attachments(id.to_string()).await.expect("deleted");
    let folder = data.join("attachments/content");
    // Wait while the service sweeps.
    let keep = tokio::task::spawn_blocking(move || folder::keep_contents(&data));
    let kept = keep.await.expect("no panic").expect("kept");
    let later = Timestamp::now() + SignedDuration::from_hours(2);
    assert_eq!(sweep::sweep(&app.service, later).await.expect("no failure"), None);
    assert_eq!(files(&folder), 1);
    drop(kept);
    assert_eq!((sweep_later(&app, 2).await, files(&folder)), (1, 0));
}

#[tokio::test]
async fn a_tenant_at_its_quota_is_refused_until_space_is_freed() {
    let mut staged = None;
    let app = App::start_with(|config| {
        config.limits.tenant_bytes = 10;
        staged = Some(config.data.join("attachments/staging"));
    })
    .await;
    let staged = staged.expect("a folder");
    let client = app.client();
    let first = attach(&client, Part::bytes("a.txt", "eight by")).await.id.expect("an id");
    attach(&client, Part::bytes("b.txt", "eight by")).await;
    let post_with = |key: Option<&str>, text: &'static str| {
        let body = file(Part::bytes("c.txt", text));
        let idempotency_key = key.map(str::to_owned);
        client.attachments().post_attachment(PostAttachment { module_id: 1, object_id: 101, idempotency_key, body })
    };
    let post = |text| post_with(None, text);
    let error = post("three").await.expect_err("too much").to_string();
    assert!(error.contains("507") && error.contains("may have 10 bytes") && error.contains("has 8"), "{error}");
    post("x".repeat(1 << 20).leak()).await.expect_err("too much");
    let is_empty = || std::fs::read_dir(&staged).is_ok_and(|mut files| files.next().is_none());
    eventually("the refused file takes no space", async || is_empty()).await;
    let ids = listed(&client).await;
    assert_eq!(ids.len(), 2, "nothing is lost");
    client.attachments().delete_attachments(format!("{first},{}", first + 1)).await.expect("deleted");
    sweep_later(&app, 2).await;
    let made = post_with(Some("k"), "three").await.expect("there is room again");

    // A repeated request gets its recorded response, although there is no room left.
    let id = listed(&client).await[0].id.expect("an id");
    client.attachments().delete_attachments(id.to_string()).await.expect("deleted");
    sweep_later(&app, 2).await;
    post("ten bytes!").await.expect("all of the room");
    let again = post_with(Some("k"), "three").await.expect("answered");
    assert_eq!((again.body, again.idempotency_replayed), (made.body, Some(true)));
    let error = post_with(Some("l"), "three").await.expect_err("too much").to_string();
    assert!(error.contains("507") && error.contains("has 10"), "{error}");
}

#[tokio::test]
async fn below_the_reserve_only_deletions_are_accepted() {
    let app = App::start().await;
    let attachment_id = attach(&app.client(), Part::bytes("a.txt", "text")).await.id.expect("an id");
    let app = app.restart_with(|config| config.limits.reserve_bytes = u64::MAX).await;
    let client = app.client();
    let body = file(Part::bytes("c.txt", "text"));
    let post = PostAttachment { module_id: 1, object_id: 101, idempotency_key: None, body };
    let error = client.attachments().post_attachment(post).await.expect_err("no room").to_string();
    assert!(error.contains("507") && error.contains("disk is full"), "{error}");
    let answer = app.raw("POST /v2/crm/accounts HTTP/1.1\nhost: x\nauthorization: Bearer {token}\ncontent-length: 0\nconnection: close\n\n").await;
    assert!(answer.starts_with("HTTP/1.1 507") && answer.contains("disk is full"), "{answer}");
    assert_eq!(listed(&client).await.len(), 1, "reads go on");
    let request = DeleteAttachment { module_id: 1, object_id: 101, attachment_id, if_match: None };
    client.attachments().delete_attachment(request).await.expect("deleted");
}

#[tokio::test]
async fn tenants_share_no_files() {
    let mut data = None;
    let app = App::start_with(|config| data = Some(config.data.clone())).await;
    let folder = data.expect("a folder").join("attachments");
    let client = app.client();
    let attachment_id = attach(&client, Part::bytes("a.txt", "the same")).await.id.expect("an id");
    let blob = app.service.records_of(TenantId::FIRST).used_blobs().await.expect("names").remove(0);
    let other = format!("{}-0123456789abcdef", service::blob::hash_of(&blob));
    std::fs::copy(service::blob::file(&folder, &blob), service::blob::file(&folder, &other)).expect("copied");
    // The interface cannot create tenants, so create the second one by SQL.
    app.execute(&format!(
        "INSERT INTO tenants (id, name) VALUES (2, 'Other');
         INSERT INTO contents (tenant_id, hash, blob, size, media_type, claimed_on)
         SELECT 2, hash, '{other}', size, media_type, claimed_on FROM contents;
         INSERT INTO temporary_uploads (tenant_id, alias, module_id, name, created_on, expires_on, hash)
         SELECT 2, 'alias', 1, 'a.txt', created_on, created_on + 8 * 3600000000, hash FROM attachments;"
    ))
    .await;
    let request = DeleteAttachment { module_id: 1, object_id: 101, attachment_id, if_match: None };
    client.attachments().delete_attachment(request).await.expect("deleted");
    assert_eq!(sweep_later(&app, 2).await, 1);
    assert!(service::blob::file(&folder, &other).exists(), "it is the file of the other tenant");
    assert_eq!(app.service.missing_blobs().await.expect("compared"), Vec::<String>::new());
}

#[tokio::test]
async fn the_extended_name_of_a_file_wins_and_encoded_words_are_decoded() {
    let app = App::start().await;
    for disposition in [
        "filename=\"=?utf-8?B?w4RyZ2VyLnR4dA==?=\"; filename*=utf-8''%C3%84rger.txt",
        "filename*=UTF-8''%C3%84rger.txt",
        "filename=\"=?utf-8?Q?=C3=84rger.txt?=\"",
        "filename=\"=?utf-8?B?w4RyZ2Vy?= =?utf-8?B?LnR4dA==?=\"",
    ] {
        let body =
            format!("--X\r\nContent-Disposition: form-data; name=formFile; {disposition}\r\n\r\nabc\r\n--X--\r\n");
        let url = format!("http://{}/v2/system/attachments/1/101", app.address);
        let post =
            app.http.post(url).bearer_auth(app.token()).header("content-type", "multipart/form-data; boundary=X");
        let answer = post.body(body).send().await.expect("an answer");
        assert_eq!(answer.status(), 200, "{disposition}");
        let answer: serde_json::Value = serde_json::from_str(&answer.text().await.expect("text")).expect("JSON");
        assert_eq!(answer["Result"][0]["OriginalFileName"], "Ärger.txt", "{disposition}");
    }
}
