//! What a token must allow: every operation with every scope, and without each.

use std::fmt::Write as _;

use service::domain::{
    caller::Visibility,
    tenant::TenantId,
    token::{AREAS, Grants, NewToken, Secret},
};

use crate::{app::App, operations::operations};

/// The functions that operations ask for.
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
            let request = operation.request();
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
    // The same on every kind of store.
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
        let answer = operation.request().send(&app, &just).await;
        assert!(![401, 403].contains(&answer.status), "{}: {answer:?}", operation.id);
        assert_eq!(operation.request().send(&app, &nothing).await.status, 403, "{}", operation.id);
    }
}
