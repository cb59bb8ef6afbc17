use std::{collections::BTreeMap, time::Duration};

use generated_server::{
    models::{AccountLocationAddressInput, AccountLocationInput, AccountPost},
    runtime::json::{Maybe, Value},
};
use jiff::{SignedDuration, Timestamp};

use super::{new_account, open, place, run};
use crate::{
    domain::{
        attachment::{AttachmentKey, Content, ContentHash, NewAttachment, TemporaryUpload},
        caller::Visibility,
        list::{ListQuery, Sort, Window},
        reference::{
            AccountCodeFilter, AgentProcedureFilter, AssigneeFilter, AssigneeLookupFilter, ChartOfAccountFilter,
        },
        token::{Grants, NewToken, Secret},
    },
    store::{Condition, Error, Location, Options, Store, TenantStore},
};

fn query<F>(filter: F) -> ListQuery<F> {
    ListQuery {
        filter,
        sort: Sort::default(),
        exclude: crate::domain::list::Exclude::default(),
        window: Window::default(),
    }
}

fn account(tenant: &TenantStore) {
    let text = |text: &str| Maybe::Value(text.to_owned());
    let none = AccountLocationAddressInput::default;
    let address = AccountLocationAddressInput { city: text("Wien"), phone: text("1"), is_main: Some(true), ..none() };
    let location = AccountLocationInput {
        location_name: "Main".into(),
        is_main: None,
        is_active: None,
        addresses: vec![none(), address],
    };
    run(tenant.create_account(AccountPost { locations: vec![location], ..new_account("Acme") }, None)).unwrap();
}

#[test]
fn reference_data_is_read() {
    let (_folder, _store, tenant) = open(place());
    account(&tenant);
    let name = |name: &str| Some(name.to_owned());
    assert_eq!(run(tenant.account_codes(query(AccountCodeFilter { name: name("TW") }))).unwrap().total, 1);
    assert_eq!(run(tenant.account_types()).unwrap().len(), 2);
    assert_eq!(run(tenant.approval_routes()).unwrap().len(), 2);
    let procedures = |id, name| run(tenant.agent_procedures(2, AgentProcedureFilter { id, name })).unwrap().len();
    assert_eq!([procedures(None, None), procedures(Some(1), None), procedures(None, name("aud"))], [2, 1, 1]);
    assert_eq!(run(tenant.colors(Some(2))).unwrap().len(), 1);
    assert_eq!(run(tenant.colors(None)).unwrap().len(), 2);
    let chart = |filter| run(tenant.chart_of_accounts(query(filter))).unwrap();
    let below = chart(ChartOfAccountFilter { parent_id: Some(1), code: name("4100"), ..Default::default() });
    assert_eq!(below.records[0].parent_name.value().map(String::as_str), Some("Revenue"));
    assert_eq!(chart(ChartOfAccountFilter { is_active: Some(true), type_id: Some(1), ..Default::default() }).total, 1);
    assert_eq!(chart(ChartOfAccountFilter { id: Some(2), name: name("serv"), ..Default::default() }).total, 1);
    assert_eq!(run(tenant.chart_of_account_lookup(1, Window::page(1, 10))).unwrap().unwrap().total, 1);
    assert!(run(tenant.chart_of_account_lookup(9, Window::default())).unwrap().is_none());
    assert_eq!(run(tenant.chart_of_account_types(ListQuery::default())).unwrap().total, 1);
    assert_eq!(run(tenant.chart_of_account_type_lookup()).unwrap().total, 1);

    let assignees = |filter| run(tenant.assignees(query(filter))).unwrap().total;
    assert_eq!(assignees(AssigneeFilter::default()), 2);
    assert_eq!(assignees(AssigneeFilter { employees_only: true, ids: vec![7, 8], name: None }), 1);
    let lookup = |filter| run(tenant.assignee_lookup(query(filter))).unwrap().total;
    assert_eq!(lookup(AssigneeLookupFilter { excluded_ids: vec![8], name: name("jo"), ..Default::default() }), 1);
    assert_eq!(lookup(AssigneeLookupFilter { account_id: Some(1), ids: vec![7], ..Default::default() }), 1);
    assert_eq!(run(tenant.assignee_count()).unwrap(), 2);
    assert_eq!(run(tenant.assignee_roles(7)).unwrap().unwrap()[0].is_default, Some(true));
    assert!(run(tenant.assignee_roles(99)).unwrap().is_none());
}

#[test]
fn settings_are_put_and_read() {
    let (_folder, _store, tenant) = open(place());
    let new = BTreeMap::from([("Zone".to_owned(), Value::Null), ("Currency".to_owned(), Value::String("USD".into()))]);
    run(tenant.put_settings(1, new.clone(), Condition::none())).unwrap();
    assert_eq!(run(tenant.settings(None)).unwrap(), new);
    assert_eq!(run(tenant.settings(Some("Zone".into()))).unwrap().len(), 1);
    assert!(run(tenant.settings(Some("zone".into()))).unwrap().is_empty());
    // What an import refuses cannot be put: it could not be exported and imported again.
    for (module, key) in [(0, "Zone"), (-1, "Zone"), (1, "")] {
        let wrong = BTreeMap::from([(key.to_owned(), Value::Null)]);
        let refused = run(tenant.put_settings(module, wrong, Condition::none()));
        assert!(matches!(refused, Err(Error::Refused(_))), "{module} {key}");
    }
}

