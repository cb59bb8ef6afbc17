//! Conditional requests: entity tags, `If-None-Match`, `If-Match`.

use generated_client::{Client, Part, accounts::*, attachments::*, models::*, runtime::json::Maybe};

use crate::{
    app::App,
    records::{account, create, file, refusal, replacement},
};

async fn read(client: &Client, id: i32) -> GetAccountSummaryResponse {
    client.accounts().get_account_summary(id).await.expect("the account")
}

fn put(id: i32, if_match: Option<String>, name: &str) -> PutAccount {
    PutAccount { id, if_match, body: replacement(name) }
}

#[tokio::test]
async fn a_matching_entity_tag_gets_not_modified() {
    let app = App::start().await;
    let client = app.client();
    create(&client, account("Tagged")).await;
    for path in [
        "/v2/crm/accounts/summary?PageSize=3",
        "/v2/crm/accounts/summary/101",
        "/v2/crm/accounts/lookup",
        "/v2/hr/assignees/count",
        "/v2/admin/companysettings",
        "/assetmgmt/agent/notes",
    ] {
        let get = |more: &str| {
            format!("GET {path} HTTP/1.1\nhost: x\nauthorization: Bearer {{token}}\nconnection: close\n{more}\n")
        };
        let first = app.raw(&get("")).await;
        assert!(first.starts_with("HTTP/1.1 200"), "{first}");
        let tag = first.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a tag").trim();
        assert!(tag.starts_with('"') && tag.len() == 34, "{tag}");
        for known in [tag.to_owned(), format!("\"a\", W/{tag}"), "*".to_owned()] {
            let answer = app.raw(&get(&format!("if-none-match: {known}\n"))).await;
            assert!(answer.starts_with("HTTP/1.1 304"), "{answer}");
            assert!(answer.contains(&format!("etag: {tag}")), "{answer}");
            assert!(answer.trim_end().lines().last().is_some_and(|line| line.contains(':')), "a body in {answer}");
        }
        let answer = app.raw(&get("if-none-match: \"another\"\n")).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

#[tokio::test]
async fn an_account_is_changed_only_while_it_is_the_one_that_was_read() {
    let app = App::start().await;
    let client = app.client();
    let id = create(&client, account("First")).await.id.expect("an id");
    let tag = read(&client, id).await.etag.expect("a tag");
    client.accounts().put_account(put(id, Some(tag.clone()), "Second")).await.expect("it is the one");
    let new_tag = read(&client, id).await.etag.expect("a tag");
    assert_ne!(tag, new_tag);

    let error = client.accounts().put_account(put(id, Some(tag.clone()), "Third")).await.expect_err("it is another");
    assert_eq!(refusal(error).0, 412);
    let patch = |if_match: &str| PatchAccount {
        id,
        if_match: Some(if_match.to_owned()),
        body: vec![PatchOperation {
            op: "replace".into(),
            path: "/AccountName".into(),
            value: Some("Fourth".into()),
            ..Default::default()
        }],
    };
    for stale in [tag.clone(), format!("W/{new_tag}")] {
        let error = client.accounts().patch_account(patch(&stale)).await.expect_err("it is another");
        assert_eq!(refusal(error).0, 412);
    }
    assert_eq!(read(&client, id).await.body.account_name.as_deref(), Some("Second"));
    client.accounts().patch_account(patch(&format!("{tag}, {new_tag}"))).await.expect("one of them");
    client.accounts().put_account(put(id, Some("*".into()), "Fifth")).await.expect("any");
    let error = client.accounts().put_account(put(987_654, Some("*".into()), "No")).await.expect_err("not there");
    assert_eq!(refusal(error).0, 404);
}

#[tokio::test]
async fn increments_by_many_lose_none() {
    let app = App::start().await;
    let client = app.client();
    let body = AccountPost { credit_limit: Maybe::Value(0.0), ..account("Counter") };
    let id = create(&client, body).await.id.expect("an id");
    let writers: Vec<_> = (0..8)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move {
                let mut done = 0_u32;
                for _ in 0..20 {
                    let found = read(&client, id).await;
                    let limit = found.body.credit_limit.into_option().expect("a number");
                    let body = AccountPut { credit_limit: Maybe::Value(limit + 1.0), ..replacement("Counter") };
                    match client.accounts().put_account(PutAccount { id, if_match: found.etag, body }).await {
                        Ok(_) => done += 1,
                        Err(error) => assert_eq!(refusal(error).0, 412),
                    }
                }
                done
            })
        })
        .collect();
    let mut done = 0;
    for writer in writers {
        done += writer.await.expect("no panic");
    }
    assert_eq!(read(&client, id).await.body.credit_limit, Maybe::Value(f64::from(done)));
}

