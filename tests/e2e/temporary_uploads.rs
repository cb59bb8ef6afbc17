//! Files uploaded without an object: attached by alias, deleted, or expired.

use futures_util::future::join_all;
use generated_client::{Client, attachments::*, changes::GetChanges, models::*, runtime::multipart::Part};
use service::domain::{caller::Visibility, tenant::TenantId};

use crate::{
    app::App,
    attachments::{attach, files, listed, sweep_later},
    records::{file, refusal},
    scene,
};

/// An alias without an upload.
const UNKNOWN: &str = "00000000-0000-4000-8000-000000000000.txt";

async fn keep(client: &Client, file: Part) -> TempAttachment {
    let request = PostTempAttachment { module_id: 1, idempotency_key: None, body: PostTempAttachmentBody { file } };
    client.attachments().post_temp_attachment(request).await.expect("kept").body.result.expect("the upload")
}

/// Uploads a file; returns its alias.
async fn kept(client: &Client, text: &'static str) -> String {
    keep(client, Part::bytes("draft.txt", text)).await.alias.into_option().expect("an alias")
}

fn by_alias(alias: &str) -> PostAttachment {
    let body = PostAttachmentBody { form_file: None, alias: Some(alias.to_owned()) };
    PostAttachment { module_id: 1, object_id: 101, idempotency_key: None, body }
}

async fn attached(client: &Client, request: PostAttachment) -> Attachment {
    let answer = client.attachments().post_attachment(request).await.expect("attached");
    answer.body.result.into_option().expect("a list").remove(0)
}

async fn refused(client: &Client, request: PostAttachment) -> (u16, Vec<String>) {
    refusal(client.attachments().post_attachment(request).await.expect_err("refused"))
}

/// The response for an alias that never existed.
fn never_there(alias: &str) -> (u16, Vec<String>) {
    (422, vec![format!("body /alias is {alias}, and there is no such temporary upload")])
}

#[tokio::test]
async fn an_upload_becomes_an_attachment_once() {
    let mut data = None;
    let app = App::start_with(|config| data = Some(config.data.join("attachments"))).await;
    let (client, folder) = (app.client(), data.expect("a folder"));
    let last = app.service.records_of(TenantId::FIRST).audit_log(0, 1000).await.expect("the log").len();
    let alias = keep(&client, Part::bytes("../Draft.TXT", "a draft")).await.alias.into_option().expect("an alias");
    let created = attached(&client, by_alias(&alias)).await;
    assert_eq!(created.original_file_name.as_deref(), Some("Draft.TXT"));
    assert_eq!((created.alias_name.as_deref(), created.file_type.as_deref()), (Some(&*alias), Some(".txt")));
    assert_eq!(listed(&client).await, std::slice::from_ref(&created));
    assert_eq!(refused(&client, by_alias(&alias)).await, never_there(&alias));
    assert_eq!(refused(&client, by_alias(UNKNOWN)).await, never_there(UNKNOWN));

    let log = app.service.records_of(TenantId::FIRST).audit_log(0, 1000).await.expect("the log");
    let told: Vec<_> =
        log[last..].iter().map(|entry| (&*entry.change.kind, format!("{:?}", entry.change.action))).collect();
    let (upload, attachment) = ("TemporaryAttachment", "Attachment");
    let expected = [(upload, "Created"), (upload, "Deleted"), (attachment, "Created")];
    assert_eq!(told, expected.map(|(kind, action)| (kind, action.to_owned())));
    assert!(log[last + 1..].iter().all(|entry| entry.operation == "PostAttachment"));
    let after = i64::try_from(last).expect("a number") + 2;
    let feed = client.changes().get_changes(GetChanges { after: Some(after), page_size: None }).await.expect("changes");
    assert_eq!(feed.body.result[0].account_id, Some(101));

    assert_eq!(files(&folder), 1, "one content");
    assert_eq!(sweep_later(&app, 26).await, 0, "it belongs to the attachment now");
    let attachment_id = created.id.expect("an id");
    let (width, height, range, if_none_match) = (None, None, None, None);
    let request =
        DownloadAttachment { module_id: 1, object_id: 101, attachment_id, width, height, range, if_none_match };
    let answer = client.attachments().download_attachment(request).await.expect("downloaded");
    let DownloadAttachmentResponse::Ok { body, .. } = answer else { panic!("not whole: {answer:?}") };
    assert_eq!(body.bytes().await.expect("the bytes"), "a draft");
}

