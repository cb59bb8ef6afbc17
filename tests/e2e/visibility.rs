//! Hidden records look missing: in every operation, in status, body, headers, counts and lists.

use serde_json::{Value, json};
use service::domain::{caller::Visibility, tenant::TenantId, token::Secret};

use crate::{
    app::App,
    operations::{Answer, Operation, Request, operations},
    scene::{self, Kind, OTHER, Scene},
};

/// Where a request can name hidden records: parameters, and members of the body by JSON Pointer. Every new
/// operation needs an entry; an empty one if it names nothing that belongs to an account or a company.
fn places(operation: &str) -> Option<&'static [(&'static str, Kind)]> {
    use Kind::{Account, Agent, Assignee, Attachment, ChartOfAccount, Contact, Job, Location, Patch, Upload};
    Some(match operation {
        "GetAccountCodesLookup"
        | "GetAccountsListSummary"
        | "GetAccountTypesLookup"
        | "GetAgentProcedures"
        | "GetApprovalRoutesLookup"
        | "GetAssigneesCount"
        | "GetChartOfAccountTypes"
        | "GetChartOfAccountTypesLookUp"
        | "GetColorsLookup"
        | "GetCompanySettings"
        | "PutCompanySettings"
        | "PostTempAttachment"
        | "GetChanges"
        | "GetAgentNotes" => &[],
        "GetAccounts" => &[("Filter.Ids", Account)],
        "GetAccountSummary" => &[("id", Account)],
        "GetAccountLocations" | "GetAccountAlert" => &[("accountId", Account)],
        "GetAccountContacts" => &[("accountId", Account), ("Filter.LocationId", Location)],
        "GetAccountLocation" => &[("accountId", Account), ("locationId", Location)],
        "GetAccountContactSummaryInfo" => &[("accountId", Account), ("contactId", Contact)],
        "PostAccount" => &[("/ParentId", Account), ("/AccountManagerId", Assignee)],
        "PutAccount" => &[("id", Account), ("/ParentId", Account), ("/AccountManagerId", Assignee)],
        "PatchAccount" => &[("id", Account), ("/0/value", Account)],
        "GetAssignees" => &[("Ids", Assignee)],
        "GetAssigneeLookups" => &[("Filter.AccountId", Account), ("Filter.Ids", Assignee)],
        "GetEmployeeRoleLookups" => &[("assigneeId", Assignee)],
        "GetAttachments" | "PostAttachment" => &[("objectId", Account)],
        "GetAttachment" | "PutAttachment" | "DownloadAttachment" | "DeleteAttachment" => {
            &[("objectId", Account), ("attachmentId", Attachment)]
        }
        "DeleteAttachments" => &[("attachmentIds", Attachment)],
        "DeleteTempAttachments" => &[("/0", Upload)],
        "GetAllBatchActionLogs" => &[("jobId", Job)],
        "GetChartOfAccounts" => &[("Filter.Id", ChartOfAccount), ("Filter.ParentId", ChartOfAccount)],
        "GetChartOfAccountsLookup" => &[("parentAccountCodeId", ChartOfAccount)],
        "PostContactSummaryInfo" => &[("/AccountId", Account), ("/LocationId", Location)],
        "GetContactsListSummary" => &[("Filter.AccountId", Account)],
        "SchedulePatchScan" => &[("agentId", Agent), ("/PatchIds/0", Patch)],
        "GetMissingPatches" => &[("agentId", Agent)],
        _ => return None,
    })
}

/// Operations that a token for some accounts may not call, with the status of the refusal.
const CLOSED: [(&str, u16); 2] = [("PostAccount", 403), ("GetAllBatchActionLogs", 404)];

/// The request of an operation that names the records of `scene` in every place.
pub(crate) fn request(operation: &Operation, scene_of: impl Fn(&str, Kind) -> Scene) -> Request {
    let mut request = operation.request();
    match operation.id.as_str() {
        "PatchAccount" => request.body = Some(json!([{ "op": "replace", "path": "/ParentId", "value": 0 }])),
        "PutAttachment" => request.body = Some(json!({ "Name": "renamed.txt" })),
        "SchedulePatchScan" => request.body.as_mut().expect("a body")["PatchIds"] = json!([0]),
        "PutCompanySettings" => request.body = Some(json!({ "ModuleId": 1, "Settings": {} })),
        _ => {}
    }
    for (place, kind) in places(&operation.id).expect("a place") {
        request = request.with(place, &scene_of(place, *kind).id(*kind));
    }
    if operation.parameter("moduleId").is_some() {
        request = request.with("moduleId", &json!(1));
    }
    request
}