#[tokio::test]
async fn an_attachment_is_renamed_and_deleted_only_while_it_is_the_one_that_was_read() {
    let app = App::start().await;
    let client = app.client();
    let object_id = create(&client, account("Object")).await.id.expect("an id");
    let request =
        PostAttachment { module_id: 1, object_id, idempotency_key: None, body: file(Part::bytes("a.txt", "text")) };
    let answer = client.attachments().post_attachment(request).await.expect("attached");
    let attachment_id = answer.body.result.into_option().expect("one")[0].id.expect("an id");
    let get = || client.attachments().get_attachment(GetAttachment { module_id: 1, object_id, attachment_id });
    let rename = |if_match: Option<String>, name: &str| {
        let body = AttachmentPut::new(name);
        client.attachments().put_attachment(PutAttachment { module_id: 1, object_id, attachment_id, if_match, body })
    };
    let tag = get().await.expect("read").etag;
    assert!(tag.is_some());
    rename(tag.clone(), "b.txt").await.expect("it is the one");
    assert_eq!(refusal(rename(tag.clone(), "c.txt").await.expect_err("another")).0, 412);
    let delete = |if_match: Option<String>| {
        client.attachments().delete_attachment(DeleteAttachment { module_id: 1, object_id, attachment_id, if_match })
    };
    assert_eq!(refusal(delete(tag).await.expect_err("another")).0, 412);
    let found = get().await.expect("read");
    let name = found.body.result.expect("it").original_file_name;
    assert_eq!(name.as_deref(), Some("b.txt"));
    delete(found.etag).await.expect("it is the one");
    assert_eq!(refusal(get().await.expect_err("gone")).0, 404);
}

#[tokio::test]
async fn unchanged_records_are_not_written_and_put_keeps_accounts_inactive() {
    let app = App::start().await;
    let client = app.client();
    let body = AccountPost { is_active: Maybe::Value(false), ..account("Asleep") };
    let id = create(&client, body).await.id.expect("an id");
    client.accounts().put_account(put(id, None, "Asleep, too")).await.expect("replaced");
    let before = read(&client, id).await;
    assert_eq!(before.body.is_active, Some(false), "PUT without IsActive does not wake it");
    let changes = || client.changes().get_changes(generated_client::changes::GetChanges::default());
    let last = changes().await.expect("changes").body.next_after;

    client.accounts().put_account(put(id, None, "Asleep, too")).await.expect("replaced");
    let step = |op: &str, path: &str, value: &str| PatchOperation {
        op: op.into(),
        path: path.into(),
        value: Some(value.into()),
        ..Default::default()
    };
    for body in [vec![], vec![step("replace", "/AccountName", "Asleep, too")]] {
        let patch = PatchAccount { id, if_match: None, body };
        client.accounts().patch_account(patch).await.expect("patched");
    }
    assert_eq!(read(&client, id).await, before, "not even ModifiedOn");
    assert_eq!(changes().await.expect("changes").body.next_after, last);
    let patch = PatchAccount { id, if_match: None, body: vec![step("remove", "/IsActive", "")] };
    client.accounts().patch_account(patch).await.expect("patched");
    assert_eq!(read(&client, id).await.body.is_active, Some(false));
}

#[tokio::test]
async fn head_has_the_tag_of_get_and_is_answered_304_by_it() {
    let app = App::start().await;
    for path in ["/v2/crm/accounts/summary?PageSize=3", "/v2/crm/accounts/summary/101", "/v2/crm/accounts/lookup"] {
        let send = async |method: &str, more: &str| {
            let head = "host: x\nauthorization: Bearer {token}\nconnection: close\n";
            app.raw(&format!("{method} {path} HTTP/1.1\n{head}{more}\n")).await
        };
        let header = |answer: &str, name: &str| {
            let found = answer.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            found.unwrap_or_else(|| panic!("no {name} in {answer}")).to_owned()
        };
        let get = send("GET", "").await;
        let head = send("HEAD", "").await;
        assert!(head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"), "{head}");
        for name in ["etag", "content-length", "content-type"] {
            assert_eq!(header(&head, name), header(&get, name), "{path}");
        }
        let known = send("HEAD", &format!("if-none-match: {}\n", header(&get, "etag"))).await;
        assert!(known.starts_with("HTTP/1.1 304"), "{known}");
    }
}

#[tokio::test]
async fn writes_respect_if_none_match() {
    let app = App::start().await;
    let client = app.client();
    let id = create(&client, account("Conditional")).await.id.expect("an id");
    let tag = read(&client, id).await.etag.expect("a tag");
    let url = format!("http://{}/v2/crm/accounts/{id}", app.address);
    let patch = async |tags: &str| {
        let body = serde_json::json!([{ "op": "replace", "path": "/Description", "value": tags }]);
        let request = app
            .http
            .patch(&url)
            .bearer_auth(app.token())
            .header("content-type", "application/json")
            .body(body.to_string())
            .header("if-none-match", tags);
        request.send().await.expect("an answer").status().as_u16()
    };
    for known in ["*", &tag, &format!("\"other\", W/{tag}")] {
        assert_eq!(patch(known).await, 412, "{known}");
    }
    assert_eq!(read(&client, id).await.etag, Some(tag), "nothing has changed");
    assert_eq!(patch("\"other\"").await, 200);

    let settings = app.http.put(format!("http://{}/v2/admin/companysettings", app.address)).bearer_auth(app.token());
    let settings = settings
        .header("content-type", "application/json")
        .body(serde_json::json!({ "ModuleId": 1, "Settings": {} }).to_string())
        .header("if-none-match", "*");
    assert_eq!(settings.send().await.expect("an answer").status(), 412);
    let delete = app.http.delete(format!("http://{}/v2/system/attachments?attachmentIds=1", app.address));
    let delete = delete.bearer_auth(app.token()).header("if-none-match", "*").send().await.expect("an answer");
    assert_eq!(delete.status(), 400, "it takes no condition, and ignores none");
}
