//! The tools against the real service, through the protocol.

#[path = "../../../tests/compiled/mcp/tests/mcp/caller.rs"]
mod caller;

use std::sync::Arc;

use caller::{Caller, text};
use serde_json::{Value, json};
use service::config::Config;
use service::start;
use tempfile::TempDir;
use tokio::net::TcpListener;

const PROGRAM: &str = env!("CARGO_BIN_EXE_generated-mcp");

/// A service with the sample data, and the environment to call it.
struct Service {
    url: String,
    token: String,
    _data: TempDir,
}

impl Service {
    async fn start() -> Self {
        let data = tempfile::tempdir().expect("a temporary folder");
        let config = Config { data: data.path().to_path_buf(), time_zone: "UTC".into(), ..Config::default() };
        let opened = start::open(Arc::new(config)).await.expect("the service opens");
        let token = opened.token.expect("the first start makes a token").reveal().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(start::serve(opened.service, listener, None, std::future::pending()));
        Self { url, token, _data: data }
    }

    async fn caller(&self, options: &[&str]) -> Caller {
        let environment = [("GENERATED_URL", self.url.as_str()), ("GENERATED_BEARER_AUTH", &self.token)];
        Caller::start(PROGRAM, options, &environment).await
    }
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools.iter().filter_map(|tool| tool["name"].as_str()).collect()
}

#[tokio::test]
async fn a_model_reads_writes_and_uploads() {
    let service = Service::start().await;
    let mut caller = service.caller(&["--allow", "write"]).await;
    let account = json!({
        "AccountName": "Tools Ltd", "AccountTypeId": 1, "BusinessTypeId": 1, "AccountManagerId": 12,
        "Locations": [{ "LocationName": "Main", "IsMain": true, "Addresses": [{ "City": "Springfield" }] }],
    });
    let refused = caller.refused("PostAccount", json!({ "body": { "AccountTypeId": "one" } })).await;
    assert!(
        refused.contains("`body.AccountTypeId`: ") && refused.contains("`body.AccountName`: is missing"),
        "{refused}"
    );

    let made = caller.call("PostAccount", json!({ "body": account })).await;
    assert_eq!(made["isError"], json!(false), "{made}");
    let id = made["structuredContent"]["Result"]["Id"].clone();
    let found = caller.call("GetAccountSummary", json!({ "id": id })).await;
    assert_eq!(found["structuredContent"]["AccountName"], "Tools Ltd", "{found}");

    let file = json!({ "formFile": { "base64": "aGVsbG8=", "fileName": "hello.txt", "mediaType": "text/plain" } });
    let sent = caller.call("PostAttachment", json!({ "moduleId": 1, "objectId": id, "body": file })).await;
    let attachment = sent["structuredContent"]["Result"][0]["Id"].clone();
    assert!(attachment.is_number(), "{sent}");
    let place = json!({ "moduleId": 1, "objectId": id, "attachmentId": attachment });
    assert_eq!(text(&caller.call("DownloadAttachment", place).await), "hello");
}

#[tokio::test]
async fn a_list_says_how_to_go_on() {
    let service = Service::start().await;
    let mut caller = service.caller(&["--max-bytes", "300"]).await;
    let page = caller.call("GetAccountsListSummary", json!({ "PageSize": 1 })).await;
    let page = text(&page);
    assert!(
        page.contains("[cut: the first ") && page.contains("There is a next page: call the tool again with "),
        "{page}"
    );
}

#[tokio::test]
async fn tiers_decide_what_there_is() {
    let service = Service::start().await;
    let all = service.caller(&["--allow", "destructive"]).await.tools().await;
    let read = service.caller(&[]).await.tools().await;
    assert!(names(&all).contains(&"DeleteAttachment") && !names(&read).contains(&"DeleteAttachment"));
    assert!(names(&all).contains(&"PostAccount") && !names(&read).contains(&"PostAccount"));
    assert!(names(&read).contains(&"GetAccounts"));
    let tool = all.iter().find(|tool| tool["name"] == "PutAttachment").expect("it is listed");
    let hints = json!({ "readOnlyHint": false, "destructiveHint": true, "idempotentHint": true });
    assert_eq!(tool["annotations"], hints);
}

#[tokio::test]
async fn failures_and_dry_runs_never_show_the_token() {
    let service = Service::start().await;
    let mut caller = service.caller(&[]).await;
    let missing = caller.call("GetAccountSummary", json!({ "id": 999_999 })).await;
    assert_eq!(missing["isError"], json!(true));
    assert_eq!(missing["structuredContent"]["status"], 404, "{missing}");
    assert!(!missing.to_string().contains(&service.token));

    let mut dry = service.caller(&["--dry-run"]).await;
    let request = dry.call("GetAccounts", json!({ "Filter.Name": "acme", "Filter.Ids": [1, 2] })).await;
    let expected = format!("{}/v2/crm/accounts/lookup?Filter.Ids=1&Filter.Ids=2&Filter.Name=acme", service.url);
    assert_eq!(request["structuredContent"]["url"], expected);
    assert!(!request.to_string().contains(&service.token), "{request}");
    assert!(!dry.end().await.contains(&service.token));
}
