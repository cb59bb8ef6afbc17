//! Read-only and unknown members in request bodies are refused, not ignored.

use serde_json::{Value, json};
use service::domain::{caller::Visibility, tenant::TenantId};

use crate::{
    app::App,
    operations::{Body, Operation, closed_objects, description, operations},
    scene::{self, Kind, Scene},
};

/// Members that the service sets itself, and an unknown one.
const NOT_WRITTEN: [&str; 9] =
    ["Id", "TenantName", "TenantId", "CreatedBy", "CreatedOn", "ModifiedBy", "ModifiedOn", "IsBilling", "NoSuchMember"];

/// Operations whose objects accept unknown members, because callers are known to send them. New ones are
/// added here.
const OPEN: [&str; 1] = ["SchedulePatchScan"];

/// The operation with the caller's own ids and a valid body.
fn request(operation: &Operation, own: &Scene) -> crate::operations::Request {
    let mut request = operation.request();
    for (name, kind) in [
        ("id", Kind::Account),
        ("accountId", Kind::Account),
        ("objectId", Kind::Account),
        ("attachmentId", Kind::Attachment),
        ("agentId", Kind::Agent),
    ] {
        if operation.parameter(name).is_some() {
            request = request.with(name, &own.id(kind));
        }
    }
    match operation.id.as_str() {
        "PutAttachment" => request = request.with("/Id", &own.id(Kind::Attachment)),
        "PostContactSummaryInfo" => {
            request = request.with("/AccountId", &own.id(Kind::Account)).with("/LocationId", &own.id(Kind::Location));
        }
        "SchedulePatchScan" => request = request.with("/PatchIds", &json!([])),
        _ => {}
    }
    if operation.parameter("moduleId").is_some() { request.with("moduleId", &json!(1)) } else { request }
}

#[tokio::test]
async fn members_that_may_not_be_written_are_refused() {
    let app = App::start_with(|config| config.limits.calls_per_hour = 0).await;
    let own = scene::build(&app, TenantId::FIRST, 91, "own", true).await;
    let all = scene::token(&app, TenantId::FIRST, Visibility::All).await;
    let document = description();
    let account = operations().into_iter().find(|operation| operation.id == "GetAccountSummary").expect("it");
    let account = request(&account, &own);
    let before = account.send(&app, &all).await;

    let (mut tried, mut open) = (0, Vec::new());
    for operation in operations() {
        let Some(Body::Json { schema, .. }) = &operation.body else { continue };
        let plain = request(&operation, &own);
        let body = plain.body.clone().expect("a body");
        let objects = closed_objects(&document, schema, &body, "");
        if objects.is_empty() && body.is_object() {
            open.push(operation.id.clone());
        }
        for (pointer, properties) in objects {
            let known = |name: &str| properties.keys().any(|known| known.eq_ignore_ascii_case(name));
            for name in NOT_WRITTEN.into_iter().filter(|name| !known(name)) {
                for spelled in [name.to_owned(), name.to_lowercase()] {
                    let place = format!("{pointer}/{spelled}");
                    let answer = plain.clone().with(&place, &json!(1)).send(&app, &all).await;
                    assert_eq!(answer.status, 422, "{} {place}: {answer:?}", operation.id);
                    assert!(answer.body.contains(&spelled), "{} {place} is named: {answer:?}", operation.id);
                    tried += 1;
                }
            }
        }
    }
    assert_eq!(open, OPEN);
    assert!(tried > 100, "{tried}");

    let patch = operations().into_iter().find(|operation| operation.id == "PatchAccount").expect("it");
    for name in NOT_WRITTEN.into_iter().chain(["Locations", "AccountType", "Team"]) {
        for op in ["add", "replace", "remove", "test", "copy", "move"] {
            let mut body = json!([{ "op": op, "path": format!("/{name}"), "value": 1 }]);
            if ["copy", "move"].contains(&op) {
                body = json!([{ "op": op, "from": format!("/{name}"), "path": "/Description" }]);
            }
            let mut patch = request(&patch, &own);
            patch.body = Some(body);
            let answer = patch.send(&app, &all).await;
            assert_eq!(answer.status, 422, "{op} {name}: {answer:?}");
        }
    }
    assert_eq!(account.send(&app, &all).await, before, "nothing has been written");
}

#[tokio::test]
async fn a_patch_with_a_read_only_member_is_refused_as_a_whole() {
    let app = App::start().await;
    let own = scene::build(&app, TenantId::FIRST, 91, "own", true).await;
    let all = scene::token(&app, TenantId::FIRST, Visibility::All).await;
    let operations = operations();
    let find = |id: &str| operations.iter().find(|operation| operation.id == id).expect("an operation");
    let mut patch = request(find("PatchAccount"), &own);
    patch.body = Some(json!([
        { "op": "replace", "path": "/Description", "value": "changed" },
        { "op": "replace", "path": "/Id", "value": 5 }
    ]));
    assert_eq!(patch.send(&app, &all).await.status, 422);
    let read = request(find("GetAccountSummary"), &own).send(&app, &all).await.json();
    assert_eq!(read["Id"], own.id(Kind::Account));
    assert_ne!(read["Description"], Value::from("changed"), "all of a patch or nothing");
}
