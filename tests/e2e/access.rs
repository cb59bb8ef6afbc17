//! Authentication, routes, and the format of failures.

use generated_client::{
    accounts::*, agent_notes::GetAgentNotes, attachments::GetAttachments, company_settings::GetCompanySettings,
};
use service::domain::{
    caller::Visibility,
    tenant::TenantId,
    token::{Grants, NewToken, Secret},
};

use crate::{
    app::App,
    records::{account, agent_refusal, refusal},
};

/// A request with these headers in addition to the token.
async fn get(app: &App, target: &str, headers: &str) -> String {
    let request =
        format!("GET {target} HTTP/1.1\nhost: x\nauthorization: Bearer {{token}}\n{headers}connection: close\n\n");
    app.raw(&request).await
}

/// A request without a token.
async fn stranger(app: &App, target: &str, headers: &str) -> String {
    app.raw(&format!("GET {target} HTTP/1.1\nhost: x\n{headers}connection: close\n\n")).await
}

#[tokio::test]
async fn requests_without_a_token_are_refused_in_each_familys_format() {
    let app = App::start().await;
    for headers in ["", "authorization: Basic YTpi\n", "authorization: Bearer bms_wrong\n", "authorization: Bearer\n"] {
        let answer = stranger(&app, "/v2/crm/accounts/summary", headers).await;
        assert!(answer.starts_with("HTTP/1.1 401"), "{headers}: {answer}");
        assert!(answer.contains("\nwww-authenticate: Bearer"), "{answer}");
        assert!(answer.contains("\"Success\":false") && answer.contains("\"Code\":401"), "{answer}");
    }
    let answer = stranger(&app, "/assetmgmt/agent/notes", "").await;
    assert!(answer.starts_with("HTTP/1.1 401") && answer.contains("\nwww-authenticate: Bearer"), "{answer}");
    assert!(answer.contains("\"ResponseCode\":401,\"Status\":\"Unauthorized\""), "{answer}");

    let client = app.client_of(&Secret::presented("bms_wrong"));
    let error = client.company_settings().get_company_settings(GetCompanySettings { setting_key: None }).await;
    assert_eq!(refusal(error.expect_err("refused")).0, 401);
    let error = client.agent_notes().get_agent_notes(GetAgentNotes::default()).await.expect_err("refused");
    assert_eq!(agent_refusal(error).0, 401);
}

#[tokio::test]
async fn scopes_limit_what_a_token_may_do() {
    let app = App::start().await;
    let reader = app.client_with(&["read:crm"], &[560_206], Visibility::All).await;
    reader.accounts().get_accounts_list_summary(GetAccountsListSummary::default()).await.expect("in scope");
    let post = reader.accounts().post_account(PostAccount { idempotency_key: None, body: account("Refused") }).await;
    let (status, texts) = refusal(post.expect_err("reading only"));
    assert_eq!(status, 403);
    assert!(texts[0].contains("write:crm"), "the scope that is missing is named: {texts:?}");
    let list = GetAttachments {
        module_id: 1,
        object_id: 1,
        sort: None,
        exclude: None,
        page_size: None,
        page_number: None,
        after: None,
    };
    assert_eq!(refusal(reader.attachments().get_attachments(list).await.expect_err("another area")).0, 403);
    let error = reader.agent_notes().get_agent_notes(GetAgentNotes::default()).await.expect_err("another area");
    let (status, text, explanation) = agent_refusal(error);
    assert_eq!((status, text.as_str()), (403, "Unauthorized"));
    assert!(explanation.contains("read:agents"), "{explanation}");

    let all = app.client_with(&["read:*"], &[560_206], Visibility::All).await;
    all.agent_notes().get_agent_notes(GetAgentNotes::default()).await.expect("any area");
    let none = app.client_with(&[], &[], Visibility::All).await;
    let error = none.accounts().get_accounts(GetAccounts::default()).await.expect_err("no scope at all");
    assert_eq!(refusal(error).0, 403);
}

#[tokio::test]
async fn a_revoked_or_expired_token_is_refused_at_once() {
    let app = App::start().await;
    let records = app.service.records_of(TenantId::FIRST);
    let new =
        || NewToken { name: "short".into(), grants: Grants::all([]), visible: Visibility::All, ..NewToken::default() };
    let (token, secret) = records.create_token(new()).await.expect("a token");
    let client = app.client_of(&secret);
    client.accounts().get_accounts(GetAccounts::default()).await.expect("allowed");
    assert!(records.revoke_token(token.id).await.expect("revoked"));
    let error = client.accounts().get_accounts(GetAccounts::default()).await.expect_err("revoked");
    assert_eq!(refusal(error).0, 401);

    let expired = NewToken { expires_on: Some(jiff::Timestamp::now()), ..new() };
    let (_, secret) = records.create_token(expired).await.expect("a token");
    let error = app.client_of(&secret).accounts().get_accounts(GetAccounts::default()).await.expect_err("expired");
    assert_eq!(refusal(error).0, 401);
}

