//! Options for reading queries.

use http::StatusCode;

use crate::runtime::server::Options;
use crate::service::{Answer, Doorkeeper, Service, request, send, send_to};

async fn send_with(options: &Options, route: &str) -> Answer {
    let app = crate::router::router(Service, Doorkeeper, options);
    send_to(app, request(route, &["Authorization: Bearer secret"], "")).await
}

#[tokio::test]
async fn parameters_that_an_operation_does_not_have_can_be_refused() {
    let options = Options::default().refuse_unknown_query();
    for (query, violations) in [
        ("PageSiz=5", &["querystring  /PageSiz unknown is unknown; did you mean `PageSize`?"][..]),
        ("Ids[]=5", &["querystring  /Ids[] unknown is unknown; did you mean `Ids`?"]),
        ("Filter.PageSize=5", &["querystring  /Filter.PageSize unknown is unknown; did you mean `PageSize`?"]),
        (
            "Ids%5B0%5D=5&page%2Fsize=1",
            &[
                "querystring  /Ids[0] unknown is unknown; did you mean `Ids`?",
                "querystring  /page~1size unknown is unknown; did you mean `PageSize`?",
            ],
        ),
        ("Colour&PageSize=0", &["query PageSize  minimum is 0, at least 1", "querystring  /Colour unknown is unknown"]),
    ] {
        let answer = send_with(&options, &format!("GET /accounts?{query}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{query}");
        assert_eq!(answer.violations(), violations, "{query}");
        let status = send(&format!("GET /accounts?{query}"), &[], "").await.status;
        assert_eq!(status == StatusCode::OK, !query.contains("=0"), "{query} is ignored by default");
    }
    for query in ["PAGESIZE=5&ids=1&Ids=2", "", "&", "PageSize=5&"] {
        assert_eq!(send_with(&options, &format!("GET /accounts?{query}")).await.status, StatusCode::OK, "{query}");
    }
    assert_eq!(send_with(&options, "POST /jobs/7:start?now").await.status, StatusCode::BAD_REQUEST);
    let many = "X&".repeat(1000);
    assert_eq!(send_with(&options, &format!("GET /accounts?{many}")).await.violations().len(), 100);
}

#[tokio::test]
async fn empty_values_can_be_read_as_absent() {
    let options = Options::default().ignore_empty_query_values();
    let answer = send_with(&options, "GET /accounts?PageSize=&ids=&Ids=3&Ids").await;
    assert_eq!(answer.text, r#"[{"Name":"token None Some([3]) None"}]"#);
    assert_eq!(send("GET /accounts?PageSize=", &[], "").await.status, StatusCode::BAD_REQUEST);
    let answer = send_with(&options.refuse_unknown_query(), "GET /accounts?Colour=").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
}
