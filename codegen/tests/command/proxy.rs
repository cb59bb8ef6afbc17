//! `specwright proxy`

use std::io::{BufRead as _, BufReader, Lines};
use std::process::{Child, ChildStdout, Command, Stdio};

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use serde_json::{Value, json};

use crate::folder::Folder;
use crate::service::PETS;

/// A running proxy.
struct Proxy {
    child: Child,
    url: String,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Proxy {
    fn start(folder: &Folder, service: &str, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_specwright"))
            .args(["proxy", "pets.yaml", "--listen", "127.0.0.1:0", "--url", service])
            .args(arguments)
            .current_dir(folder.path(""))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let url = lines.next().unwrap().unwrap().strip_prefix("listening on ").unwrap().to_owned();
        Self { child, url, lines }
    }

    /// The next line that it prints.
    fn line(&mut self) -> String {
        self.lines.next().unwrap().unwrap()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Serves a router on a free port until the test ends.
async fn served(router: Router) -> String {
    // The client wants one, although it speaks plain HTTP here.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

#[tokio::test(flavor = "multi_thread")]
async fn both_sides_of_an_exchange_are_checked() {
    let pets = async || {
        let headers = [(CONTENT_TYPE, "application/json"), (axum::http::HeaderName::from_static("x-total"), "1")];
        (headers, r#"[{"name":"Bella"}]"#)
    };
    let service = served(Router::new().route("/pets", get(pets).post(async || StatusCode::IM_A_TEAPOT))).await;
    let folder = Folder::new(&[("pets.yaml", PETS)]);
    let mut proxy = Proxy::start(&folder, &service, &["--format", "json"]);

    let answer = reqwest::get(format!("{}/pets?limit=1000", proxy.url)).await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.headers()["x-total"].to_str().unwrap()), (200, "1"));
    assert_eq!(answer.text().await.unwrap(), r#"[{"name":"Bella"}]"#);
    let exchange: Value = serde_json::from_str(&proxy.line()).unwrap();
    assert_eq!((&exchange["operationId"], &exchange["status"]), (&json!("listPets"), &json!(200)));
    assert!(exchange["request"][0].as_str().unwrap().starts_with("query `limit`: "), "{exchange}");
    assert!(exchange["response"].to_string().contains("`required`"), "{exchange}");

    let body = (CONTENT_TYPE, "application/json");
    let request = reqwest::Client::new().post(format!("{}/pets", proxy.url)).header(body.0, body.1).body("{}");
    assert_eq!(request.send().await.unwrap().status().as_u16(), 418);
    let exchange: Value = serde_json::from_str(&proxy.line()).unwrap();
    assert!(exchange["request"].to_string().contains("credentials are missing"), "{exchange}");
    assert_eq!(exchange["response"], json!(["answers 418, which is not described"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_described_is_sent_on_and_named() {
    let service = served(Router::new().route("/other", get(async || "here"))).await;
    let folder = Folder::new(&[("pets.yaml", PETS)]);
    let mut proxy = Proxy::start(&folder, &service, &[]);
    let answer = reqwest::get(format!("{}/other", proxy.url)).await.unwrap();
    assert_eq!(answer.text().await.unwrap(), "here");
    assert!(proxy.line().ends_with("/other 200 -"));
    assert_eq!(proxy.line(), "  request: the description has no such path");
}

#[tokio::test(flavor = "multi_thread")]
async fn operations_of_an_overlay_are_described() {
    let service = served(Router::new().route("/other", get(async || "here"))).await;
    let overlay = "overlay: 1.0.0\ninfo: {}\nactions: [{ target: $.paths, update: { /other: { get: { operationId: readOther, security: [], responses: {} } } } }]";
    let folder = Folder::new(&[("pets.yaml", PETS), ("ours.yaml", overlay)]);
    let mut proxy = Proxy::start(&folder, &service, &["--overlay", "ours.yaml"]);
    reqwest::get(format!("{}/other", proxy.url)).await.unwrap();
    assert!(proxy.line().ends_with("/other 200 readOther"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_does_not_answer_is_a_bad_gateway() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nothing = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let _ = rustls::crypto::ring::default_provider().install_default();
    let folder = Folder::new(&[("pets.yaml", PETS)]);
    let mut proxy = Proxy::start(&folder, &nothing, &[]);
    let answer = reqwest::get(format!("{}/pets", proxy.url)).await.unwrap();
    assert_eq!(answer.status().as_u16(), 502);
    assert!(proxy.line().ends_with("/pets - listPets"));
    assert!(proxy.line().starts_with("  response: the service did not answer"));
}
