//! Rate limits, and time limits of requests.

use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use generated_client::{
    Error,
    agent_notes::GetAgentNotes,
    attachments::{PostTempAttachment, PostTempAttachmentBody},
    colors_lookup::GetColorsLookup,
    runtime::multipart::Part,
};
use http::header::RETRY_AFTER;
use service::domain::caller::Visibility;

use crate::{
    app::App,
    records::{agent_refusal, refusal},
    waiting::answered,
};

/// The seconds in `Retry-After`.
fn retry_after<E>(error: &Error<E>) -> u32 {
    error.headers().expect("an answer")[RETRY_AFTER].to_str().expect("text").parse().expect("seconds")
}

#[tokio::test]
async fn the_rate_limit_is_per_operation_and_token() {
    let app = App::start_with(|config| config.limits.calls_per_hour = 3).await;
    let client = app.client();
    let colors = || client.colors_lookup().get_colors_lookup(GetColorsLookup { module_id: None });
    for _ in 0..3 {
        colors().await.expect("within the limit");
    }
    let error = colors().await.expect_err("the fourth call");
    assert!((1..=1200).contains(&retry_after(&error)), "a third of an hour at most: {}", retry_after(&error));
    let (status, texts) = refusal(error);
    assert_eq!((status, texts), (429, vec!["GetColorsLookup may be called 3 times an hour".to_owned()]));

    client.account_types().get_account_types_lookup(()).await.expect("another operation");
    let other = app.client_with(&["*"], &[], Visibility::All).await;
    other.colors_lookup().get_colors_lookup(GetColorsLookup { module_id: None }).await.expect("another token");
}

#[tokio::test]
async fn refused_calls_count_and_agent_operations_use_their_format() {
    let app = App::start_with(|config| config.limits.calls_per_hour = 1).await;
    let client = app.client_with(&["read:crm"], &[], Visibility::All).await;
    let notes = || client.agent_notes().get_agent_notes(GetAgentNotes::default());
    assert_eq!(agent_refusal(notes().await.expect_err("out of scope")).0, 403);
    let error = notes().await.expect_err("the second call");
    assert!((1200..=3600).contains(&retry_after(&error)), "an hour at most: {}", retry_after(&error));
    let (status, text, explanation) = agent_refusal(error);
    assert_eq!((status, text.as_str()), (429, "Too Many Requests"));
    assert!(explanation.contains("GetAgentNotes"), "{explanation}");
}

#[tokio::test]
async fn zero_is_no_limit() {
    let app = App::start_with(|config| config.limits.calls_per_hour = 0).await;
    let client = app.client();
    for _ in 0..50 {
        client.account_types().get_account_types_lookup(()).await.expect("never refused");
    }
}

/// A service that waits `seconds` for a body that stalls or is too slow.
async fn impatient(seconds: u64) -> App {
    App::start_with(|config| {
        config.bounds.body = Duration::from_secs(seconds);
        config.bounds.body_bytes_per_second = 10_000;
        config.limits.request_seconds = 1;
    })
    .await
}

#[tokio::test]
async fn a_slow_upload_may_take_longer_than_an_answer() {
    // The response must begin within a second; the sender takes three, at twice the minimum rate.
    let app = impatient(60).await;
    let chunks = stream::iter(0..6).then(async |number: u8| {
        tokio::time::sleep(Duration::from_millis(500)).await;
        Ok::<_, std::io::Error>(vec![number; 10_000].into())
    });
    let body = PostTempAttachmentBody { file: Part::stream("slow.bin", chunks) };
    let request = PostTempAttachment { module_id: 1, idempotency_key: None, body };
    let kept = app.client().attachments().post_temp_attachment(request).await.expect("kept");
    assert_eq!(kept.body.success, Some(true));
}

#[tokio::test]
async fn a_body_that_stalls_is_refused_in_the_shape_of_each_family() {
    let app = impatient(1).await;
    for (method, target, part) in [
        ("POST", "/v2/crm/accounts", "\"Success\":false,\"Error\":{\"Code\":408"),
        ("PUT", "/assetmgmt/patch/1/schedule", "\"ResponseCode\":408,\"Status\":\"Request Timeout\""),
    ] {
        let request = format!(
            "{method} {target} HTTP/1.1\nhost: x\nauthorization: Bearer {{token}}\n\
             content-type: application/json\ncontent-length: 1000\n\n{{\"",
        );
        let answer = answered(app.raw(&request)).await;
        assert!(answer.starts_with("HTTP/1.1 408") && answer.contains(part), "{target}: {answer}");
    }
}

#[tokio::test]
async fn an_upload_that_drips_is_refused() {
    let app = impatient(1).await;
    let chunks = stream::iter(0..100).then(async |number: u8| {
        tokio::time::sleep(Duration::from_millis(100)).await;
        Ok::<_, std::io::Error>(vec![number; 100].into())
    });
    let body = PostTempAttachmentBody { file: Part::stream("drips.bin", chunks) };
    let request = PostTempAttachment { module_id: 1, idempotency_key: None, body };
    let error = app.client().attachments().post_temp_attachment(request).await.expect_err("too slow");
    assert_eq!(refusal(error).0, 408);
}

#[tokio::test]
async fn a_connection_without_a_request_is_closed() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let app = App::start_with(|config| {
        (config.bounds.head, config.bounds.idle) = (Duration::from_secs(1), Duration::from_secs(1));
        // A connection stays open for as long as a request may take.
        config.limits.request_seconds = 1;
    })
    .await;
    // `P` could become `POST` or the preface of HTTP/2.
    for sent in ["", "P", "GET /healthz HTTP/1.1\r\nhost"] {
        let mut stream = tokio::net::TcpStream::connect(app.address).await.expect("connected");
        stream.write_all(sent.as_bytes()).await.expect("written");
        let mut answer = Vec::new();
        // An orderly close and a reset are the same here.
        let _ = answered(stream.read_to_end(&mut answer)).await;
    }
}
