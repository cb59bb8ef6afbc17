//! Bodies: media types, limits, streams.

use axum::body::Body;
use bytes::Bytes;
use http::StatusCode;

use crate::accounts::CreateAccount;
use crate::runtime::server::{Limits, Options};
use crate::service::{Doorkeeper, Service, request, send, send_to};

const ACCOUNT: &str = r#"{"Name":"acme"}"#;

#[tokio::test]
async fn media_types_are_matched_without_their_parameters() {
    for content_type in ["application/json; charset=utf-8", "APPLICATION/JSON", "application/merge-patch+json"] {
        let answer = send("POST /accounts", &[&format!("Content-Type: {content_type}")], ACCOUNT).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{content_type}");
    }
}

#[tokio::test]
async fn other_media_types_are_refused() {
    for headers in [vec!["Content-Type: text/plain"], vec![]] {
        let answer = send("POST /accounts", &headers, ACCOUNT).await;
        assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
        assert_eq!(answer.header("accept"), "application/json, application/*+json");
    }
}

#[tokio::test]
async fn a_body_that_says_it_is_too_large_is_not_read() {
    let unread = Body::from_stream(Never);
    let headers = ["Authorization: Bearer secret", "Content-Type: application/json", "Content-Length: 2000000"];
    let answer = send_to(crate::service::app(), request("POST /accounts", &headers, unread)).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn a_body_that_does_not_say_so_is_read_up_to_the_limit() {
    let limits = Limits { body: 20, upload: 5, parts: 1 };
    let options = Options::default().limits(Limits { body: 0, ..limits }).limits_of::<CreateAccount>(limits);
    let app = crate::router::router(Service, Doorkeeper, &options);
    let headers = ["Authorization: Bearer secret", "Content-Type: application/json"];
    for (text, status) in [
        (vec!["{\"Name\":", "\"acme\"}"], StatusCode::CREATED),
        (vec!["{\"Name\":", "\"acme and sons\"}"], StatusCode::PAYLOAD_TOO_LARGE),
    ] {
        let answer = send_to(app.clone(), request("POST /accounts", &headers, pieces(text))).await;
        assert_eq!(answer.status, status);
    }

    let headers = ["Authorization: Bearer secret", "Content-Type: image/png"];
    let answer = send_to(app, request("PUT /accounts/7/picture", &headers, pieces(vec!["abc", "def"]))).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE, "{}", answer.text);
}

#[tokio::test]
async fn streams_arrive_while_the_operation_runs() {
    let headers = ["Authorization: Bearer secret", "Content-Type: image/png"];
    let body = pieces(vec!["abc", "def", "g"]);
    let answer = send_to(crate::service::app(), request("PUT /accounts/%C3%A4/picture", &headers, body)).await;
    assert!(answer.text.contains("ä image/png 7"), "{}", answer.text);
}

#[tokio::test]
async fn an_optional_body_may_be_left_out() {
    let answer = send("PUT /accounts/7/picture", &[], "").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert!(answer.text.contains("there is no picture 7"), "{}", answer.text);
}

#[tokio::test]
async fn downloads_carry_what_the_service_says_of_them() {
    let answer = send("GET /reports/whole.txt", &[], "").await;
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "application/octet-stream"));

    let answer = send("GET /reports/part.csv", &[], "").await;
    assert_eq!((answer.status, answer.text.as_str()), (StatusCode::PARTIAL_CONTENT, "bcd"));
    assert_eq!(answer.header("content-range"), "bytes 1-3/10");
    assert_eq!(answer.header("content-type"), "text/csv");
}

/// A body in chunks of unknown total length.
pub(crate) fn pieces(pieces: Vec<&'static str>) -> Body {
    Body::from_stream(Pieces(pieces.into_iter()))
}

struct Pieces(std::vec::IntoIter<&'static str>);

impl futures_core::Stream for Pieces {
    type Item = Result<Bytes, std::convert::Infallible>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        std::task::Poll::Ready(self.0.next().map(|piece| Ok(Bytes::from(piece))))
    }
}

/// A body that must not be read.
struct Never;

impl futures_core::Stream for Never {
    type Item = Result<Bytes, std::convert::Infallible>;

    fn poll_next(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        unreachable!("the body is read")
    }
}
