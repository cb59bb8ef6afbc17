//! Layers around every operation: compression, CORS, and the path prefix of a proxy.

use generated_client::{accounts::GetAccountsListSummary, runtime::multipart::Part};
use reqwest::{
    Method,
    header::{ACCEPT_ENCODING, CONTENT_ENCODING, ETAG, RANGE, VARY},
};

use crate::{
    app::App,
    attachments::{attach, listed},
};

/// The encoding of a response, or its first bytes if it has none.
async fn encoding(app: &App, path: &str, accepted: &str) -> (String, Vec<u8>) {
    let url = format!("http://{}{path}", app.address);
    let http = reqwest::Client::builder().no_gzip().build().expect("a client");
    let answer = http.get(url).bearer_auth(app.token()).header(ACCEPT_ENCODING, accepted);
    let answer = answer.send().await.expect("an answer");
    assert!(answer.status().is_success(), "{path}: {}", answer.status());
    let encoding =
        answer.headers().get(CONTENT_ENCODING).map_or("none", |value| value.to_str().expect("text")).to_owned();
    (encoding, answer.bytes().await.expect("a body").to_vec())
}

#[tokio::test]
async fn long_responses_are_compressed_if_accepted() {
    let app = App::start().await;
    let list = "/v2/crm/accounts/summary?PageSize=100";
    let (plain, whole) = encoding(&app, list, "identity").await;
    assert_eq!(plain, "none");
    for (accepted, expected, magic) in [
        ("gzip", "gzip", &b"\x1f\x8b"[..]),
        ("zstd", "zstd", b"\x28\xb5\x2f\xfd"),
        ("br, gzip;q=0.5", "gzip", b"\x1f\x8b"),
    ] {
        let (encoding, bytes) = encoding(&app, list, accepted).await;
        assert_eq!(encoding, expected);
        assert!(bytes.starts_with(magic) && bytes.len() * 3 < whole.len(), "{} of {}", bytes.len(), whole.len());
    }
    assert_eq!(encoding(&app, "/v2/crm/accounts/summary/101", "br").await.0, "none");
    assert_eq!(encoding(&app, "/healthz", "gzip").await.0, "none", "it is short");
    assert_eq!(encoding(&app, "/openapi.json", "gzip").await.0, "gzip");

    let tags = async |accepted: &str| {
        let request = app.http.get(format!("http://{}{list}", app.address)).bearer_auth(app.token());
        let answer = request.header(ACCEPT_ENCODING, accepted).send().await.expect("an answer");
        let vary: Vec<_> = answer.headers().get_all(VARY).iter().cloned().collect();
        (answer.headers()[ETAG].clone(), vary)
    };
    let ((compressed, vary), (plain, _)) = (tags("gzip").await, tags("identity").await);
    assert_eq!(compressed, plain, "`If-Match` is about the record, whatever its encoding was");
    assert!(vary.iter().any(|vary| vary.to_str().expect("text").contains("accept-encoding")));
}

fn lines() -> Part {
    Part::bytes("lines.txt", "a line of text\n".repeat(1000))
}

#[tokio::test]
async fn contents_of_attachments_are_sent_as_they_are() {
    let app = App::start().await;
    let path = attach(&app.client(), lines()).await.url.into_option().expect("a URL");
    assert_eq!(encoding(&app, &path, "gzip, zstd").await.0, "none");
    let part = app.http.get(format!("http://{}{path}", app.address)).bearer_auth(app.token());
    let part = part.header(ACCEPT_ENCODING, "gzip").header(RANGE, "bytes=0-2047").send().await.expect("an answer");
    assert_eq!((part.status().as_u16(), part.headers().get(CONTENT_ENCODING)), (206, None));
}

