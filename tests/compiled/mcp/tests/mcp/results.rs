//! Responses become results: JSON, text, bytes and streams, cut to the limit.

use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio_util::io::ReaderStream;

use crate::PROGRAM;
use crate::caller::{Caller, text};

/// A service that answers every operation with something that is worth a test.
async fn answer(request: Request) -> Response {
    let media_type = |text: &'static str| [(CONTENT_TYPE, text)];
    match request.uri().path() {
        "/text" => (media_type("text/plain"), "ä".repeat(2000)).into_response(),
        "/bytes" => (media_type("application/octet-stream"), Bytes::from_static(&[0xff, 0, 1])).into_response(),
        "/several" => (media_type("image/png"), Bytes::from_static(&[0xff, 0, 1])).into_response(),
        "/anything" => (media_type("application/json"), "[1,2]").into_response(),
        "/jobs" => (StatusCode::CONFLICT, "").into_response(),
        "/jobs/1" => (StatusCode::NOT_FOUND, media_type("application/json"), "{\"reason\":\"no job\"}").into_response(),
        "/log" => (StatusCode::NOT_FOUND, media_type("application/json"), "[\"no log\"]").into_response(),
        "/news" => (media_type("text/event-stream"), endless("data: one\n\ndata: two\n\n")).into_response(),
        _ => StatusCode::NO_CONTENT.into_response(),
    }
}

/// A body that never ends.
fn endless(beginning: &'static str) -> Body {
    let (mut sender, receiver) = tokio::io::duplex(64);
    tokio::spawn(async move {
        // The caller may be gone.
        let _ = sender.write_all(beginning.as_bytes()).await;
        tokio::time::sleep(Duration::from_mins(10)).await;
    });
    Body::from_stream(ReaderStream::new(receiver))
}

async fn start(options: &[&str]) -> Caller {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
    let options = [&["--allow", "destructive"], options].concat();
    Caller::start(PROGRAM, &options, &[("COMPILED_URL", &url), ("COMPILED_BEARER", "hush-hush")]).await
}

#[tokio::test]
async fn json_is_structured_and_text() {
    let mut caller = start(&[]).await;
    let result = caller.call("sendAnything", json!({ "body": {} })).await;
    assert_eq!(result["structuredContent"], json!({ "result": [1, 2] }));
    assert_eq!(text(&result), "[1,2]");
}

#[tokio::test]
async fn a_long_result_is_cut_at_a_character() {
    let mut caller = start(&["--max-bytes", "101"]).await;
    let result = caller.call("sendText", json!({ "body": "a" })).await;
    assert_eq!(
        text(&result),
        format!(
            "{}\n\n[cut: the first 100 of 4000 bytes] Ask for less, if the tool has arguments for that.",
            "ä".repeat(50)
        )
    );
    assert_eq!(result.get("structuredContent"), None);
}

#[tokio::test]
async fn bytes_are_base64_and_images_are_images() {
    let mut caller = start(&[]).await;
    let bytes = caller.call("sendBytes", json!({ "body": { "text": "a" } })).await;
    let expected = json!({ "mediaType": "application/octet-stream", "bytes": 3, "base64": "/wAB" });
    assert_eq!(bytes["structuredContent"], expected);
    let image = caller.call("sendSeveral", json!({ "body": { "title": "a" } })).await;
    assert_eq!(image["content"][0], json!({ "type": "image", "data": "/wAB", "mimeType": "image/png" }));
}

#[tokio::test]
async fn a_failure_has_status_and_body() {
    let mut caller = start(&[]).await;
    let result = caller.call("getJob", json!({ "id": 1 })).await;
    assert_eq!(result["isError"], json!(true));
    assert_eq!(result["structuredContent"], json!({ "status": 404, "body": { "reason": "no job" } }));
    assert_eq!(text(&result), "The service answered 404 Not Found: {\"reason\":\"no job\"}");
    let empty = caller.call("startJob", json!({})).await;
    assert_eq!(text(&empty), "The service answered 409 Conflict, without a body");
}

#[tokio::test]
async fn a_default_response_with_a_status_from_400_is_a_failure() {
    let result = start(&[]).await.call("getLog", json!({})).await;
    assert_eq!(result["isError"], json!(true), "{result}");
    assert_eq!(result["structuredContent"], json!({ "status": 404, "body": ["no log"] }));
}

#[tokio::test]
async fn a_stream_without_an_end_returns_what_came() {
    let mut caller = start(&["--timeout", "1"]).await;
    let result = caller.call("stream", json!({})).await;
    assert!(text(&result).starts_with("data: one\n\ndata: two\n\n\n\n[cut after 22 bytes: "), "{result}");
}

#[tokio::test]
async fn a_service_that_is_not_there_is_an_error() {
    let environment = [("COMPILED_URL", "http://127.0.0.1:9"), ("COMPILED_BEARER", "hush-hush")];
    let mut caller = Caller::start(PROGRAM, &["--allow", "write"], &environment).await;
    let refused = caller.refused("sendText", json!({ "body": "a" })).await;
    assert!(refused.starts_with("POST /text got no answer"), "{refused}");
    assert!(!refused.contains("hush-hush") && !caller.end().await.contains("hush-hush"));
}
