//! How many statements an operation sends: as many for one row as for fifty.

use std::fs;

use generated_client::{models::AccountPost, runtime::client::Part};
use service::{domain::tenant::TenantId, import};
use tests_postgres::{Durability, Server, execute, for_service};

use crate::{
    app::App,
    attachments::attach,
    records::{account, create, location},
};

/// A service whose server logs every statement.
struct Case {
    server: Server,
    app: App,
}

impl Case {
    async fn start() -> Self {
        let server = Server::start(Durability::None);
        let database = server.database();
        let name = database.rsplit('/').next().expect("a name");
        execute(&database, &format!("ALTER DATABASE {name} SET log_statement = 'all'"));
        let app = App::start_on(for_service(&database), |config| config.limits.calls_per_hour = 0).await;
        Self { server, app }
    }

    /// How many statements the server is sent by some work.
    async fn count(&self, work: impl Future) -> usize {
        let logged = || {
            let log = fs::read_to_string(self.server.log()).expect("the log");
            log.matches("LOG:  execute ").count() + log.matches("LOG:  statement: ").count()
        };
        // What follows the answers before: the end of reads, the use of a token.
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let before = logged();
        work.await;
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        logged() - before
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
    assert_eq!(counts[1], counts[2], "{counts:?}");
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