#[tokio::test]
async fn of_concurrent_attachments_of_an_upload_one_succeeds() {
    let app = App::start_with(|config| config.bounds.uploads = 64).await;
    let client = app.client();
    let alias = kept(&client, "a draft").await;
    let answers = join_all((0..16).map(|_| client.attachments().post_attachment(by_alias(&alias)).into_future())).await;
    let (done, refusals): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!(done.len(), 1);
    for error in refusals.into_iter().filter_map(Result::err) {
        assert_eq!(refusal(error), never_there(&alias));
    }
    assert_eq!(listed(&client).await.len(), 1);
}

#[tokio::test]
async fn an_upload_belongs_to_its_token_tenant_and_module() {
    let app = App::start().await;
    let client = app.client();
    let other_token = app.client_with(&["*"], &[], Visibility::All).await;
    scene::found_other(&app).await;
    let other_tenant = app.client_of(&scene::token(&app, scene::OTHER, Visibility::All).await);
    let alias = kept(&client, "a draft").await;
    let of_contact = PostAttachment { module_id: 2, object_id: 4, ..by_alias(&alias) };
    assert_eq!(refused(&client, of_contact).await, never_there(&alias));
    for foreign in [&other_token, &other_tenant] {
        assert_eq!(refused(foreign, by_alias(&alias)).await, never_there(&alias));
        let body = vec![alias.clone()];
        foreign.attachments().delete_temp_attachments(DeleteTempAttachments { body }).await.expect("passed over");
    }
    attached(&client, by_alias(&alias)).await;
}

#[tokio::test]
async fn an_expired_upload_is_missing_before_it_is_swept() {
    let app = App::start_with(|config| config.bounds.temporary = std::time::Duration::ZERO).await;
    let client = app.client();
    let alias = kept(&client, "a draft").await;
    assert_eq!(refused(&client, by_alias(&alias)).await, never_there(&alias));
    assert_eq!(listed(&client).await, []);
}

#[tokio::test]
async fn an_upload_stays_when_its_attachment_is_refused() {
    let app = App::start().await;
    let sees_102 = app.client_with(&["*"], &[], Visibility::Accounts([102].into())).await;
    let alias = kept(&sees_102, "a draft").await;
    let hidden = refused(&sees_102, by_alias(&alias)).await;
    let missing = refused(&sees_102, PostAttachment { object_id: 9999, ..by_alias(&alias) }).await;
    assert_eq!((hidden.0, missing.0), (404, 404));
    assert_eq!(hidden.1[0].replace("101", "9999"), missing.1[0]);

    let both = PostAttachmentBody { form_file: Some(Part::bytes("a.txt", "text")), alias: Some(alias.clone()) };
    let both = PostAttachment { object_id: 102, body: both, ..by_alias(&alias) };
    let neither = PostAttachmentBody { form_file: None, alias: None };
    let neither = PostAttachment { object_id: 102, body: neither, ..by_alias(&alias) };
    for (request, said) in [(both, "has 2 of the parts"), (neither, "has 0 of the parts")] {
        let (status, texts) = refused(&sees_102, request).await;
        assert!(status == 422 && texts[0].contains(said), "{status} {texts:?}");
    }
    for alias in ["", "a.txt", "../../etc/passwd"] {
        let (status, texts) = refused(&sees_102, PostAttachment { object_id: 102, ..by_alias(alias) }).await;
        assert!(status == 422 && texts[0].contains("/alias"), "{status} {texts:?}");
    }
    attached(&sees_102, PostAttachment { object_id: 102, ..by_alias(&alias) }).await;
}