fn content(byte: u8, size: u64) -> Content {
    let blob = format!("{byte}-{}", uuid::Uuid::new_v4());
    Content { hash: ContentHash([byte; 32]), blob, size, media_type: "text/plain".into() }
}

fn attachment(content: Content, alias: &str) -> NewAttachment {
    NewAttachment {
        module_id: 1,
        object_id: 1,
        original_file_name: format!("{alias}.txt"),
        alias_name: alias.into(),
        file_type: Some(".txt".into()),
        content,
    }
}

/// When all that is claimed now was claimed before.
fn later() -> Timestamp {
    Timestamp::now() + SignedDuration::from_secs(1)
}

#[test]
fn contents_live_as_long_as_something_refers_to_them() {
    let (_folder, _store, tenant) = open(place());
    account(&tenant);
    let claimed = run(tenant.claim_content(content(1, 5), 0)).unwrap();
    assert_eq!(run(tenant.claim_content(content(1, 5), 0)).unwrap(), claimed, "the same blob");
    let first = run(tenant.create_attachment(attachment(claimed.clone(), "a"), None)).unwrap().value;
    let second = run(tenant.create_attachment(attachment(claimed.clone(), "b"), None)).unwrap().value;
    assert_eq!(first.url.value().map(String::as_str), Some("/v2/system/attachments/1/1/1/download"));
    assert_eq!(first.created_by_name.value().map(String::as_str), Some("Jo Doe"));
    let key = |id| AttachmentKey { module_id: 1, object_id: 1, id };
    assert_eq!(run(tenant.attachments(1, 1, ListQuery::default())).unwrap().records, [first.clone(), second]);
    assert_eq!(run(tenant.attachment_content(key(1))).unwrap(), Some((first, claimed.clone())));
    assert!(run(tenant.rename_attachment(key(1), Condition::none(), "new".into())).unwrap());
    assert!(!run(tenant.rename_attachment(key(3), Condition::none(), "new".into())).unwrap());

    let forget = || run(tenant.forget_contents(later())).unwrap();
    assert_eq!(forget(), 0);
    assert!(run(tenant.delete_attachment(key(1), Condition::none())).unwrap());
    assert!(!run(tenant.delete_attachment(key(1), Condition::none())).unwrap());
    assert_eq!(forget(), 0);
    let upload = TemporaryUpload {
        alias: "t".into(),
        module_id: 1,
        name: "t.txt".into(),
        file_type: None,
        expires_on: later(),
        content: claimed.clone(),
    };
    run(tenant.create_temporary_upload(upload, None)).unwrap();
    assert_eq!(run(tenant.delete_attachments(vec![2], Visibility::Accounts([2].into()))).unwrap(), 0, "not seen");
    assert_eq!(run(tenant.delete_attachments(vec![2, 99], Visibility::All)).unwrap(), 1);
    assert_eq!(forget(), 0);
    assert_eq!(run(tenant.used_blobs()).unwrap(), [claimed.blob.as_str()]);
    assert_eq!(run(tenant.delete_temporary_uploads(vec!["x".into()])).unwrap(), 0);
    assert_eq!(run(tenant.expire_temporary_uploads(later())).unwrap(), 1);
    assert!(run(tenant.used_blobs()).unwrap().is_empty());
    assert_eq!(run(tenant.forget_contents(Timestamp::UNIX_EPOCH)).unwrap(), 0, "it was claimed since");
    assert_eq!(forget(), 1);
}

#[test]
fn unused_contents_are_found_among_any_number_that_are_used() {
    let place = place();
    let is_file = matches!(place.1, Location::Sqlite(_));
    let (_folder, store, tenant) = open(place);
    account(&tenant);
    let kept = run(tenant.claim_content(content(255, 5), 0)).unwrap();
    run(tenant.create_attachment(attachment(kept.clone(), "a"), None)).unwrap();
    for group in 0..5 {
        let many: Vec<String> = (0..1000)
            .map(|number| {
                let number = group * 1000 + number;
                let hash = if is_file { format!("x'{number:064}'") } else { format!("'\\x{number:064}'::bytea") };
                format!("(1, {hash}, 'blob-{number}', 1, 'text/plain', {number})")
            })
            .collect();
        store.execute(&format!(
            "INSERT INTO contents (tenant_id, hash, blob, size, media_type, claimed_on) VALUES {}",
            many.join(", ")
        ));
    }
    assert_eq!(run(tenant.forget_contents(later())).unwrap(), 5000);
    assert_eq!(run(tenant.used_blobs()).unwrap(), [kept.blob.as_str()]);
    assert_eq!(run(tenant.forget_contents(later())).unwrap(), 0);
}

