//! The change feed and the audit log behind it.

use generated_client::{Client, Part, accounts::*, attachments::*, changes::*, company_settings::*, models::*};
use service::domain::{caller::Visibility, change::AuditEntry, retention::Retained, tenant::TenantId};

use crate::{
    app::App,
    records::{account, create, file, import, refusal, replacement},
};

async fn changes(client: &Client, after: i64) -> Vec<RecordChange> {
    let mut all = Vec::new();
    let mut after = after;
    loop {
        let request = GetChanges { after: Some(after), page_size: Some(3) };
        let answer = client.changes().get_changes(request).await.expect("changes");
        assert!(answer.body.next_after >= after && answer.body.result.len() <= 3);
        after = answer.body.next_after;
        all.extend(answer.body.result);
        if answer.link.is_none() {
            return all;
        }
    }
}

async fn last(client: &Client) -> i64 {
    changes(client, 0).await.last().map_or(0, |change| change.sequence)
}

fn seen(changes: &[RecordChange]) -> Vec<(String, String, Option<i32>, ChangeAction)> {
    let told = changes.iter().map(|change| (change.kind.clone(), change.record_id.clone(), change.account_id));
    told.zip(changes).map(|((kind, id, account), change)| (kind, id, account, change.action.clone())).collect()
}

async fn entries(app: &App, after: i64) -> Vec<AuditEntry> {
    app.service.records_of(TenantId::FIRST).audit_log(after, 1000).await.expect("the log")
}

