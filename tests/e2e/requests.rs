//! Reading requests: query names, empty values, media types, `Host`.

use serde_json::{Value, json};

use crate::app::App;

/// Sends a GET with the first token; returns status, content type and body.
async fn get(app: &App, target: &str, accept: &str) -> (u16, String, Value) {
    let request = app.http.get(format!("http://{}{target}", app.address)).bearer_auth(app.token());
    let request = if accept.is_empty() { request } else { request.header("accept", accept) };
    let answer = request.send().await.expect("an answer");
    let headers = answer.headers();
    let vary: Vec<_> = headers.get_all("vary").iter().map(|vary| vary.to_str().expect("text").to_lowercase()).collect();
    assert!(vary.iter().any(|vary| vary.contains("accept")), "{target}: {vary:?}");
    let content_type = headers.get("content-type").map_or("", |value| value.to_str().expect("text")).to_owned();
    let status = answer.status().as_u16();
    (status, content_type, serde_json::from_str(&answer.text().await.expect("text")).unwrap_or_default())
}

#[tokio::test]
async fn unknown_query_names_are_refused_with_the_one_that_may_be_meant() {
    let app = App::start().await;
    for (target, unknown, meant) in [
        ("/v2/crm/accounts/summary?Filter.AcountName=x", "Filter.AcountName", "Filter.AccountName"),
        ("/v2/crm/accounts/summary?AccountName=x", "AccountName", "Filter.AccountName"),
        ("/v2/crm/accounts/lookup?Filter.Ids[]=101", "Filter.Ids[]", "Filter.Ids"),
        ("/v2/crm/accounts/lookup?Filter.Ids%5B0%5D=101", "Filter.Ids[0]", "Filter.Ids"),
        ("/assetmgmt/agent/notes?$topp=1", "$topp", "$top"),
        ("/v2/changes?afer=1", "afer", "After"),
    ] {
        let (status, _, body) = get(&app, target, "application/problem+json").await;
        assert_eq!(status, 400, "{target}");
        let error = &body["errors"][0];
        assert_eq!(error["pointer"], format!("/{unknown}"), "{target}: {body}");
        assert_eq!(error["detail"], format!("is unknown; did you mean `{meant}`?"), "{target}");
        let (_, _, body) = get(&app, target, "").await;
        assert!(body.to_string().contains(&format!("did you mean `{meant}`")), "{body}");
    }
    // Unknown parameters, and writes.
    assert_eq!(get(&app, "/v2/crm/accounts/summary/101?x=1", "").await.0, 400);
    let url = format!("http://{}/v2/crm/accounts/101?x=1", app.address);
    let patch = app
        .http
        .patch(url)
        .bearer_auth(app.token())
        .header("content-type", "application/json")
        .body(json!([]).to_string())
        .send()
        .await
        .expect("an answer");
    assert_eq!(patch.status(), 400);
    for target in ["/v2/crm/accounts/summary?filter.ACCOUNTNAME=x", "/v2/crm/accounts/lookup?Filter.Ids=1&filter.ids=2"]
    {
        assert_eq!(get(&app, target, "").await.0, 200, "{target}");
    }
}

#[tokio::test]
async fn empty_values_in_queries_count_as_absent() {
    let app = App::start().await;
    let total = |body: &Value| body["TotalRecords"].as_i64();
    let all = total(&get(&app, "/v2/crm/accounts/summary", "").await.2);
    assert!(all.is_some_and(|all| all > 1), "{all:?}");
    for query in [
        "Filter.AccountTypeId=",
        "Filter.IsActive=&PageSize=",
        "Filter.AccountName=&Sort=&Exclude",
        "Filter.CreatedOnFrom=",
    ] {
        let (status, _, body) = get(&app, &format!("/v2/crm/accounts/summary?{query}"), "").await;
        assert_eq!((status, total(&body)), (200, all), "{query}");
    }
    assert_eq!(get(&app, "/v2/crm/accounts/summary?Filter.Name=", "").await.0, 400, "no such parameter");
}

#[tokio::test]
async fn the_accept_header_is_respected() {
    const PROBLEM: &str = "application/problem+json";
    const JSON: &str = "application/json";
    let app = App::start().await;
    for (target, accept, expected) in [
        ("/v2/crm/accounts/summary", PROBLEM, (200, JSON)),
        ("/v2/crm/accounts/summary/987654", PROBLEM, (404, PROBLEM)),
        ("/v2/crm/accounts/summary/987654", "application/json, application/problem+json;q=0", (404, JSON)),
        ("/v2/crm/accounts/summary/987654", "application/problem+json; Q=0.0", (404, JSON)),
        ("/v2/crm/accounts/summary/987654", "image/png", (404, JSON)),
        ("/assetmgmt/patch/1/missing", "image/png, application/problem+json;q=0.1", (404, PROBLEM)),
        ("/v2/nothing", "image/png", (404, JSON)),
        ("/v2/crm/accounts/summary", "image/png", (406, JSON)),
        ("/v2/crm/accounts/summary", "application/problem+json;q=0", (406, JSON)),
        ("/v2/crm/accounts/summary", "image/png, application/problem+json", (406, PROBLEM)),
    ] {
        let (status, content_type, _) = get(&app, target, accept).await;
        assert_eq!((status, content_type.as_str()), expected, "{target} for {accept}");
    }
}

#[tokio::test]
async fn a_request_says_once_which_host_it_is_for() {
    let app = App::start().await;
    for (version, hosts, is_taken) in [
        ("1.1", "", false),
        ("1.1", "host: x\nhost: x\n", false),
        ("1.1", "host: a b\n", false),
        ("1.1", "host: x:80\n", true),
        ("1.0", "", true),
    ] {
        for path in ["/healthz", "/v2/crm/accounts/summary", "/assetmgmt/agent/notes"] {
            let request =
                format!("GET {path} HTTP/{version}\n{hosts}authorization: Bearer {{token}}\nconnection: close\n\n");
            let answer = app.raw(&request).await;
            let expected = if is_taken { "200" } else { "400" };
            assert!(answer.starts_with(&format!("HTTP/{version} {expected}")), "{hosts:?}: {answer}");
        }
    }
}

#[tokio::test]
async fn a_byte_order_mark_before_json_is_skipped() {
    let app = App::start().await;
    let url = format!("http://{}/v2/crm/accounts/101", app.address);
    let patch = app.http.patch(url).bearer_auth(app.token()).header("content-type", "application/json");
    let body = format!("\u{feff}{}", json!([{ "op": "replace", "path": "/Description", "value": "marked" }]));
    let answer = patch.body(body).send().await.expect("an answer");
    assert_eq!(answer.status(), 200);
    let answer: Value = serde_json::from_str(&answer.text().await.expect("text")).expect("JSON");
    assert_eq!(answer["Result"]["Description"], "marked");
}
