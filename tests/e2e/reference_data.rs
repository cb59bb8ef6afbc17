//! Read-only data: lookups and lists of imported records, from the sample.

use generated_client::{
    account_codes::*, agent_procedure::*, assignees::*, batch_action_log::*, colors_lookup::*, models::LogType,
};

use crate::{
    app::App,
    records::{account, create, refusal},
};

#[tokio::test]
async fn account_codes_are_found_by_a_part_of_their_name() {
    let app = App::start().await;
    let client = app.client();
    let codes = async |request: GetAccountCodesLookup| {
        let answer = client.account_codes().get_account_codes_lookup(request).await.expect("a lookup");
        assert_eq!(answer.body.success, Some(true));
        (answer.body.result.into_option().expect("records"), answer.link)
    };
    let (all, link) = codes(GetAccountCodesLookup::default()).await;
    assert!(all.len() > 2 && link.is_none(), "without a page size every match is answered");
    let name = all[1].name.as_deref().expect("a name");
    let (found, _) =
        codes(GetAccountCodesLookup { filter_name: Some(name.to_uppercase()), ..Default::default() }).await;
    assert!(found.contains(&all[1]));
    let (none, _) = codes(GetAccountCodesLookup { filter_name: Some("~none~".into()), ..Default::default() }).await;
    assert_eq!(none, []);
    let descending = GetAccountCodesLookup { sort: Some("Id desc".into()), ..Default::default() };
    assert_eq!(codes(descending.clone()).await.0.last(), all.first());
    let (page, link) = codes(GetAccountCodesLookup { page_size: Some(1), ..descending.clone() }).await;
    assert_eq!(page.first(), all.last());
    assert!(link.is_some_and(|link| link.contains("rel=\"next\"")));

    let bad = GetAccountCodesLookup { page_size: Some(1001), ..descending };
    let (status, texts) = refusal(client.account_codes().get_account_codes_lookup(bad).await.expect_err("refused"));
    assert_eq!(status, 400);
    assert!(texts[0].contains("1000"), "{texts:?}");
}

#[tokio::test]
async fn account_types_and_approval_routes_are_answered_whole() {
    let app = App::start().await;
    let client = app.client();
    let types = client.account_types().get_account_types_lookup(()).await.expect("types");
    let types = types.result.into_option().expect("types");
    assert!(types.iter().any(|kind| kind.id == Some(1) && kind.name.value().is_some()));
    assert!(types.iter().all(|kind| kind.is_active.is_some() && kind.is_client.is_some() && kind.is_vendor.is_some()));
    let routes = client.approval_routes().get_approval_routes_lookup(()).await.expect("routes");
    let routes = routes.result.into_option().expect("routes");
    assert!(!routes.is_empty() && routes.iter().all(|route| route.id.is_some() && route.name.value().is_some()));
}

#[tokio::test]
async fn agent_procedures_are_those_of_an_integration() {
    let app = App::start().await;
    let client = app.client();
    let procedures = async |integration_type_id, filter_id, filter_name: Option<String>| {
        let request = GetAgentProcedures { integration_type_id, filter_id, filter_name };
        let answer = client.agent_procedure().get_agent_procedures(request).await.expect("procedures");
        answer.result.into_option().expect("procedures")
    };
    let mut found = (0, Vec::new());
    for integration in 1..=10 {
        let all = procedures(integration, None, None).await;
        if all.len() > found.1.len() {
            found = (integration, all);
        }
    }
    let (integration, all) = found;
    let one = all.first().expect("the sample has procedures").clone();
    assert_eq!(procedures(integration, one.id, None).await, std::slice::from_ref(&one));
    let name = one.name.as_deref().expect("a name").to_uppercase();
    assert!(procedures(integration, None, Some(name)).await.contains(&one));
    assert_eq!(procedures(integration, None, Some("~none~".into())).await, []);
    assert_eq!(procedures(987_654, None, None).await, []);
    let answer = app
        .raw(
            "GET /v2/admin/two/agentprocedures HTTP/1.1\nhost: x\nauthorization: Bearer {token}\nconnection: close\n\n",
        )
        .await;
    assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("integrationTypeId"), "{answer}");
}

