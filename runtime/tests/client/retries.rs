//! Retries of calls.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::http::{Request, StatusCode};
use axum::response::IntoResponse;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use tower::service_fn;

use crate::Client;
use crate::accounts::{CreateAccount, GetAccount};
use crate::files::{Attach, AttachBody};
use crate::models::Account;
use crate::runtime::client::{Error, Retry};
use crate::runtime::multipart::Part;
use crate::script::{Reply, Script, json, reply};

const ACME: &str = r#"{"id": 7, "name": "Acme"}"#;

fn get() -> GetAccount {
    GetAccount { id: "7".to_owned() }
}

fn create() -> CreateAccount {
    CreateAccount { body: Account { id: 7, name: "Acme".to_owned() } }
}

fn fast() -> Retry {
    Retry { first_delay: Duration::from_millis(1), ..Retry::default() }
}

fn busy() -> Reply {
    reply(503).body("busy")
}

#[tokio::test]
async fn an_idempotent_call_is_sent_again() {
    let script = Script::of([busy(), reply(429), json(ACME)]).await;
    let account = script.accounts().get_account(get()).retry(fast()).await.unwrap();
    assert_eq!(account.name, "Acme");
    assert_eq!(script.asked().len(), 3);
}

#[tokio::test]
async fn the_last_answer_is_the_one_that_counts() {
    let script = Script::of([busy(), busy(), reply(503).body("still busy"), json(ACME)]).await;
    let error = script.accounts().get_account(get()).retry(fast()).await.unwrap_err();
    assert_eq!(error.bytes().unwrap().as_ref(), b"still busy");
    assert_eq!(script.asked().len(), 3);

    let error = script.accounts().get_account(get()).retry(Retry::never()).await;
    assert!(error.is_ok());
}

#[tokio::test]
async fn other_answers_are_final() {
    let script = Script::of([reply(500), json(ACME)]).await;
    assert!(script.accounts().get_account(get()).retry(fast()).await.is_err());
    assert_eq!(script.asked().len(), 1);
}

#[tokio::test]
async fn a_post_is_sent_again_only_with_a_key() {
    let script = Script::of([busy(), busy(), reply(202)]).await;
    let accounts = script.accounts();
    assert!(accounts.create_account(create()).retry(fast()).await.is_err());
    assert_eq!(script.asked().len(), 1);

    accounts.create_account(create()).retry(fast()).idempotency_key("k1").await.unwrap();
    let asked = script.asked();
    assert_eq!(asked.len(), 2);
    assert!(asked.iter().all(|asked| asked.header("idempotency-key") == "k1"));
    assert!(asked.iter().all(|asked| asked.text() == r#"{"id":7,"name":"Acme"}"#));
}

/// The pauses between the requests of a call; each response has one of these headers, and the last one is an
/// account.
async fn pauses(retry_after: &[&str]) -> Vec<Duration> {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (notes, answers) = (Arc::clone(&asked), retry_after.iter().map(|&text| text.to_owned()).collect::<Vec<_>>());
    let transport = service_fn(move |_: Request<reqwest::Body>| {
        let mut notes = notes.lock().unwrap();
        let answer = match answers.get(notes.len()) {
            Some(retry_after) => (StatusCode::SERVICE_UNAVAILABLE, [("retry-after", retry_after)]).into_response(),
            None => ([("content-type", "application/json")], ACME).into_response(),
        };
        notes.push(tokio::time::Instant::now());
        std::future::ready(Ok::<_, Infallible>(answer))
    });
    let token = crate::runtime::client::Credential::bearer("secret");
    let builder = Client::builder("http://localhost").unwrap().credential(&crate::security::BEARER_AUTH, token);
    let client = builder.transport(transport).build().unwrap();
    client.accounts().get_account(get()).retry(fast()).await.unwrap();
    let asked = asked.lock().unwrap();
    asked.windows(2).map(|both| both[1] - both[0]).collect()
}

#[tokio::test(start_paused = true)]
async fn the_server_says_how_long_to_wait() {
    let pauses: Vec<_> = pauses(&["1", "7"]).await.iter().map(Duration::as_secs).collect();
    assert_eq!(pauses, [1, 7]);
}

#[tokio::test(start_paused = true)]
async fn the_server_says_until_when_to_wait() {
    let soon = (Timestamp::now() + 30.seconds()).to_zoned(TimeZone::UTC);
    let soon = soon.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
    let pauses = pauses(&[&soon, "Sun, 06 Nov 1994 08:49:37 GMT"]).await;
    assert!((1..=30).contains(&pauses[0].as_secs()), "{pauses:?}");
    assert_eq!(pauses[1].as_secs(), 0);
}

#[tokio::test]
async fn a_too_long_retry_after_is_not_waited_for() {
    let script = Script::of([reply(503).header("retry-after", "3600")]).await;
    assert!(script.accounts().get_account(get()).retry(fast()).await.is_err());
    assert_eq!(script.asked().len(), 1);
}

#[tokio::test]
async fn a_response_is_kept_when_the_timeout_leaves_no_retry() {
    let script = Script::of([reply(503).header("retry-after", "10").body("busy")]).await;
    let error = script.accounts().get_account(get()).timeout(Duration::from_secs(5)).await.unwrap_err();
    assert_eq!(error.bytes().unwrap().as_ref(), b"busy");
}

#[tokio::test]
async fn a_connection_that_cannot_be_made_is_tried_again() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let token = crate::runtime::client::Credential::bearer("secret");
    let client = Client::builder(&url).unwrap().credential(&crate::security::BEARER_AUTH, token);
    let client = client.retry(fast()).build().unwrap();
    match client.accounts().create_account(create()).await {
        Err(Error::Transport(error)) => {
            assert_eq!(error.attempts(), 3);
            assert!(error.to_string().contains("in 3 attempts"), "{error}");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_stream_is_sent_once_and_bytes_again() {
    let script = Script::of([busy(), busy(), reply(200).body("ok")]).await;
    let files = script.files();
    let chunk = || std::io::Result::Ok(bytes::Bytes::from_static(b"chunk"));
    let attach =
        |file| Attach { name: "a".to_owned(), body: AttachBody { file, note: None, owner: None, more: Vec::new() } };

    let streamed = attach(Part::stream("a.txt", tokio_stream_of([chunk(), chunk()])));
    assert!(files.attach(streamed).retry(fast()).idempotency_key("k").await.is_err());
    assert_eq!(script.asked().len(), 1);

    let held = attach(Part::bytes("a.txt", "text"));
    assert_eq!(files.attach(held).retry(fast()).idempotency_key("k").await.unwrap(), "ok");
    let asked = script.asked();
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[0].text(), asked[1].text());
}

/// A stream of items that are ready.
fn tokio_stream_of<T: Unpin, const N: usize>(items: [T; N]) -> impl futures_core::Stream<Item = T> {
    struct Items<I>(I);

    impl<I: Iterator + Unpin> futures_core::Stream for Items<I> {
        type Item = I::Item;

        fn poll_next(
            mut self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<I::Item>> {
            std::task::Poll::Ready(self.0.next())
        }
    }

    Items(items.into_iter())
}
