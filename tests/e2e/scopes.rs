//! Required rights: every operation with all its scopes, and with each one missing.

use std::fmt::Write as _;

use serde_json::{Value, json};
use service::domain::{
    caller::Visibility,
    tenant::TenantId,
    token::{AREAS, Grants, NewToken, Secret},
};

use crate::{app::App, operations::operations};

/// The functions that operations require.
const FUNCTION: u32 = 560_206;

async fn token(app: &App, scopes: Vec<String>, functions: &[u32]) -> Secret {
    let grants = Grants { functions: functions.iter().copied().collect(), scopes: scopes.into_iter().collect() };
    let new = NewToken { name: "test".into(), grants, visible: Visibility::All, ..NewToken::default() };
    app.service.records_of(TenantId::FIRST).create_token(new).await.expect("a token").1
}

fn scopes() -> Vec<String> {
    ["read", "write"].iter().flat_map(|verb| AREAS.iter().map(move |area| format!("{verb}:{area}"))).collect()
}

#[tokio::test]
async fn an_operation_is_refused_without_each_scope_that_it_asks_for() {
    let app = App::start_with(|config| config.limits.calls_per_hour = 0).await;
    let mut lacking = Vec::new();
    for scope in scopes() {
        let others = scopes().into_iter().filter(|other| *other != scope).collect();
        lacking.push((scope.clone(), token(&app, others, &[FUNCTION]).await));
    }
    let functionless = token(&app, scopes(), &[]).await;
    lacking.push((format!("function:{FUNCTION}"), functionless));

    let mut matrix = String::new();
    for operation in operations() {
        let mut refused = Vec::new();
        for (scope, token) in &lacking {
            let request = operation.request().without_tests();
            let answer = request.send(&app, token).await;
            assert_ne!(answer.status, 401, "{} without {scope}", operation.id);
            if answer.status == 403 {
                assert!(answer.body.contains(scope.trim_start_matches("function:")), "it is named: {answer:?}");
                let problem =
                    request.header("accept", "application/json, application/problem+json").send(&app, token).await;
                assert_eq!(problem.status, 403);
                assert_eq!(problem.headers["content-type"], "application/problem+json", "{}", operation.id);
                assert_eq!(problem.json()["status"], 403, "{}", operation.id);
                refused.push(scope.clone());
            }
        }
        assert_eq!(refused, operation.scopes, "{} is refused without what its description asks for", operation.id);
        writeln!(matrix, "{:<32}{}", operation.id, refused.join(" ")).expect("text");
    }
    // One snapshot for every kind of store.
    insta::with_settings!({ prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("scopes_of_operations", matrix);
    });
}

#[tokio::test]
async fn the_scopes_that_an_operation_asks_for_are_enough() {
    let app = App::start_with(|config| config.limits.calls_per_hour = 0).await;
    let nothing = token(&app, Vec::new(), &[]).await;
    for operation in operations() {
        assert!(!operation.scopes.is_empty(), "{} asks for nothing", operation.id);
        let (functions, scopes): (Vec<_>, Vec<_>) =
            operation.scopes.iter().cloned().partition(|scope| scope.starts_with("function:"));
        let functions: Vec<u32> = functions.iter().map(|function| function[9..].parse().expect("a number")).collect();
        let just = token(&app, scopes, &functions).await;
        let answer = operation.request().without_tests().send(&app, &just).await;
        assert!(![401, 403].contains(&answer.status), "{}: {answer:?}", operation.id);
        assert_eq!(operation.request().without_tests().send(&app, &nothing).await.status, 403, "{}", operation.id);
    }
}

#[tokio::test]
async fn a_token_that_may_only_write_reads_nothing_by_writing() {
    let app = App::start().await;
    let writer = token(&app, vec!["write:crm".into()], &[]).await;
    let reader = token(&app, vec!["write:crm".into(), "read:crm".into()], &[]).await;
    let url = format!("http://{}/v2/crm/accounts/101", app.address);
    let patch = async |token: &Secret, body: Value| {
        let answer = app
            .http
            .patch(&url)
            .bearer_auth(token.reveal())
            .header("content-type", "application/json")
            .body(body.to_string())
            .send()
            .await
            .expect("an answer");
        let status = answer.status().as_u16();
        (status, serde_json::from_str::<Value>(&answer.text().await.expect("text")).expect("JSON"))
    };
    let body = json!([{ "op": "replace", "path": "/Description", "value": "written" }]);
    let (status, answer) = patch(&writer, body.clone()).await;
    assert_eq!((status, &answer["Result"]), (200, &json!({ "Id": 101 })));
    assert!(patch(&reader, body).await.1["Result"]["AccountName"].is_string());
    let (status, answer) = patch(&writer, json!([])).await;
    assert_eq!((status, &answer["Result"]), (200, &json!({ "Id": 101 })), "nothing changes");
    let test = json!([{ "op": "test", "path": "/IsActive", "value": true }]);
    assert_eq!(patch(&writer, test.clone()).await.0, 403, "a guess is a read");
    assert_eq!(patch(&reader, test).await.0, 200);
    let put = json!({ "AccountTypeId": 1, "AccountName": "Put", "BusinessTypeId": 1, "AccountManagerId": 12 });
    let answer = app
        .http
        .put(&url)
        .bearer_auth(writer.reveal())
        .header("content-type", "application/json")
        .body(put.to_string())
        .send()
        .await
        .expect("an answer");
    assert_eq!(
        serde_json::from_str::<Value>(&answer.text().await.expect("text")).expect("JSON")["Result"],
        json!({ "Id": 101 })
    );
}