#[tokio::test]
#[expect(deprecated, reason = "what is deprecated still has to work")]
async fn every_write_appears_once_in_order() {
    let app = App::start().await;
    let client = app.client();
    let before = last(&client).await;
    let id = create(&client, account("New")).await.id.expect("an id");
    let body = replacement("Renamed");
    client.accounts().put_account(PutAccount { id, if_match: None, body }).await.expect("replaced");
    let request =
        PostAttachment { module_id: 1, object_id: id, idempotency_key: None, body: file(Part::bytes("a.txt", "text")) };
    let attached = client.attachments().post_attachment(request).await.expect("attached");
    let attachment_id = attached.body.result.into_option().expect("one")[0].id.expect("an id");
    let delete = DeleteAttachment { module_id: 1, object_id: id, attachment_id, if_match: None };
    client.attachments().delete_attachment(delete).await.expect("deleted");
    for _ in 0..2 {
        let settings = [("Feed".to_owned(), "on".into())].into();
        let body = CompanySettingsPut { module_id: 1, settings };
        client.company_settings().put_company_settings(PutCompanySettings { if_match: None, body }).await.expect("set");
    }
    let wrong = AccountPost { account_type_id: 9999, ..account("Wrong") };
    let wrong = PostAccount { idempotency_key: None, body: wrong };
    client.accounts().post_account(wrong).await.expect_err("refused");

    let found = changes(&client, before).await;
    let (account, attachment) = (id.to_string(), attachment_id.to_string());
    assert_eq!(
        seen(&found),
        [
            ("Account".to_owned(), account.clone(), Some(id), ChangeAction::Created),
            ("Account".to_owned(), account, Some(id), ChangeAction::Updated),
            ("Attachment".to_owned(), attachment.clone(), Some(id), ChangeAction::Created),
            ("Attachment".to_owned(), attachment, Some(id), ChangeAction::Deleted),
            ("CompanySetting".to_owned(), "Feed".to_owned(), None, ChangeAction::Created),
        ]
    );
    let numbers: Vec<i64> = found.iter().map(|change| change.sequence).collect();
    assert_eq!(numbers, (before + 1..=before + 5).collect::<Vec<_>>(), "no gaps");

    let log = entries(&app, before).await;
    assert_eq!(log[1].operation, "PutAccount");
    assert_eq!(log[1].token.as_ref().map(|(_, name)| name.as_str()), Some("first"));
    assert!(log[1].before.as_deref().is_some_and(|before| before.contains(r#""AccountName":"New""#)));
    assert!(log[1].after.as_deref().is_some_and(|after| after.contains(r#""AccountName":"Renamed""#)));
    assert!(log[0].before.is_none() && log[3].after.is_none());
}

#[tokio::test]
async fn a_token_for_some_accounts_sees_their_changes_only() {
    let app = App::start().await;
    let client = app.client();
    let mine = create(&client, account("Mine")).await.id.expect("an id");
    let limited = app.client_with(&["read:changes", "read:crm"], &[], Visibility::Accounts([mine].into())).await;
    for number in 0..7 {
        create(&client, account(&format!("Other {number}"))).await;
    }
    let found = changes(&limited, 0).await;
    assert_eq!(seen(&found), [("Account".to_owned(), mine.to_string(), Some(mine), ChangeAction::Created)]);
    let request = GetChanges { after: Some(found[0].sequence), page_size: None };
    let rest = limited.changes().get_changes(request).await.expect("changes");
    assert!(rest.body.result.is_empty() && rest.link.is_none());
    assert_eq!(rest.body.next_after, last(&client).await, "it goes on behind what it may not see");

    let other = app.client_with(&["read:crm"], &[], Visibility::All).await;
    let error = other.changes().get_changes(GetChanges::default()).await.expect_err("no scope");
    assert_eq!(refusal(error).0, 403);
}

#[tokio::test]
async fn a_token_sees_changes_of_readable_records_only() {
    let app = App::start().await;
    create(&app.client(), account("A")).await;
    let blind = app.client_with(&["read:changes"], &[], Visibility::All).await;
    assert!(changes(&blind, 0).await.is_empty());
    let reader = app.client_with(&["read:changes", "read:crm"], &[], Visibility::All).await;
    let kinds: Vec<_> = seen(&changes(&reader, 0).await).into_iter().map(|(kind, ..)| kind).collect();
    assert!(kinds.contains(&"Account".to_owned()), "{kinds:?}");
    assert!(!kinds.iter().any(|kind| kind == "Token" || kind == "CompanySetting"), "{kinds:?}");
    assert!(!kinds.iter().any(|kind| kind == "AccountType" || kind == "Color"), "{kinds:?}");
    for (functions, is_seen) in [(&[][..], false), (&[560_206][..], true)] {
        let reader = app.client_with(&["read:changes", "read:agents"], functions, Visibility::All).await;
        let kinds: Vec<_> = seen(&changes(&reader, 0).await).into_iter().map(|(kind, ..)| kind).collect();
        assert_eq!(kinds.contains(&"AgentNote".to_owned()), is_seen, "{kinds:?}");
    }
}

#[tokio::test]
async fn old_changes_expire_and_late_readers_get_an_error() {
    let app = App::start().await;
    let client = app.client();
    create(&client, account("A")).await;
    let last = last(&client).await;
    assert!(last > 3);
    let records = app.service.records_of(TenantId::FIRST);
    assert_eq!(records.remove_older(Retained::Changes, jiff::Timestamp::UNIX_EPOCH, 1000).await.expect("swept"), 0);
    assert!(records.remove_older(Retained::Changes, jiff::Timestamp::MAX, 1000).await.expect("swept") > 0);
    let stale = GetChanges { after: Some(0), page_size: None };
    assert_eq!(refusal(client.changes().get_changes(stale).await.expect_err("gone")).0, 410);
    let first = client.changes().get_changes(GetChanges::default()).await.expect("the oldest that is kept");
    assert_eq!((first.body.result.len(), first.body.result[0].sequence), (1, last));
    let kept = changes(&client, last - 1).await;
    assert_eq!(kept.iter().map(|change| change.sequence).collect::<Vec<_>>(), [last]);
    create(&client, account("B")).await;
    assert_eq!(changes(&client, last).await[0].sequence, last + 1, "numbers are not given out again");
    let ahead = GetChanges { after: Some(last + 100), page_size: None };
    let error = client.changes().get_changes(ahead).await.expect_err("after a restore, the caller begins anew");
    assert_eq!(refusal(error).0, 410);
}

#[tokio::test]
async fn what_an_import_moves_goes_from_one_account_and_comes_to_the_other() {
    let app = App::start().await;
    let client = app.client();
    let mut accounts = Vec::new();
    for name in ["From", "To"] {
        let created = create(&client, account(name)).await;
        accounts.push((created.id.expect("an id"), created.locations.value().expect("one")[0].id));
    }
    let place = |(account, location): (i32, Option<i32>)| {
        serde_json::json!({
            "Contacts": [{ "Id": 7001, "AccountId": account, "LocationId": location, "FirstName": "Ann", "LastName": "Lee" }],
            "Agents": [{ "AgentId": "7002", "AccountId": account }],
        })
    };
    import(&app, &place(accounts[0])).await.expect("imported");
    let before = last(&client).await;
    import(&app, &place(accounts[1])).await.expect("imported");
    let scopes = ["read:changes", "read:crm", "read:agents"];
    for ((account, _), action) in accounts.into_iter().zip([ChangeAction::Deleted, ChangeAction::Created]) {
        let limited = app.client_with(&scopes, &[], Visibility::Accounts([account].into())).await;
        let mut found = seen(&changes(&limited, before).await);
        found.sort_by(|one, other| one.0.cmp(&other.0));
        let change = |kind: &str, id: &str| (kind.to_owned(), id.to_owned(), Some(account), action.clone());
        assert_eq!(found, [change("Agent", "7002"), change("Contact", "7001")]);
    }
}

#[tokio::test]
async fn imports_and_tokens_stand_in_the_log_without_secrets() {
    let app = App::start().await;
    let log = entries(&app, 0).await;
    let kinds: Vec<&str> = log.iter().map(|entry| entry.change.kind.as_str()).collect();
    for kind in ["Account", "Contact", "AccountType", "Agent", "Token"] {
        assert!(kinds.contains(&kind), "{kind} is missing in {kinds:?}");
    }
    let numbers: Vec<i64> = log.iter().map(|entry| entry.change.sequence).collect();
    assert_eq!(numbers, (1..=i64::try_from(log.len()).expect("few")).collect::<Vec<_>>());
    let account = log.iter().find(|entry| entry.change.kind == "Account").expect("one");
    assert_eq!(account.change.account_id.map(|id| id.to_string()).as_ref(), Some(&account.change.record_id));
    assert!(account.after.as_deref().is_some_and(|after| after.contains("\"Locations\":[{")), "{account:?}");
    let token = log.iter().find(|entry| entry.change.kind == "Token").expect("one").after.clone().expect("it");
    assert!(token.contains("\"Name\":\"first\"") && !token.contains("bms_") && !token.contains("ash"), "{token}");

    let records = app.service.records_of(TenantId::FIRST);
    assert!(records.revoke_token(1).await.expect("revoked"));
    let last = entries(&app, *numbers.last().expect("some")).await;
    assert_eq!(
        (last.len(), last[0].change.kind.as_str(), format!("{:?}", last[0].change.action).as_str()),
        (1, "Token", "Updated")
    );
}
