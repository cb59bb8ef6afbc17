//! What the service responds is printed.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, LINK};
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;

use crate::PROGRAM;
use crate::program::{Run, run};

/// A service that answers some operations with something that is worth a test.
async fn answer(request: Request) -> Response {
    let media_type = |text: &'static str| [(CONTENT_TYPE, text)];
    let query = request.uri().query().unwrap_or_default().to_owned();
    let json = |text: String| (media_type("application/json"), text).into_response();
    match request.uri().path() {
        "/anything" => json("{ \"b\": 1.10, \"a\": [1, 2] }".to_owned()),
        "/bytes" => (media_type("application/octet-stream"), Body::from(vec![0xff, 0, 1, b'\n'])).into_response(),
        "/jobs/1" => (StatusCode::NOT_FOUND, media_type("application/json"), "{\"reason\":\"no job\"}").into_response(),
        "/log" => (StatusCode::NOT_FOUND, media_type("application/json"), "[\"no log\"]").into_response(),
        "/news" => (media_type("text/event-stream"), "data: one\n\ndata: two\n\n").into_response(),
        "/numbered" if query.contains("page=2") => json("{\"items\":[{\"id\":3}],\"meta\":{\"total\":3}}".to_owned()),
        "/numbered" => json("{\"items\":[{\"id\":1},{\"id\":2}],\"meta\":{\"total\":3}}".to_owned()),
        "/cursor" if query.contains("after=two") => json("{\"items\":[{\"id\":2}],\"meta\":{}}".to_owned()),
        "/cursor" => json("{\"items\":[{\"id\":1}],\"meta\":{\"next\":\"two\"}}".to_owned()),
        "/by-url" if query.contains("next") => json("{\"items\":[{\"id\":2}],\"links\":{\"next\":null}}".to_owned()),
        "/by-url" => json("{\"items\":[{\"id\":1}],\"links\":{\"next\":\"/by-url?next\"}}".to_owned()),
        "/after-last" if query.contains("starting_after=1") => {
            json("{\"data\":[{\"id\":2}],\"has_more\":false}".to_owned())
        }
        "/after-last" => json("{\"data\":[{\"id\":1}],\"has_more\":true}".to_owned()),
        "/linked" if query.contains("next") => json("[{\"id\":2}]".to_owned()),
        "/linked" => ([(LINK, "</linked?next>; rel=\"next\"")], json("[{\"id\":1}]".to_owned())).into_response(),
        _ => StatusCode::NO_CONTENT.into_response(),
    }
}

async fn call(words: &[&str]) -> Run {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
    let environment = [("COMPILED_CLI_URL", url.as_str()), ("COMPILED_CLI_BEARER", "hush-hush")];
    let run = run(PROGRAM, words, &environment, "").await;
    assert!(!format!("{run:?}").contains("hush-hush"), "{run:?}");
    run
}

#[tokio::test]
async fn json_keeps_its_order_and_digits() {
    let send = ["bodies", "send-anything", "--body", "{}"];
    assert_eq!(call(&send).await.stdout, "{\"b\":1.10,\"a\":[1,2]}\n");
    assert_eq!(call(&[&send[..], &["-o", "table"]].concat()).await.stdout, "b  1.10\na  [1,2]\n");
    assert_eq!(call(&[&send[..], &["-o", "raw"]].concat()).await.stdout, "{ \"b\": 1.10, \"a\": [1, 2] }");
}

#[tokio::test]
async fn pages_of_every_kind_are_one_list() {
    for (command, expected) in [
        ("list-numbered", "[{\"id\":1},{\"id\":2},{\"id\":3}]\n"),
        ("list-after-cursor", "[{\"id\":1},{\"id\":2}]\n"),
        ("list-by-url", "[{\"id\":1},{\"id\":2}]\n"),
        ("list-after-last", "[{\"id\":1},{\"id\":2}]\n"),
        ("list-linked", "[{\"id\":1},{\"id\":2}]\n"),
    ] {
        let run = call(&["pagination", command, "--all"]).await;
        assert_eq!(run.stdout, expected, "{command}: {run:?}");
    }
    let table = call(&["pagination", "list-numbered", "--limit", "1", "-o", "table"]).await;
    assert_eq!(table.stdout, "ID\n1\n", "{table:?}");
}

#[tokio::test]
async fn streams_are_printed_as_they_are() {
    let news = call(&["streams", "stream"]).await;
    assert_eq!(news.stdout, "data: one\n\ndata: two\n\n", "{news:?}");
}

#[tokio::test]
async fn a_failure_has_status_and_body() {
    let run = call(&["responses", "get-job", "1"]).await;
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_eq!(run.stderr, "error: the service answered 404 Not Found\n{\n  \"reason\": \"no job\"\n}\n");
}

#[tokio::test]
async fn a_default_response_with_a_status_from_400_is_a_failure() {
    let run = call(&["responses", "get-log"]).await;
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{run:?}");
    assert_eq!(run.stderr, "error: the service answered 404 Not Found\n[\n  \"no log\"\n]\n");
}
