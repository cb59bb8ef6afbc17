//! Credentials of requests.

use http::StatusCode;
use http::header::WWW_AUTHENTICATE;

use crate::service::{Answer, app, request, send_to};

// `carol:word` and `carol:sword`
const RIGHT: &str = "Authorization: Basic Y2Fyb2w6d29yZA==";
const WRONG: &str = "Authorization: Basic Y2Fyb2w6c3dvcmQ=";

async fn ask(route: &str, headers: &[&str]) -> Answer {
    send_to(app(), request(route, headers, "")).await
}

#[tokio::test]
async fn requests_without_credentials_are_refused() {
    let answer = ask("GET /accounts?PageSize=x", &[]).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "who calls is found out before anything is read");
    let challenges: Vec<_> = answer.headers.get_all(WWW_AUTHENTICATE).iter().map(|value| value.to_str().ok()).collect();
    assert_eq!(
        challenges,
        [
            Some(r#"Bearer realm="token""#),
            Some(r#"ApiKey realm="apiKey", in="header", name="X-Api-Key""#),
            Some(r#"Basic realm="user", charset="UTF-8""#),
        ]
    );
}

#[tokio::test]
async fn wrong_credentials_are_told_apart_from_none() {
    let answer = ask("POST /accounts", &["Authorization: bearer wrong"]).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert_eq!(answer.header("www-authenticate"), r#"Bearer realm="token", error="invalid_token""#);
    assert!(answer.text.contains("these credentials are wrong"), "{}", answer.text);
}

#[tokio::test]
async fn schemes_that_belong_together_are_needed_together() {
    assert_eq!(ask("GET /accounts", &[RIGHT]).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(ask("GET /accounts", &["X-Api-Key: key"]).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(ask("GET /accounts", &["X-Api-Key: key", WRONG]).await.status, StatusCode::UNAUTHORIZED);
    let answer = ask("GET /accounts", &["X-Api-Key: key", RIGHT]).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.text.contains("carol"), "{}", answer.text);
}

#[tokio::test]
async fn a_token_is_not_a_password() {
    assert_eq!(ask("GET /accounts", &["Authorization: Basic secret"]).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(ask("POST /accounts", &[RIGHT, "X-Api-Key: key"]).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn authenticated_callers_can_be_forbidden() {
    assert_eq!(ask("GET /accounts", &["Authorization: Bearer reader"]).await.status, StatusCode::OK);
    let answer = ask("POST /accounts", &["Authorization: Bearer reader"]).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert!(answer.text.contains("not allowed to call createAccount"), "{}", answer.text);
}

#[tokio::test]
async fn optional_credentials_have_to_be_right_when_they_are_sent() {
    assert_eq!(ask("GET /pages/a", &[]).await.text, "a for None");
    assert_eq!(ask("GET /pages/a", &["Authorization: Bearer secret"]).await.text, r#"a for Some("token")"#);
    assert_eq!(ask("GET /pages/a", &["Authorization: Bearer wrong"]).await.status, StatusCode::UNAUTHORIZED);
}
