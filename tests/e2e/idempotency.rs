//! Requests with an `Idempotency-Key` run once.

use generated_client::{
    Client, Part,
    accounts::*,
    attachments::*,
    contacts::*,
    models::{AccountPost, ContactInput},
    runtime::json::Maybe,
};
use service::domain::{caller::Visibility, retention::Retained, tenant::TenantId};

use crate::{
    app::App,
    records::{account, file, refusal},
};

async fn post(client: &Client, key: &str, body: AccountPost) -> PostAccountResponse {
    let request = PostAccount { idempotency_key: Some(key.to_owned()), body };
    client.accounts().post_account(request).await.expect("an account")
}

fn id(answer: &PostAccountResponse) -> Option<i32> {
    answer.body.result.as_ref().and_then(|account| account.id)
}

async fn accounts(client: &Client) -> i32 {
    let list = client.accounts().get_accounts_list_summary(GetAccountsListSummary::default()).await.expect("a list");
    list.body.total_records.expect("a total")
}

#[tokio::test]
async fn the_same_request_is_done_once_and_answered_alike() {
    let app = App::start().await;
    let client = app.client();
    let token = app.token().to_owned();
    let before = accounts(&client).await;
    let first = post(&client, "k-1", account("Once")).await;
    assert_eq!(first.idempotency_replayed, None);
    // Later changes of the record do not matter.
    let patch = vec![generated_client::models::PatchOperation {
        op: "replace".into(),
        path: "/AccountName".into(),
        value: Some("Later".into()),
        ..Default::default()
    }];
    let patch = PatchAccount { id: id(&first).expect("an id"), if_match: None, body: patch };
    client.accounts().patch_account(patch).await.expect("patched");
    let again = post(&client, "k-1", account("Once")).await;
    assert_eq!(again.idempotency_replayed, Some(true));
    assert_eq!(again.body, first.body);
    assert_eq!(accounts(&client).await, before + 1);

    assert_ne!(id(&post(&client, "k-2", account("Once")).await), id(&first), "another key is another request");
    let other = app.client_with(&["*"], &[], Visibility::All).await;
    let of_other = post(&other, "k-1", account("Once")).await;
    assert_eq!(of_other.idempotency_replayed, None, "another token has keys of its own");
    assert_eq!(accounts(&client).await, before + 3);

    let app = app.restart().await;
    let client = generated_client::Client::builder(&format!("http://{}", app.address)).expect("a URL");
    let client = client.bearer_auth(&token).build().expect("a client");
    let after = post(&client, "k-1", account("Once")).await;
    assert_eq!((after.idempotency_replayed, id(&after)), (Some(true), id(&first)), "a restart forgets no key");
}

#[tokio::test]
async fn a_key_belongs_to_one_request_and_failures_do_not_use_it() {
    let app = App::start().await;
    let client = app.client();
    let wrong = AccountPost { account_type_id: 9999, ..account("Wrong") };
    let request = PostAccount { idempotency_key: Some("k".into()), body: wrong };
    let error = client.accounts().post_account(request).await.expect_err("refused");
    assert_eq!(refusal(error).0, 422);
    assert_eq!(post(&client, "k", account("Right")).await.idempotency_replayed, None);

    let request = PostAccount { idempotency_key: Some("k".into()), body: account("Another") };
    let (status, texts) = refusal(client.accounts().post_account(request).await.expect_err("refused"));
    assert_eq!(status, 422);
    assert!(texts[0].contains("another request"), "{texts:?}");

    for key in ["", "a b", &"x".repeat(256)] {
        let request = PostAccount { idempotency_key: Some(key.to_owned()), body: account("Key") };
        let error = client.accounts().post_account(request).await.expect_err("refused");
        assert_eq!(refusal(error).0, 400, "{key:?}");
    }
    post(&client, &"x".repeat(255), account("Key")).await;
}

#[tokio::test]
async fn requests_at_the_same_time_make_one_record() {
    let app = App::start().await;
    let client = app.client();
    let calls = (0..16).map(|_| {
        let client = client.clone();
        tokio::spawn(async move { post(&client, "same", account("Same")).await })
    });
    let mut answers = Vec::new();
    for call in calls.collect::<Vec<_>>() {
        answers.push(call.await.expect("no panic"));
    }
    assert!(answers.iter().all(|answer| answer.body == answers[0].body));
    assert_eq!(answers.iter().filter(|answer| answer.idempotency_replayed.is_none()).count(), 1);
}

#[tokio::test]
async fn contacts_and_uploads_are_made_once_too() {
    let app = App::start().await;
    let client = app.client();
    let account = crate::records::create(&client, account("Place")).await;
    let (account_id, locations) = (account.id, account.locations.into_option().expect("locations"));
    let body = ContactInput {
        account_id,
        location_id: locations[0].id,
        last_name: Maybe::Value("Lee".into()),
        ..ContactInput::default()
    };
    let contact = || PostContactSummaryInfo { idempotency_key: Some("k".into()), body: body.clone() };
    let first = client.contacts().post_contact_summary_info(contact()).await.expect("a contact");
    let again = client.contacts().post_contact_summary_info(contact()).await.expect("a contact");
    assert_eq!((&again.body, again.idempotency_replayed), (&first.body, Some(true)));

    let attach = |name: &str, bytes: &str| PostAttachment {
        module_id: 1,
        object_id: account_id.expect("an id"),
        idempotency_key: Some("k".into()),
        body: file(Part::bytes(name, bytes.to_owned())),
    };
    let first = client.attachments().post_attachment(attach("a.txt", "text")).await.expect("attached");
    let again = client.attachments().post_attachment(attach("a.txt", "text")).await.expect("attached");
    assert_eq!((&again.body, again.idempotency_replayed), (&first.body, Some(true)));
    for other in [attach("b.txt", "text"), attach("a.txt", "other")] {
        let error = client.attachments().post_attachment(other).await.expect_err("refused");
        assert_eq!(refusal(error).0, 422);
    }

    let keep = || PostTempAttachment {
        module_id: 1,
        idempotency_key: Some("k".into()),
        body: PostTempAttachmentBody { file: Part::bytes("a.txt", "text") },
    };
    let first = client.attachments().post_temp_attachment(keep()).await.expect("kept");
    let again = client.attachments().post_temp_attachment(keep()).await.expect("kept");
    assert_eq!((&again.body, again.idempotency_replayed), (&first.body, Some(true)));
}

#[tokio::test]
async fn keys_are_forgotten_after_their_time() {
    let app = App::start().await;
    let client = app.client();
    let first = post(&client, "k", account("Once")).await;
    let records = app.service.records_of(TenantId::FIRST);
    assert_eq!(
        records.remove_older(Retained::IdempotencyKeys, jiff::Timestamp::UNIX_EPOCH, 1000).await.expect("swept"),
        0
    );
    assert_eq!(records.remove_older(Retained::IdempotencyKeys, jiff::Timestamp::MAX, 1000).await.expect("swept"), 1);
    let again = post(&client, "k", account("Once")).await;
    assert_ne!(id(&again), id(&first));
}
