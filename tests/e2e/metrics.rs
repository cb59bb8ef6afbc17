//! Metrics in Prometheus format.

use std::{convert::Infallible, path::PathBuf, time::Duration};

use futures_util::{StreamExt as _, stream};
use generated_client::accounts::PostAccount;
use reqwest::{Body, Method};
use tokio::net::TcpListener;

use crate::{app::App, records::account, waiting::eventually};

#[tokio::test]
async fn requests_are_counted_by_operation_and_status_on_a_listener_of_their_own() {
    let app = App::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(service::metrics::serve(app.service.metrics.clone(), listener));
    let url = format!("http://{}/v2/crm/accounts/summary/101", app.address);
    for _ in 0..3 {
        app.http.get(&url).bearer_auth(app.token()).send().await.expect("an answer");
    }
    app.http.get(&url).send().await.expect("an answer");
    app.http.get(format!("http://{}/v2/nowhere", app.address)).send().await.expect("an answer");
    app.http.delete(&url).bearer_auth(app.token()).send().await.expect("an answer");

    let answer = app.http.get(format!("http://{address}/metrics")).send().await.expect("an answer");
    assert!(answer.headers()["content-type"].to_str().expect("text").starts_with("application/openmetrics-text"));
    let text = answer.text().await.expect("a text");
    let has = |line: &str| text.lines().any(|other| other.starts_with(line));
    for line in [
        r#"http_request_duration_seconds_count{operation="GetAccountSummary",status="200"} 3"#,
        r#"http_request_duration_seconds_bucket{le="+Inf",operation="GetAccountSummary",status="200"} 3"#,
        r#"http_request_duration_seconds_count{operation="GetAccountSummary",status="401"} 1"#,
        r#"http_request_duration_seconds_count{operation="none",status="404"} 1"#,
        r#"http_request_duration_seconds_count{operation="none",status="405"} 1"#,
        "http_connections ",
        "scheduler_sweep_duration_seconds_count",
        "store_",
        "process_resident_memory_bytes ",
        "process_cpu_seconds_total ",
    ] {
        assert!(has(line), "{line} is not in\n{text}");
    }
    assert!(!has("http_connections 0"), "the caller's own connection is open");
    let closed = app.http.get(format!("http://{}/metrics", app.address)).send().await.expect("an answer");
    assert_eq!(closed.status(), 404, "callers do not see it");
}

#[tokio::test]
async fn a_request_whose_client_hangs_up_is_counted() {
    let mut folder = PathBuf::new();
    let app = App::start_with(|config| folder.clone_from(&config.data)).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/metrics", listener.local_addr().expect("an address"));
    tokio::spawn(service::metrics::serve(app.service.metrics.clone(), listener));
    let store = rusqlite::Connection::open(folder.join(service::folder::STORE)).expect("the store");
    store.execute_batch("BEGIN IMMEDIATE").expect("writes wait");
    let client = app.client();
    let counted = r#"http_request_duration_seconds_count{operation="PostAccount",status="499"} "#;
    let is_counted = async || {
        // On a busy machine the client may be gone before its request arrives, so it asks again.
        let request = PostAccount { idempotency_key: None, body: account("Late") };
        let posting = client.accounts().post_account(request);
        tokio::time::timeout(Duration::from_millis(100), posting).await.expect_err("no answer");
        let text = app.http.get(&url).send().await.expect("an answer").text().await.expect("a text");
        text.lines().any(|line| line.starts_with(counted))
    };
    eventually("the request is counted", is_counted).await;
    store.execute_batch("ROLLBACK").expect("writes go on");
}

#[tokio::test]
async fn a_request_whose_client_hangs_up_within_the_body_is_counted() {
    const JSON: &str = "application/json";
    const MULTIPART: &str = "multipart/form-data; boundary=b";
    const PART: &str = "--b\r\nContent-Disposition: form-data; name=\"formFile\"; filename=\"a\"\r\n\r\na";
    let app = App::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let metrics = format!("http://{}/metrics", listener.local_addr().expect("an address"));
    tokio::spawn(service::metrics::serve(app.service.metrics.clone(), listener));
    let (account, files) = ("crm/accounts/101", "system/attachments/1/101");
    for (operation, method, path, media_type, begin, is_http2) in [
        ("PutAccount", Method::PUT, account, JSON, "{", false),
        ("PatchAccount", Method::PATCH, account, JSON, "[", true),
        ("PostAttachment", Method::POST, files, MULTIPART, PART, false),
    ] {
        let url = format!("http://{}/v2/{path}", app.address);
        let builder = reqwest::Client::builder();
        let client = if is_http2 { builder.http2_prior_knowledge() } else { builder }.build().expect("a client");
        let counted = format!("http_request_duration_seconds_count{{operation=\"{operation}\",status=\"499\"}} ");
        let is_counted = async || {
            let endless = stream::iter([Ok::<_, Infallible>(begin)]).chain(stream::pending());
            let request = client.request(method.clone(), &url).bearer_auth(app.token());
            let sending = request.header("content-type", media_type).body(Body::wrap_stream(endless)).send();
            tokio::time::timeout(Duration::from_millis(100), sending).await.expect_err("no answer");
            let text = app.http.get(&metrics).send().await.expect("an answer").text().await.expect("a text");
            text.lines().any(|line| line.starts_with(&counted))
        };
        eventually("the request is counted", is_counted).await;
    }
}
