//! Content negotiation of responses.

use http::header::ACCEPT;
use http::{Request, StatusCode};

use crate::accounts::list_accounts::OPERATION;
use crate::runtime::server::Call;
use crate::service::send;

#[tokio::test]
async fn the_caller_chooses() {
    for (accept, content_type) in [
        ("*/*", "application/json"),
        ("text/json", "text/json; charset=utf-8"),
        ("text/plain, */*;q=0.1", "text/plain; charset=utf-8"),
        ("application/xml, application/*;q=0.2", "application/json"),
    ] {
        let answer = send("GET /accounts", &[&format!("Accept: {accept}")], "").await;
        assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, content_type), "{accept}");
    }
    assert_eq!(send("GET /accounts", &[], "").await.header("content-type"), "application/json");
}

#[tokio::test]
async fn problem_documents_alone_leave_other_answers_open() {
    for accept in ["application/problem+json", "application/problem+json, text/json;q=0"] {
        let answer = send("GET /accounts", &[&format!("Accept: {accept}")], "").await;
        assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "application/json"), "{accept}");
    }
    for accept in ["application/problem+json;q=0", "application/problem+json, application/xml"] {
        let answer = send("GET /accounts", &[&format!("Accept: {accept}")], "").await;
        assert_eq!(answer.status, StatusCode::NOT_ACCEPTABLE, "{accept}");
    }
}

#[tokio::test]
async fn failures_come_before_an_accept_that_fits_nothing() {
    const XML: &str = "Accept: application/xml";
    assert_eq!(send("GET /nothing", &[XML], "").await.status, StatusCode::NOT_FOUND);
    let answer = send("PUT /accounts/7/picture", &[XML], "").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND, "{}", answer.text);
    let answer = send("POST /accounts", &[XML, "Content-Type: application/json"], r#"{"Name":"later"}"#).await;
    assert_eq!(answer.status, StatusCode::NOT_ACCEPTABLE, "nothing has been done");
}

#[tokio::test]
async fn what_no_answer_can_be_is_said() {
    let answer = send("GET /accounts", &["Accept: application/xml"], "").await;
    assert_eq!(answer.status, StatusCode::NOT_ACCEPTABLE);
    assert!(answer.text.contains("application/json, text/json, text/plain"), "{}", answer.text);
    let answer = send("GET /accounts?PageSize=x", &["Accept: application/xml"], "").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "the request comes first");
}

#[tokio::test]
async fn an_answer_without_a_body_is_always_acceptable() {
    assert_eq!(send("POST /jobs/7:start", &["Accept: image/png"], "").await.status, StatusCode::NO_CONTENT);
    assert_eq!(send("GET /reports/a.b", &["Accept: image/png"], "").await.status, StatusCode::OK);
}

#[test]
fn a_call_knows_what_the_caller_prefers() {
    let media_type = |accept: Option<&str>| {
        let mut request = Request::new(());
        if let Some(accept) = accept {
            request.headers_mut().insert(ACCEPT, accept.parse().unwrap());
        }
        Call::new((), &OPERATION, request.into_parts().0).media_type()
    };
    assert_eq!(media_type(None), Some("application/json"));
    assert_eq!(media_type(Some("application/json;q=0.5, text/json")), Some("text/json"));
    assert_eq!(media_type(Some("application/xml")), None);
}
