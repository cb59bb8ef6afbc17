//! Requests that break rules: everything that is wrong is said at once.

use http::StatusCode;

use crate::service::send;

const JSON: &str = "Content-Type: application/json";

#[tokio::test]
async fn parameters_are_read_in_any_letter_case() {
    let answer = send("GET /accounts?pagesize=5&IDS=1&ids=2", &["x-since: today"], "").await;
    assert_eq!(answer.text, r#"[{"Name":"token Some(5) Some([1, 2]) Some(\"today\")"}]"#);
}

#[tokio::test]
async fn all_parameters_are_judged() {
    let answer = send("GET /accounts?PageSize=5000&Ids=1&Ids=two", &["X-Since: 1"], "").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    let violations = answer.violations();
    assert_eq!(violations.len(), 3, "{violations:?}");
    assert!(violations[0].starts_with("query PageSize  maximum is 5000, at most 1000"), "{violations:?}");
    assert!(violations[1].starts_with("query Ids /1 type "), "{violations:?}");
    assert!(violations[2].starts_with("header X-Since  minLength "), "{violations:?}");
}

#[tokio::test]
async fn body_and_parameters_are_judged_together() {
    let answer = send("POST /accounts?Retries=4", &[JSON], r#"{"Employees":"x","Colour":1}"#).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text.contains(r#"{"type":"about:blank","title":"Unprocessable Entity","status":422,"detail":"The request is not valid","errors":["#), "{}", answer.text);
    let violations = answer.violations();
    assert_eq!(violations.len(), 4, "{violations:?}");
    assert!(violations.iter().any(|violation| violation.starts_with("query Retries  maximum ")), "{violations:?}");
    assert!(
        violations.iter().any(|violation| violation.starts_with("body  /Name required is missing")),
        "{violations:?}"
    );
    assert!(violations.iter().any(|violation| violation.starts_with("body  /Employees type ")), "{violations:?}");
    assert!(violations.iter().any(|violation| violation.starts_with("body  /Colour unknown ")), "{violations:?}");
}

#[tokio::test]
async fn what_cannot_be_read_is_a_bad_request() {
    let answer = send("POST /accounts", &[JSON], "{").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(answer.text.contains(r#""code":"syntax""#), "{}", answer.text);

    let answer = send("POST /accounts", &[JSON], "\u{feff}{\"Name\":\"A\"}").await;
    assert_eq!(answer.status, StatusCode::CREATED, "a byte order mark is skipped");

    let answer = send("POST /accounts", &[JSON], "").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert_eq!(answer.violations(), ["body   required is missing"]);

    let answer = send("POST /accounts", &[JSON], "[]").await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_parameter_of_the_path_is_judged() {
    let answer = send("POST /jobs/seven:start", &[], "").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(answer.violations()[0].starts_with("path jobId  type "), "{}", answer.text);
}
