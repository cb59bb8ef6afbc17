//! The same tools over streamable HTTP.

use std::process::Stdio;

use reqwest::header::{ACCEPT, CONTENT_TYPE, ORIGIN};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

use crate::PROGRAM;

#[tokio::test]
async fn programs_are_served_and_browsers_are_not() {
    let mut process = Command::new(PROGRAM)
        .args(["--listen", "127.0.0.1:0"])
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(process.stderr.take().expect("an output")).lines();
    let line = lines.next_line().await.expect("it can be read").expect("it says where it listens");
    let url = line.strip_prefix("listening on ").expect("a URL").to_owned();
    let client = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
    let greeting = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    let greet = || {
        let request = reqwest::Client::new().post(&url).header(CONTENT_TYPE, "application/json");
        request.header(ACCEPT, "application/json, text/event-stream").body(greeting.to_string())
    };
    let answer = greet().send().await.expect("an answer");
    assert!(answer.status().is_success(), "{}", answer.status());
    let text = answer.text().await.expect("a text");
    assert!(text.contains("\"name\":\"compiled-mcp\""), "{text}");
    let refused = greet().header(ORIGIN, "http://elsewhere.example").send().await.expect("an answer");
    assert_eq!(refused.status(), 403);
}
