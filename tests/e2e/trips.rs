//! The number of statements of an operation does not depend on the number of rows.

use std::fs;

use generated_client::{
    accounts::{GetAccountsListSummary, PatchAccount},
    contacts::GetContactsListSummary,
    models::{AccountPost, PatchOperation},
    runtime::{json::Value, multipart::Part},
};
use service::{domain::tenant::TenantId, import};
use tests_postgres::{execute, log_statements, statements};

use crate::{
    app::App,
    attachments::attach,
    records::{account, create, location},
    waiting::eventually,
};

/// A service whose statements are logged.
struct Case {
    app: App,
}

impl Case {
    async fn start() -> Self {
        let store = crate::store();
        log_statements(&store);
        let case = Self { app: App::start_on(store, |config| config.limits.calls_per_hour = 0).await };
        // The work at startup ends with the query for the next due scan, and with that for unused blobs.
        let is_idle = async || {
            let sent = statements(case.app.store());
            ["next_scan()", "FROM unused_blobs"].iter().all(|end| sent.iter().any(|sql| sql.contains(end)))
        };
        eventually("the service has nothing to do by itself", is_idle).await;
        case
    }

    /// The statements sent during some work, without token lookups and updates, and without id allocations,
    /// which come in blocks: at most one for each of `kinds`.
    async fn statements(&self, kinds: usize, work: impl Future) -> Vec<String> {
        let before = statements(self.app.store()).len();
        work.await;
        let sent = statements(self.app.store()).split_off(before);
        let sent = sent.into_iter().filter(|sql| !sql.contains("tokens") && !sql.contains("service.secret"));
        let (ids, sent): (Vec<_>, Vec<_>) = sent.partition(|sql| sql.ends_with("RETURNING next"));
        assert!(ids.len() <= kinds, "{ids:?}");
        sent.into_iter().map(without_rows).collect()
    }

    async fn attach(&self, count: usize) -> String {
        let (client, mut ids) = (self.app.client(), Vec::with_capacity(count));
        for number in 0..count {
            let attached = attach(&client, Part::bytes(format!("{number}.txt"), "text")).await;
            ids.push(attached.id.expect("an id").to_string());
        }
        ids.join(",")
    }
}

/// An `INSERT` up to its columns: one row is given by value, several are given as JSON.
fn without_rows(sql: String) -> String {
    if sql.starts_with("INSERT") { sql.split(')').next().unwrap_or_default().to_owned() } else { sql }
}

#[tokio::test]
async fn many_attachments_are_deleted_by_as_many_statements_as_one() {
    let case = Case::start().await;
    let client = case.app.client();
    let mut sent = Vec::new();
    for count in [1, 1, 50] {
        let ids = case.attach(count).await;
        sent.push(case.statements(0, async { client.attachments().delete_attachments(&ids).await.expect("deleted") }).await);
    }
    assert_eq!(sent[1], sent[2]);
}

#[tokio::test]
async fn what_is_excluded_of_contacts_is_not_read() {
    let case = Case::start().await;
    let client = case.app.client();
    for (exclude, is_read) in [("Id", [true, true]), ("Emails", [false, true]), ("Emails,Phones", [false, false])] {
        let request = GetContactsListSummary { exclude: Some(exclude.into()), ..GetContactsListSummary::default() };
        let list = async { client.contacts().get_contacts_list_summary(request).await.expect("a page") };
        let sent = case.statements(0, list).await;
        let reads = ["contact_emails", "contact_phones"].map(|table| sent.iter().any(|sql| sql.contains(table)));
        assert_eq!(reads, is_read, "{exclude}: {sent:?}");
    }
}

#[tokio::test]
async fn an_account_with_many_locations_is_created_by_as_many_statements_as_with_one() {
    let case = Case::start().await;
    let mut sent = Vec::new();
    for count in [1, 1, 50] {
        let locations = (0..count).map(|number| location(&format!("{number}"), number == 0)).collect();
        let body = AccountPost { locations, ..account("Many") };
        sent.push(case.statements(3, create(&case.app.client(), body)).await);
    }
    // Ids of locations and addresses are allocated in blocks: a transaction of four statements for each kind.
    assert_eq!(sent[1], sent[2]);
}