#[tokio::test]
async fn failures_are_problem_documents_if_accepted() {
    let app = App::start().await;
    for target in ["/v2/crm/accounts/summary?PageSize=5000", "/assetmgmt/agent/notes?$top=5000"] {
        let answer = get(&app, target, "accept: application/json, application/problem+json\n").await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
        assert!(answer.contains("\ncontent-type: application/problem+json"), "{answer}");
        for part in ["\"status\":400", "\"errors\":[{\"in\":\"query\"", "\"code\":\"maximum\""] {
            assert!(answer.contains(part), "{part} is missing in {answer}");
        }
    }
    let answer = stranger(&app, "/v2/crm/accounts/summary", "accept: application/problem+json\n").await;
    assert!(answer.starts_with("HTTP/1.1 401") && answer.contains("\"status\":401"), "{answer}");
}

#[tokio::test]
async fn unknown_addresses_methods_and_media_types_are_told_apart() {
    let app = App::start().await;
    for (target, part) in
        [("/v2/nothing", "\"Code\":404"), ("/assetmgmt/nothing", "\"Code\":404"), ("/", "\"Code\":404")]
    {
        let answer = get(&app, target, "").await;
        assert!(answer.starts_with("HTTP/1.1 404") && answer.contains(part), "{target}: {answer}");
    }
    for (target, allowed, part) in [
        ("/v2/crm/accounts/summary", "GET", "\"Code\":405"),
        ("/assetmgmt/patch/1/schedule", "PUT", "\"ResponseCode\":405"),
    ] {
        let request =
            format!("DELETE {target} HTTP/1.1\nhost: x\nauthorization: Bearer {{token}}\nconnection: close\n\n");
        let answer = app.raw(&request).await;
        assert!(answer.starts_with("HTTP/1.1 405") && answer.contains(part), "{answer}");
        let head = answer.to_lowercase();
        let allow = head.lines().find_map(|line| line.strip_prefix("allow: ")).expect("Allow").to_uppercase();
        assert!(allow.split(',').any(|method| method.trim() == allowed), "{allow}");
    }
    let answer = get(&app, "/v2/crm/accounts/summary", "accept: image/png\n").await;
    assert!(answer.starts_with("HTTP/1.1 406") && answer.contains("\"Code\":406"), "{answer}");
    let answer = get(&app, "/assetmgmt/agent/notes", "accept: image/png\n").await;
    assert!(answer.starts_with("HTTP/1.1 406") && answer.contains("\"ResponseCode\":406"), "{answer}");
    let answer = get(&app, "/v2/crm/accounts/summary", "accept: text/plain\n").await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\ncontent-type: text/plain"), "{answer}");
}

#[tokio::test]
async fn health_endpoints_need_no_token() {
    let app = App::start().await;
    for (target, part) in [("/healthz", "alive"), ("/readyz", "ready"), ("/openapi.json", "\"openapi\":")] {
        let answer = stranger(&app, target, "").await;
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(part), "{target}: {answer}");
    }
    let answer = stranger(&app, "/openapi.json", "").await;
    assert!(answer.contains("\ncontent-type: application/json") && answer.contains("GetAgentNotes"));
}

#[tokio::test]
async fn every_answer_has_a_request_id_of_the_caller_or_its_own() {
    let app = App::start().await;
    let id = |answer: &str| {
        answer.lines().find_map(|line| line.strip_prefix("x-request-id: ")).map(|id| id.trim().to_owned())
    };
    let own = get(&app, "/v2/crm/accounts/summary", "x-request-id: order-7\n").await;
    assert_eq!(id(&own).as_deref(), Some("order-7"));
    let failed = stranger(&app, "/v2/nothing", "x-request-id: order-8\n").await;
    assert_eq!(id(&failed).as_deref(), Some("order-8"));
    let strange = get(&app, "/healthz", "x-request-id: a b\n").await;
    let next = get(&app, "/healthz", "").await;
    assert!(id(&strange).is_some_and(|id| id != "a b"), "what cannot stand in a log line is replaced");
    assert_ne!(id(&strange), id(&next));
}
