//! Responses of operations: declared ones, failures, and custom renderings.

use axum::body::Body;
use axum::response::Response;
use http::StatusCode;

use crate::runtime::server::Options;
use crate::service::{Answer, Doorkeeper, Service, request, send, send_to};

const JSON: &str = "Content-Type: application/json";

async fn create(name: &str) -> Answer {
    send("POST /accounts", &[JSON], format!(r#"{{"Name":"{name}"}}"#)).await
}

#[tokio::test]
async fn headers_are_typed_and_cannot_be_split() {
    let answer = create("acme").await;
    assert_eq!(answer.status, StatusCode::CREATED);
    assert_eq!(answer.header("location"), "/accounts/acme  x: y");
    assert_eq!(answer.text, r#"{"Name":"acme"}"#);
    assert_eq!(create("later").await.status, StatusCode::ACCEPTED);
}

#[tokio::test]
async fn declared_failures_are_sent_as_declared() {
    let answer = create("taken").await;
    assert_eq!((answer.status, answer.text.as_str()), (StatusCode::CONFLICT, r#"{"Name":"taken"}"#));
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(create("teapot").await.status, StatusCode::IM_A_TEAPOT);
}

#[tokio::test]
async fn causes_are_not_sent() {
    let answer = create("broken").await;
    assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(answer.text, r#"{"type":"about:blank","title":"Internal Server Error","status":500}"#);
}

#[tokio::test]
async fn a_service_renders_its_own_failures() {
    let options = Options::default().render(|failure, context| {
        let operation = context.operation().map_or("none", |operation| operation.id);
        let cause = failure.source().map(ToString::to_string).unwrap_or_default();
        let text = format!("{} {operation} {} {cause}", failure.status(), context.uri().path());
        let mut response = Response::new(Body::from(text));
        *response.status_mut() = failure.status();
        response
    });
    let app = crate::router::router(Service, Doorkeeper, &options);
    let ask = async |route: &str, headers: &[&str], body: &'static str| {
        send_to(app.clone(), request(route, headers, body)).await
    };

    let answer = ask("GET /nowhere", &[], "").await;
    assert_eq!((answer.status, answer.text.as_str()), (StatusCode::NOT_FOUND, "404 Not Found none /nowhere "));
    let answer = ask("PUT /accounts", &[], "").await;
    assert_eq!(answer.text, "405 Method Not Allowed none /accounts ");
    assert_eq!(answer.header("allow"), "GET,HEAD,POST");
    let answer = ask("GET /accounts", &[], "").await;
    assert_eq!(answer.text, "401 Unauthorized listAccounts /accounts ");
    assert!(answer.header("www-authenticate").starts_with("Bearer"), "headers are sent whatever the service does");
    let answer = ask("POST /accounts", &["Authorization: Bearer secret", JSON], r#"{"Name":"broken"}"#).await;
    assert_eq!(answer.text, "500 Internal Server Error createAccount /accounts the disk is on fire");
}