#[tokio::test]
async fn assignees_are_filtered_counted_and_have_roles() {
    let app = App::start().await;
    let client = app.client();
    let assignees = async |request: GetAssignees| {
        let answer = client.assignees().get_assignees(request).await.expect("assignees");
        answer.body.result.into_option().expect("assignees")
    };
    let all = assignees(GetAssignees::default()).await;
    let count = client.assignees().get_assignees_count(()).await.expect("a count").result.expect("a count");
    assert_eq!(usize::try_from(count), Ok(all.len()));
    let employees = assignees(GetAssignees { employees_only: Some(true), ..Default::default() }).await;
    assert!(!employees.is_empty() && employees.len() < all.len(), "the sample has assignees who are not employees");
    let one = employees[0].clone();
    let name = one.last_name.as_deref().expect("a name").to_lowercase();
    assert!(assignees(GetAssignees { name: Some(name), ..Default::default() }).await.contains(&one));
    let ids: Vec<i32> = all.iter().filter_map(|assignee| assignee.id).take(2).collect();
    let two = GetAssignees { ids: Some(ids), sort: Some("Id".into()), page_size: Some(1), ..Default::default() };
    assert_eq!(assignees(two).await.len(), 1);

    let assignee_id = one.id.expect("an id");
    let roles = client.assignees().get_employee_role_lookups(assignee_id).await;
    let roles = roles.expect("roles").result.into_option().expect("roles");
    assert!(roles.iter().any(|role| role.is_default == Some(true) && role.name.value().is_some()));
    assert_eq!(refusal(client.assignees().get_employee_role_lookups(987_654).await.expect_err("not found")).0, 404);
}

#[tokio::test]
async fn the_assignee_lookup_leaves_out_excluded_ids() {
    let app = App::start().await;
    let client = app.client();
    let lookup = async |request: GetAssigneeLookups| {
        let answer = client.assignees().get_assignee_lookups(request).await.expect("a lookup");
        answer.body.result.into_option().expect("assignees")
    };
    let all = lookup(GetAssigneeLookups::default()).await;
    let ids: Vec<i32> = all.iter().filter_map(|assignee| assignee.id).collect();
    let excluded = format!("{},{}", ids[0], ids[1]);
    let rest = lookup(GetAssigneeLookups { filter_excluded_ids: Some(excluded), ..Default::default() }).await;
    assert_eq!(rest, all[2..]);
    let by_id = lookup(GetAssigneeLookups { filter_ids: Some(vec![ids[1]]), ..Default::default() }).await;
    assert_eq!(by_id, all[1..2]);
    let name = all[0].name.as_deref().map(str::to_uppercase);
    assert!(lookup(GetAssigneeLookups { filter_name: name, ..Default::default() }).await.contains(&all[0]));
    let body = account("Managed");
    let manager = body.account_manager_id;
    let filter_account_id = create(&client, body).await.id;
    let managers = lookup(GetAssigneeLookups { filter_account_id, ..Default::default() }).await;
    assert_eq!(managers.iter().filter_map(|assignee| assignee.id).collect::<Vec<_>>(), [manager]);

    let bad = GetAssigneeLookups { filter_excluded_ids: Some("1,two".into()), ..Default::default() };
    let (status, texts) = refusal(client.assignees().get_assignee_lookups(bad).await.expect_err("refused"));
    assert_eq!(status, 400);
    assert!(texts[0].contains("Filter.ExcludedIds"), "{texts:?}");
}

#[tokio::test]
async fn colors_are_those_of_a_module() {
    let app = App::start().await;
    let client = app.client();
    let colors = async |module_id| {
        let answer = client.colors_lookup().get_colors_lookup(GetColorsLookup { module_id }).await.expect("colors");
        answer.result.into_option().expect("colors")
    };
    let all = colors(None).await;
    let module = all.first().expect("the sample has colors").module_id;
    let some = colors(module).await;
    assert!(!some.is_empty() && some.len() < all.len() && some.iter().all(|color| color.module_id == module));
    assert_eq!(colors(Some(987_654)).await, []);
}

#[tokio::test]
async fn an_import_is_a_job_with_a_log() {
    let app = App::start().await;
    let client = app.client();
    let request =
        |job_id| GetAllBatchActionLogs { job_id, sort: None, exclude: None, page_size: None, page_number: None };
    let logs = client.batch_action_log().get_all_batch_action_logs(request(1)).await.expect("the sample's import").body;
    let lines = logs.result.into_option().expect("lines");
    assert!(!lines.is_empty() && logs.total_records.is_some_and(|total| total > 0));
    for line in &lines {
        assert_eq!(line.type_, Some(LogType::Information));
        assert!(line.id.is_some() && line.date.is_some());
        assert!(line.action.value().is_some() && line.message.value().is_some());
    }
    let page = GetAllBatchActionLogs { page_size: Some(1), sort: Some("Date desc".into()), ..request(1) };
    let page = client.batch_action_log().get_all_batch_action_logs(page).await.expect("a page");
    assert_eq!(page.body.result.value().map(Vec::len), Some(1));
    let lost = client.batch_action_log().get_all_batch_action_logs(request(987_654)).await.expect_err("no such job");
    assert_eq!(refusal(lost).0, 404);
}