#[test]
fn a_content_that_comes_again_has_another_blob_than_the_one_that_is_removed() {
    let (_folder, _store, tenant) = open(place());
    account(&tenant);
    let first = run(tenant.claim_content(content(1, 5), 0)).unwrap();
    assert_eq!(run(tenant.forget_contents(later())).unwrap(), 1);
    assert_eq!(run(tenant.unused_blobs()).unwrap(), [first.blob.as_str()]);
    let refused = run(tenant.create_attachment(attachment(first.clone(), "a"), None));
    assert!(matches!(refused, Err(Error::Unclaimed)), "{refused:?}");

    let second = run(tenant.claim_content(content(1, 5), 0)).unwrap();
    assert_ne!(second.blob, first.blob);
    let refused = run(tenant.create_attachment(attachment(first.clone(), "a"), None));
    assert!(matches!(refused, Err(Error::Unclaimed)), "{refused:?}");
    run(tenant.create_attachment(attachment(second.clone(), "a"), None)).unwrap();
    assert_eq!(run(tenant.used_blobs()).unwrap(), [second.blob.as_str()]);
    assert_eq!(run(tenant.unused_blobs()).unwrap(), [first.blob.as_str()], "until it is removed");
    run(tenant.forget_blobs(vec![first.blob])).unwrap();
    assert!(run(tenant.unused_blobs()).unwrap().is_empty());
}

#[test]
fn a_tenant_has_at_most_its_quota_of_bytes_and_each_content_counts_once() {
    let (_folder, _store, tenant) = open(place());
    let claim = |byte, size| run(tenant.claim_content(content(byte, size), 10));
    claim(1, 6).unwrap();
    claim(1, 6).unwrap();
    assert!(matches!(claim(2, 5), Err(Error::OverQuota { used: 6, more: 5, limit: 10 })));
    claim(3, 4).unwrap();
    assert!(matches!(claim(4, 1), Err(Error::OverQuota { used: 10, .. })));
    claim(1, 6).unwrap();
    assert_eq!(run(tenant.forget_contents(later())).unwrap(), 2);
    claim(5, 10).unwrap();
    assert!(run(tenant.claim_content(content(6, 1 << 40), 0)).is_ok(), "0 is any number");
}

#[test]
fn a_revoked_token_is_not_found_by_another_process_either() {
    let (folder, location) = place();
    let (_folder, store, tenant) = open((folder, location.clone()));
    let (token, secret) = run(tenant.create_token(NewToken { name: "key".into(), ..NewToken::default() })).unwrap();
    let other = Store::open(location, &Options::default()).unwrap();
    let is_usable = |store: &Store| run(store.token(secret.hash())).unwrap().unwrap().is_usable(Timestamp::now());
    assert!(is_usable(&store) && is_usable(&other));
    assert!(run(tenant.revoke_token(token.id)).unwrap());
    assert!(!is_usable(&store) && !is_usable(&other));
}

#[test]
fn tokens_are_made_found_and_revoked() {
    let (_folder, store, tenant) = open(place());
    account(&tenant);
    let new = |accounts: &[i32]| NewToken {
        name: "test".into(),
        grants: Grants::all([560_206]),
        visible: Visibility::Accounts(accounts.into()),
        assignee: Some(7),
        expires_on: None,
    };
    assert!(matches!(run(tenant.create_token(new(&[1, 5]))), Err(Error::Refused(_))));
    let (token, secret) = run(tenant.create_token(new(&[1]))).unwrap();
    let found = run(store.token(Secret::presented(secret.reveal()).hash())).unwrap().unwrap();
    assert!(found.is_usable(Timestamp::now()) && found.grants.allow("function:560206"));
    assert_eq!(found.visible, Visibility::Accounts([1].into()));
    assert!(run(store.token(Secret::presented("bms_x").hash())).unwrap().is_none());
    run(store.ready()).unwrap();
    while run(tenant.tokens()).unwrap()[0].last_used_on.is_none() {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(run(tenant.revoke_token(token.id)).unwrap());
    assert!(!run(tenant.revoke_token(token.id)).unwrap());
    assert!(!run(store.token(secret.hash())).unwrap().unwrap().is_usable(Timestamp::now()));
}

#[test]
fn logs_of_jobs_are_listed_in_the_order_of_writing() {
    let (_folder, store, tenant) = open(place());
    let sql = "INSERT INTO jobs (tenant_id, id, action, started_on) VALUES (1, 5, 'Import', 0);
        INSERT INTO job_logs (tenant_id, job_id, id, type, action, action_folded, message, date) VALUES
        (1, 5, x'00000000000000000000000000000002', 2, 'Import', 'import', 'second', 2),
        (1, 5, x'00000000000000000000000000000001', 0, 'Import', 'import', 'first', 1);";
    store.execute(sql);
    let listed = run(tenant.job_logs(5, ListQuery::default())).unwrap().unwrap();
    let messages: Vec<_> = listed.records.iter().map(|line| line.message.value().unwrap().as_str()).collect();
    assert_eq!((listed.total, messages), (2, vec!["first", "second"]));
    assert!(run(tenant.job_logs(6, ListQuery::default())).unwrap().is_none());
}