/// A prepared statement keeps the plan of its first runs, when the tables were small.
#[tokio::test]
async fn statements_prepared_in_a_new_store_read_few_rows_of_larger_tables() {
    let app = App::start_on(crate::store(), |config| config.limits.calls_per_hour = 0).await;
    let counted = |what: &str| {
        let tables = "'accounts', 'account_locations', 'account_addresses'";
        let sql = format!("SELECT sum({what}) FROM pg_stat_user_tables WHERE relname IN ({tables})");
        execute(app.store(), &sql).trim().parse::<u64>().expect("a number")
    };
    let client = app.client();
    let repeat = async |count: u64| {
        let before = counted("idx_scan");
        for _ in 0..count {
            create(&client, AccountPost { locations: vec![location("Main", true)], ..account("New") }).await;
            let request = GetAccountsListSummary {
                page_size: Some(3),
                sort: Some("Id desc".into()),
                ..GetAccountsListSummary::default()
            };
            client.accounts().get_accounts_list_summary(request).await.expect("a page");
        }
        // Both look up rows of every table. The server publishes its counts with a delay.
        eventually("the scans are counted", async || counted("idx_scan") >= before + 6 * count).await;
    };
    repeat(30).await;
    let [scans, rows] = ["seq_scan", "idx_tup_fetch"].map(counted);
    repeat(60).await;
    assert_eq!(counted("seq_scan"), scans);
    // A create reads its own rows, and a list three of each table; the rows of all accounts would be hundreds.
    let rows = counted("idx_tup_fetch") - rows;
    assert!(rows <= 60 * 25, "{rows} rows");
}

#[tokio::test]
async fn a_change_of_an_account_looks_up_changed_references_only() {
    let case = Case::start().await;
    let client = case.app.client();
    let id = create(&client, account("Old")).await.id.expect("an id");
    let patch = async |member: &str, value: Value| {
        let replace = PatchOperation { op: "replace".into(), path: member.into(), value: Some(value), ..Default::default() };
        let body = vec![replace];
        client.accounts().patch_account(PatchAccount { id, if_match: None, body }).await.expect("changed");
    };
    let lookups = |sent: Vec<String>| sent.into_iter().filter(|sql| sql.starts_with("SELECT id, NULL FROM")).count();
    assert_eq!(lookups(case.statements(0, patch("/AccountName", "New".into())).await), 0);
    assert_eq!(lookups(case.statements(0, patch("/AccountTypeId", 2.into())).await), 1);
}

#[tokio::test]
async fn many_records_are_imported_again_by_as_many_statements_as_one() {
    let case = Case::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut sent = Vec::new();
    for (round, count) in [1, 50, 1, 50].into_iter().enumerate() {
        let accounts = (0..count).map(|number| {
            format!(
                r#"{{"Id": {}, "AccountName": "Round {round}", "AccountTypeId": 1, "BusinessTypeId": 3, "AccountManagerId": 12,
                    "ParentId": 101, "Locations": [{{"LocationName": "Main", "IsMain": true, "Addresses": []}}]}}"#,
                1000 + number
            )
        });
        let path = folder.path().join("accounts.json");
        let text = format!(r#"{{"Accounts": [{}]}}"#, accounts.collect::<Vec<_>>().join(","));
        fs::write(&path, text).expect("written");
        let records = case.app.service.records_of(TenantId::FIRST);
        let import = move || import::run(&records, &[path], None, &()).map(drop);
        let imported = async { tokio::task::spawn_blocking(import).await.expect("no panic").expect("imported") };
        sent.push(case.statements(3, imported).await);
    }
    assert_eq!(sent[2], sent[3]);
}
