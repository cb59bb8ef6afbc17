//! Operations with their own server are sent there.

use axum::http::{HeaderMap, Uri};
use compiled_client::{Client, ClientBuilder};
use compiled_server::runtime::server::{Call, Failure, Options};
use compiled_server::servers::{ListReports, SendReport, Servers};

use crate::echo::{client_of, serve};

struct Reports;

impl Servers for Reports {
    async fn list_reports(&self, _: Call<()>, _: ListReports) -> Result<(), Failure<ListReports>> {
        Ok(())
    }

    async fn send_report(&self, _: Call<()>, _: SendReport) -> Result<(), Failure<SendReport>> {
        Ok(())
    }
}

#[tokio::test]
async fn a_relative_server_is_on_the_same_host_and_others_only_when_asked_for() {
    let client = client_of(compiled_server::servers::router(Reports, &Options::default())).await;
    client.servers().list_reports(()).await.expect("it is below `/reporting/v2`");
    client.servers().send_report(()).await.expect("the base URL is the server of all");
}

#[tokio::test]
async fn described_servers_are_used_when_asked_for() {
    let everything = async |uri: Uri, headers: HeaderMap| {
        let host = headers.get("host").and_then(|host| host.to_str().ok()).unwrap_or_default().to_owned();
        ([("x-seen", format!("{host}{}", uri.path()))], http::StatusCode::NO_CONTENT)
    };
    let proxy = serve(axum::Router::new().fallback(everything)).await;
    let http = || {
        let proxy = reqwest::Proxy::http(&proxy).expect("the address is a URL");
        reqwest::Client::builder().proxy(proxy).build().expect("a pool can be made")
    };
    let builder = || Client::builder("http://api.example.com/v1").expect("it is a URL").http_client(http());
    for (builder, list, send) in [
        (builder(), "api.example.com/reporting/v2/reports", "api.example.com/v1/reports"),
        (builder().described_servers(), "api.example.com/reporting/v2/reports", "uploads.example.com/files/reports"),
    ] {
        let client = ClientBuilder::build(builder).expect("the settings are right");
        let listed = client.servers().list_reports(()).with_response().await.expect("the proxy answers");
        let sent = client.servers().send_report(()).with_response().await.expect("the proxy answers");
        assert_eq!(listed.headers()["x-seen"], list);
        assert_eq!(sent.headers()["x-seen"], send);
    }
}