/// Whether ids of this kind can belong to another account of the same company.
fn is_of_account(kind: Kind) -> bool {
    !matches!(kind, Kind::Assignee | Kind::Patch | Kind::ChartOfAccount | Kind::Upload)
}

struct World {
    app: App,
    own: Scene,
    foreign: Scene,
    other: Scene,
    limited: Secret,
    blind: Secret,
    all: Secret,
    all_of_other: Secret,
}

async fn world() -> World {
    let app = App::start_with(|config| config.limits.calls_per_hour = 0).await;
    let own = scene::build(&app, TenantId::FIRST, 91, "own", true).await;
    let foreign = scene::build(&app, TenantId::FIRST, 92, "foreign", false).await;
    scene::found_other(&app).await;
    // More counted records than the first company has, so that the last id is free there.
    for prefix in 93..97 {
        scene::build(&app, OTHER, prefix, "filler", false).await;
    }
    let other = scene::build(&app, OTHER, 97, "other", true).await;
    let limited = scene::token(&app, TenantId::FIRST, Visibility::Accounts([own.account()].into())).await;
    let blind = scene::token(&app, TenantId::FIRST, Visibility::Accounts([].into())).await;
    let all = scene::token(&app, TenantId::FIRST, Visibility::All).await;
    let all_of_other = scene::token(&app, OTHER, Visibility::All).await;
    World { app, own, foreign, other, limited, blind, all, all_of_other }
}

fn numbers(scenes: &[&Scene]) -> Vec<String> {
    let kinds = [
        Kind::Account,
        Kind::Location,
        Kind::Contact,
        Kind::Agent,
        Kind::Attachment,
        Kind::Job,
        Kind::Assignee,
        Kind::Patch,
        Kind::ChartOfAccount,
    ];
    let text = |value: Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    scenes.iter().flat_map(|scene| kinds.map(|kind| text(scene.id(kind)))).collect()
}

#[test]
fn every_operation_is_classified() {
    let unknown: Vec<String> =
        operations().into_iter().map(|operation| operation.id).filter(|id| places(id).is_none()).collect();
    assert!(unknown.is_empty(), "say in `places` what of an account or a company these name: {unknown:?}");
}

