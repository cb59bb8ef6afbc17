//! How many statements an operation sends: as many for one row as for fifty.

use std::fs;

use generated_client::{models::AccountPost, runtime::client::Part};
use service::{domain::tenant::TenantId, import};
use tests_postgres::{log_statements, statements};

use crate::{
    app::App,
    attachments::attach,
    records::{account, create, location},
};

/// A service whose statements are logged.
struct Case {
    app: App,
}

impl Case {
    async fn start() -> Self {
        let store = crate::store();
        log_statements(&store);
        Self { app: App::start_on(store, |config| config.limits.calls_per_hour = 0).await }
    }

    /// How many statements the server is sent by some work, without the use of the token, which follows an answer.
    async fn count(&self, work: impl Future) -> usize {
        let counted = || {
            let statements = statements(self.app.store());
            statements.iter().filter(|sql| !sql.starts_with("UPDATE tokens")).count()
        };
        let before = counted();
        work.await;
        counted() - before
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

#[tokio::test]
async fn many_attachments_are_deleted_by_as_many_statements_as_one() {
    let case = Case::start().await;
    let client = case.app.client();
    let mut counts = Vec::new();
    for count in [1, 1, 50] {
        let ids = case.attach(count).await;
        counts.push(case.count(async { client.attachments().delete_attachments(&ids).await.expect("deleted") }).await);
    }
    assert_eq!(counts[1], counts[2], "{counts:?}");
}

#[tokio::test]
async fn an_account_with_many_locations_is_created_by_as_many_statements_as_with_one() {
    let case = Case::start().await;
    let mut counts = Vec::new();
    for count in [1, 1, 50] {
        let locations = (0..count).map(|number| location(&format!("{number}"), number == 0)).collect();
        let body = AccountPost { locations, ..account("Many") };
        counts.push(case.count(create(&case.app.client(), body)).await);
    }
    // The ids of locations and of addresses come in blocks: a transaction of four statements for each kind.
    assert!(counts[2] <= counts[1] + 2 * 4, "{counts:?}");
}

#[tokio::test]
async fn many_records_are_imported_again_by_as_many_statements_as_one() {
    let case = Case::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut counts = Vec::new();
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
        let import = move || import::run(&records, &[path], None, &import::Quiet).map(drop);
        let imported = async { tokio::task::spawn_blocking(import).await.expect("no panic").expect("imported") };
        counts.push(case.count(imported).await);
    }
    assert_eq!(counts[2], counts[3], "{counts:?}");
}