#[tokio::test]
async fn the_alias_may_stand_before_the_file_and_is_refused_all_the_same() {
    let app = App::start().await;
    let client = app.client();
    let alias = kept(&client, "a draft").await;
    let form = format!(
        "--b\ncontent-disposition: form-data; name=\"alias\"\n\n{alias}\n\
         --b\ncontent-disposition: form-data; name=\"formFile\"; filename=\"a.txt\"\n\ntext\n--b--\n"
    );
    let length = form.len() + form.matches('\n').count();
    let answer = app
        .raw(&format!(
            "POST /v2/system/attachments/1/101 HTTP/1.1\nhost: x\nauthorization: Bearer {{token}}\n\
             content-type: multipart/form-data; boundary=b\nconnection: close\ncontent-length: {length}\n\n{form}"
        ))
        .await;
    assert!(answer.starts_with("HTTP/1.1 422") && answer.contains("has 2 of the parts"), "{answer}");
    attached(&client, by_alias(&alias)).await;
}

#[tokio::test]
async fn the_bytes_of_an_upload_count_once() {
    let app = App::start_with(|config| config.limits.tenant_bytes = 10).await;
    let client = app.client();
    let alias = kept(&client, "eight by").await;
    attached(&client, by_alias(&alias)).await;
    attach(&client, Part::bytes("a.txt", "ab")).await;
    let request = PostAttachment { body: file(Part::bytes("b.txt", "x")), ..by_alias("") };
    let error = client.attachments().post_attachment(request).await.expect_err("too much").to_string();
    assert!(error.contains("507") && error.contains("it has 10"), "{error}");
}

#[tokio::test]
async fn an_upload_is_attached_once_for_each_key() {
    let app = App::start().await;
    let client = app.client();
    let (alias, other) = (kept(&client, "a draft").await, kept(&client, "another").await);
    let request = |alias: &str| PostAttachment { idempotency_key: Some("k".into()), ..by_alias(alias) };
    let first = client.attachments().post_attachment(request(&alias)).await.expect("attached");
    let again = client.attachments().post_attachment(request(&alias)).await.expect("attached");
    assert_eq!((&again.body, first.idempotency_replayed, again.idempotency_replayed), (&first.body, None, Some(true)));
    assert_eq!(listed(&client).await.len(), 1);
    let (status, texts) = refused(&client, request(&other)).await;
    assert!(status == 422 && texts[0].contains("another request"), "{status} {texts:?}");
    attached(&client, by_alias(&other)).await;
}

#[tokio::test]
async fn temporary_uploads_are_deleted_or_expire() {
    let mut folder = None;
    let app = App::start_with(|config| folder = Some(config.data.join("attachments"))).await;
    let folder = folder.expect("a folder");
    let client = app.client();
    let kept = keep(&client, Part::bytes("draft.txt", "a draft")).await;
    assert_eq!((kept.name.as_deref(), kept.file_type.as_deref()), (Some("draft.txt"), Some(".txt")));
    let alias = kept.alias.into_option().expect("an alias");
    keep(&client, Part::bytes("other.txt", "another")).await;
    assert_eq!(files(&folder), 2);

    let body = vec![alias, "unknown".to_owned()];
    client.attachments().delete_temp_attachments(DeleteTempAttachments { body }).await.expect("deleted");
    assert_eq!(sweep_later(&app, 2).await, 1, "the content of the deleted one");
    assert_eq!(files(&folder), 1);
    assert_eq!(sweep_later(&app, 0).await, 0, "nothing has expired yet");
    assert_eq!(sweep_later(&app, 26).await, 1, "it has expired");
    assert_eq!(files(&folder), 0);
    assert_eq!(listed(&client).await, [], "an upload is not an attachment");

    let empty = PostTempAttachment {
        module_id: 1,
        idempotency_key: None,
        body: PostTempAttachmentBody { file: Part::bytes("a.txt", "") },
    };
    assert_eq!(refusal(client.attachments().post_temp_attachment(empty).await.expect_err("empty")).0, 400);
}
