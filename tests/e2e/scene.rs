//! Accounts with all related records: the caller's own, others of the same company, and one of another
//! company.

use serde_json::{Value, json};
use service::{
    api,
    domain::{
        caller::Visibility,
        tenant::TenantId,
        token::{Grants, NewToken, Secret},
    },
    import, sample, store,
};

use crate::{app::App, operations::operations};

/// The other company.
pub(crate) const OTHER: TenantId = TenantId(2);

/// The kinds of ids in requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Account,
    Location,
    Contact,
    Agent,
    Attachment,
    Job,
    /// Belongs to the company.
    Assignee,
    /// Belongs to the company.
    Patch,
    /// Belongs to the company.
    ChartOfAccount,
    /// Belongs to the token that has uploaded it.
    Upload,
}

/// The ids of the records of one account, or ids that do not exist.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// The prefix of all its imported ids.
    pub(crate) prefix: i32,
    pub(crate) attachment: i32,
    pub(crate) job: i64,
    pub(crate) upload: String,
}

impl Scene {
    /// Ids that do not exist.
    pub(crate) fn missing() -> Self {
        Self { prefix: 99, attachment: 95, job: 96, upload: "00000000-0000-4000-8000-000000000000.txt".into() }
    }

    pub(crate) fn id(&self, kind: Kind) -> Value {
        let id = |number: i32| json!(self.prefix * 1000 + number);
        match kind {
            Kind::Account => id(1),
            Kind::Location => id(2),
            Kind::Contact => id(4),
            Kind::Agent => json!(id(5).to_string()),
            Kind::Assignee => id(7),
            Kind::Patch => id(8),
            Kind::ChartOfAccount => id(9),
            Kind::Attachment => json!(self.attachment),
            Kind::Job => json!(self.job),
            Kind::Upload => json!(self.upload),
        }
    }

    pub(crate) fn account(&self) -> i32 {
        self.prefix * 1000 + 1
    }
}

/// The import: an account and its related records; `named` is part of every name.
fn records(prefix: i32, named: &str, with_reference_data: bool) -> Value {
    let id = |number: i32| prefix * 1000 + number;
    let agent = id(5).to_string();
    let mut records = json!({
        "Accounts": [{
            "Id": id(1), "AccountCode": named, "AccountTypeId": 1, "AccountName": named, "BusinessTypeId": 3,
            "AccountManagerId": 12, "Team": [13], "Website": format!("https://{named}.example"),
            "Locations": [{
                "Id": id(2), "LocationName": named, "IsMain": true,
                "Addresses": [{ "Id": id(3), "Address1": named, "City": named, "IsMain": true }]
            }]
        }],
        "AccountAlerts": [{ "Id": id(10), "AccountId": id(1), "AccountAlertType": 0, "Details": [named] }],
        "Contacts": [{
            "Id": id(4), "AccountId": id(1), "LocationId": id(2), "FirstName": named, "LastName": named,
            "Emails": [{ "Id": id(11), "EmailAddress": format!("{named}@x.example"), "EmailTypeId": 1, "IsDefault": true }]
        }],
        "Agents": [{ "AgentId": agent, "Name": named, "AccountId": id(1), "TimeZone": "UTC", "MissingPatches": [5002] }],
        "AgentNotes": [{
            "ID": id(6), "AgentGUID": agent, "UserName": named, "CreationDate": "2026-01-12T09:15:00Z", "Description": named
        }]
    });
    if with_reference_data {
        records["Assignees"] = json!([{ "Id": id(7), "FirstName": named, "LastName": named, "UserName": named }]);
        records["Patches"] = json!([{
            "PatchDataId": id(8), "Description": named, "KBArticle": named, "Product": named,
            "UpdateClassification": 100, "ReleaseDate": "2026-01-01T00:00:00Z"
        }]);
        records["ChartOfAccounts"] = json!([{ "Id": id(9), "Code": id(9).to_string(), "Name": named, "TypeId": 1 }]);
    }
    records
}

/// Imports an account of a tenant with its related records, and attaches a file to it.
pub(crate) async fn build(app: &App, tenant: TenantId, prefix: i32, named: &str, with_reference_data: bool) -> Scene {
    let store = app.service.records_of(tenant);
    let file = tempfile::NamedTempFile::with_suffix(".json").expect("a file");
    std::fs::write(file.path(), records(prefix, named, with_reference_data).to_string()).expect("written");
    let load = move || import::run(&store, &[file.path().to_path_buf()], None, &());
    tokio::task::spawn_blocking(load).await.expect("no panic").expect("imported");

    let all = token(app, tenant, Visibility::All).await;
    let (account, job) = (prefix * 1000 + 1, last_job(app, &all).await);
    let operations = operations();
    let operation = |id: &str| operations.iter().find(|operation| operation.id == id).expect("an operation");
    let attach = operation("PostAttachment").request().with("moduleId", &json!(1)).with("objectId", &json!(account));
    let attached = attach.send(app, &all).await;
    assert!(attached.is_success(), "{attached:?}");
    let keep = operation("PostTempAttachment").request().with("moduleId", &json!(1)).send(app, &all).await;
    Scene {
        prefix,
        attachment: i32::try_from(attached.json()["Result"][0]["Id"].as_i64().expect("an id")).expect("small"),
        job,
        upload: keep.json()["Result"]["Alias"].as_str().expect("an alias").to_owned(),
    }
}

/// The number of the last import.
async fn last_job(app: &App, all: &Secret) -> i64 {
    let operations = operations();
    let log = operations.iter().find(|operation| operation.id == "GetAllBatchActionLogs").expect("the operation");
    let mut job = 0;
    while log.request().with("jobId", &json!(job + 1)).send(app, all).await.is_success() {
        job += 1;
    }
    assert!(job > 0, "an import is a job");
    job
}

/// Creates the other company with the sample's reference data; the interface cannot do this.
pub(crate) async fn found_other(app: &App) {
    app.execute("INSERT INTO tenants (id, name) VALUES (2, 'Other company')").await;
    let records = app.service.records_of(OTHER);
    let load = move || sample::load(&records).map(drop);
    tokio::task::spawn_blocking(load).await.expect("no panic").expect("loaded");
}

/// A token with every right on these accounts.
pub(crate) async fn token(app: &App, tenant: TenantId, visible: Visibility) -> Secret {
    let new = NewToken { name: "test".into(), grants: Grants::all(api::functions()), visible, ..NewToken::default() };
    let records: store::TenantStore = app.service.records_of(tenant);
    records.create_token(new).await.expect("a token").1
}