#[tokio::test]
async fn what_may_not_be_seen_is_answered_as_what_is_not_there() {
    let world = world().await;
    let missing = Scene::missing();
    let mut compared = 0;
    for (token, hidden, role) in [
        (&world.limited, &world.foreign, "limited to an account"),
        (&world.limited, &world.other, "limited to an account, of another company"),
        (&world.blind, &world.foreign, "limited to no account"),
        (&world.all, &world.other, "of another company"),
    ] {
        let within = hidden.prefix == world.foreign.prefix;
        let known = numbers(&[hidden, &missing]);
        for operation in operations() {
            let names = |kind: Kind| !within || is_of_account(kind);
            let places: Vec<_> =
                places(&operation.id).expect("classified").iter().filter(|(_, kind)| names(*kind)).collect();
            // All places at once, and each place alone with the others being the caller's own.
            let groups = std::iter::once(None).chain(places.iter().map(Some)).filter(|_| !places.is_empty());
            for group in groups {
                let with = |scene: &Scene| {
                    request(&operation, |place, kind| {
                        let chosen = group.is_none_or(|(only, _)| *only == place) && names(kind);
                        if chosen { scene.clone() } else { world.own.clone() }
                    })
                };
                let found = with(hidden).send(&world.app, token).await;
                let absent = with(&missing).send(&world.app, token).await;
                let what = format!("{} {role} {:?}", operation.id, group.map(|(place, _)| place));
                assert!(absent.status < 500, "{what}: {absent:?}");
                assert_eq!(found.without(&known), absent.without(&known), "{what}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");

    // Nothing has been changed.
    for (scene, token) in [(&world.foreign, &world.all), (&world.other, &world.all_of_other)] {
        for id in ["GetAttachment", "GetAccountSummary", "GetAccountContactSummaryInfo", "GetMissingPatches"] {
            let operation = operations().into_iter().find(|operation| operation.id == id).expect("an operation");
            let answer = request(&operation, |_, _| scene.clone()).send(&world.app, token).await;
            assert!(answer.is_success(), "{id}: {answer:?}");
            assert!(!answer.body.contains("renamed"), "{id}: {answer:?}");
        }
        let records = world.app.service.records_of(if scene.prefix == 97 { OTHER } else { TenantId::FIRST });
        let agent = scene.id(Kind::Agent);
        assert_eq!(records.scan_schedule_number(agent.as_str().expect("text")).await.expect("read"), None);
    }
}

#[tokio::test]
async fn what_may_be_seen_is_answered() {
    let world = world().await;
    let (deleting, others): (Vec<_>, Vec<_>) =
        operations().into_iter().partition(|operation| operation.method == reqwest::Method::DELETE);
    for operation in others.into_iter().chain(deleting) {
        let mut own = request(&operation, |_, _| world.own.clone());
        match operation.id.as_str() {
            // An account is not its own parent, and one that is deleted twice is gone.
            "PutAccount" => own = own.with("/ParentId", &Value::Null),
            "PatchAccount" => own = own.with("/0/value", &Value::Null),
            "DeleteAttachment" => {
                own = own.with("attachmentId", &attach(&world).await);
            }
            _ => {}
        }
        let answer = own.send(&world.app, &world.limited).await;
        let expected = CLOSED.iter().find(|(id, _)| *id == operation.id).map_or(200, |(_, status)| *status);
        assert_eq!(answer.status, expected, "{}: {answer:?}", operation.id);
        assert!(!answer.body.contains("foreign"), "{}: {answer:?}", operation.id);
    }
}

/// The id of another attachment of the caller.
async fn attach(world: &World) -> Value {
    let operation = operations().into_iter().find(|operation| operation.id == "PostAttachment").expect("it");
    let answer = request(&operation, |_, _| world.own.clone()).send(&world.app, &world.limited).await;
    answer.json()["Result"][0]["Id"].clone()
}

/// Every read with its filters, pages and orders.
fn reads(own: &Scene) -> Vec<Request> {
    // Change numbers include those of other accounts, as the description says.
    let counted = |operation: &Operation| operation.id != "GetChanges";
    let reading =
        operations().into_iter().filter(|operation| operation.method == reqwest::Method::GET && counted(operation));
    let mut requests = Vec::new();
    for operation in reading {
        let plain = request(&operation, |_, _| own.clone());
        requests.push(plain.clone());
        if operation.id == "GetAccountContacts" {
            let whole = operation.request().with("accountId", &own.id(Kind::Account));
            requests.push(whole.with("PageSize", &json!(1)));
        }
        for parameter in operation.parameters.iter().filter(|parameter| parameter.location == "query") {
            let name = parameter.name.as_str();
            let values = match name {
                "PageSize" | "$top" => vec![json!(1), json!(3)],
                "PageNumber" | "$skip" => vec![json!(1), json!(2)],
                "Sort" => {
                    vec![json!("Id"), json!("Id desc"), json!("Name"), json!("AccountName desc"), json!("ParentId")]
                }
                "$orderby" => vec![json!("UserName desc"), json!("PatchDataId desc")],
                "$filter" => vec![json!("substringof('foreign', Description)"), json!("UserName eq 'foreign'")],
                _ if parameter.schema["type"] == "string" => vec![json!("foreign"), json!("own")],
                _ if parameter.schema["type"] == "boolean" => vec![json!(true), json!(false)],
                _ => vec![],
            };
            for value in values {
                let request = plain.clone().with(name, &value);
                if operation.parameter("PageSize").is_some() {
                    requests.push(request.clone().with("PageSize", &json!(1)));
                }
                requests.push(request);
            }
        }
    }
    requests
}

#[tokio::test]
async fn counts_pages_and_tags_are_the_same_whatever_else_there_is() {
    let app = App::start_with(|config| config.limits.calls_per_hour = 0).await;
    let own = scene::build(&app, TenantId::FIRST, 91, "own", true).await;
    let limited = scene::token(&app, TenantId::FIRST, Visibility::Accounts([own.account()].into())).await;
    let requests = reads(&own);
    let mut before = Vec::new();
    for request in &requests {
        before.push(request.send(&app, &limited).await);
    }
    scene::build(&app, TenantId::FIRST, 92, "foreign", false).await;
    // It sorts before the caller's own by name and by id.
    scene::build(&app, TenantId::FIRST, 90, "a foreign one", false).await;
    scene::found_other(&app).await;
    scene::build(&app, OTHER, 97, "foreign", true).await;
    for (request, before) in requests.iter().zip(before) {
        let after: Answer = request.send(&app, &limited).await;
        assert_eq!(before, after, "{} {:?}", request.operation.id, request.values);
    }
    assert!(requests.len() > 150, "{}", requests.len());
}