#[tokio::test]
async fn pages_of_other_origins_may_call_when_they_are_named() {
    let app = App::start_with(|config| config.cors_origins = vec!["https://app.example.com".into()]).await;
    let url = format!("http://{}/v2/crm/accounts", app.address);
    let preflight = async |app: &App, origin: &str| {
        let request = app.http.request(Method::OPTIONS, format!("http://{}/v2/crm/accounts", app.address));
        let request = request.header("origin", origin).header("access-control-request-method", "POST");
        let request = request.header("access-control-request-headers", "authorization,content-type,idempotency-key");
        let answer = request.send().await.expect("an answer");
        let header = |name: &str| answer.headers().get(name).map(|value| value.to_str().expect("text").to_owned());
        (
            answer.status().as_u16(),
            header("access-control-allow-origin"),
            header("access-control-allow-methods"),
            header("access-control-allow-headers"),
        )
    };
    let (status, origin, methods, headers) = preflight(&app, "https://app.example.com").await;
    assert_eq!((status, origin.as_deref()), (200, Some("https://app.example.com")));
    assert!(methods.is_some_and(|methods| methods.contains("PATCH") && methods.contains("DELETE")));
    assert_eq!(headers.as_deref(), Some("authorization,content-type,idempotency-key"));
    assert_eq!(preflight(&app, "https://elsewhere.example").await.1, None);

    let request = app.http.get(format!("{url}/lookup?PageSize=1")).bearer_auth(app.token());
    let answer = request.header("origin", "https://app.example.com").send().await.expect("an answer");
    assert_eq!(answer.headers()["access-control-allow-origin"], "https://app.example.com");
    assert!(answer.headers()["access-control-expose-headers"].to_str().expect("text").contains("etag"));

    let refused = app.http.post(&url).header("origin", "https://app.example.com").send().await.expect("an answer");
    assert_eq!(refused.status(), 401);
    assert!(refused.headers().contains_key("access-control-allow-origin"), "the page can read why");

    let closed = App::start().await;
    let (status, origin, ..) = preflight(&closed, "https://app.example.com").await;
    assert_eq!((status, origin), (405, None));
}

#[tokio::test]
async fn a_proxy_may_offer_the_service_at_a_path_of_its_own() {
    let app = App::start_with(|config| config.base_path = "/bms".into()).await;
    for path in ["/bms/v2/crm/accounts/summary?PageSize=1", "/v2/crm/accounts/summary?PageSize=1"] {
        let request = app.http.get(format!("http://{}{path}", app.address)).bearer_auth(app.token());
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), 200, "{path}");
        let link = answer.headers()["link"].to_str().expect("text").to_owned();
        assert!(link.matches("</bms/v2/crm/accounts/summary?").count() >= 3 && !link.contains("</v2"), "{link}");
    }
    let health = app.http.get(format!("http://{}/bms/healthz", app.address)).send().await.expect("an answer");
    assert_eq!(health.status(), 200);
    let other = app.http.get(format!("http://{}/bmsx/healthz", app.address)).send().await.expect("an answer");
    assert_eq!(other.status(), 404);

    // The generated client reads all pages and finds the file, with the entity tag of its record.
    let builder = generated_client::Client::builder(&format!("http://{}/bms", app.address)).expect("a URL");
    let client = builder.bearer_auth(app.token()).build().expect("a client");
    let mut items = client
        .accounts()
        .get_accounts_list_summary(GetAccountsListSummary { page_size: Some(1), ..Default::default() })
        .items();
    for _ in 0..3 {
        assert!(items.try_next().await.expect("a page").is_some());
    }
    let url = attach(&client, lines()).await.url.into_option().expect("a URL");
    assert_eq!(listed(&client).await[0].url.as_option(), Some(Some(&url)));
    let file = app.http.get(format!("http://{}{url}", app.address)).bearer_auth(app.token()).send().await;
    assert!(url.starts_with("/bms/v2/") && file.expect("an answer").status() == 200, "{url}");
    let record = url.trim_end_matches("/download");
    let read = app.http.get(format!("http://{}{record}", app.address)).bearer_auth(app.token()).send().await;
    let tag = read.expect("an answer").headers()[ETAG].clone();
    let delete = app.http.delete(format!("http://{}{record}", app.address)).bearer_auth(app.token());
    assert_eq!(delete.header("if-match", tag).send().await.expect("an answer").status(), 200);
}
