//! Transports in place of the connection pool, and around it.

use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body as AxumBody;
use axum::response::IntoResponse;
use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body_util::BodyExt;
use tower::{Service, ServiceBuilder, service_fn};

use crate::accounts::{CreateAccount, FollowAccounts, GetAccount};
use crate::files::{GetFile, PutFile};
use crate::models::Account;
use crate::runtime::client::{Body, Credential, Error, IntoTransport, Operation, Retry};
use crate::script::{Script, json, reply};
use crate::security::{API_KEY, BEARER_AUTH};
use crate::{Client, ClientBuilder};

const ACME: &str = r#"{"id": 7, "name": "Acme"}"#;

fn builder() -> ClientBuilder {
    let builder = Client::builder("https://example.com/v1").expect("a URL");
    let builder = builder.credential(&BEARER_AUTH, Credential::bearer("secret"));
    builder.credential(&API_KEY, Credential::api_key("key"))
}

fn client(transport: impl IntoTransport) -> Client {
    builder().transport(transport).build().expect("a client")
}

fn get() -> GetAccount {
    GetAccount { id: "7".to_owned() }
}

fn create() -> CreateAccount {
    CreateAccount { body: Account { id: 7, name: "Acme".to_owned() } }
}

fn fast() -> Retry {
    Retry { first_delay: Duration::from_millis(1), ..Retry::default() }
}

fn answer(body: &str) -> Response<String> {
    Response::builder().header("content-type", "application/json").body(body.to_owned()).expect("a response")
}

/// Where services note what went through them.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn note(&self, line: String) {
        self.0.lock().expect("not poisoned").push(line);
    }

    fn taken(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("not poisoned"))
    }

    fn request(&self, request: &Request<reqwest::Body>) {
        let operation = request.extensions().get::<&'static Operation>().expect("it knows the operation");
        self.note(format!("{} {} {}", operation.id, request.method(), request.uri()));
    }
}

#[tokio::test]
async fn a_closure_answers() {
    let log = Log::default();
    let client = client(service_fn({
        let log = log.clone();
        move |request: Request<reqwest::Body>| {
            log.request(&request);
            log.note(format!("{:?}", request.headers()["authorization"]));
            async move {
                let (parts, body) = request.into_parts();
                let sent = body.collect().await?.to_bytes();
                Ok::<_, reqwest::Error>(match parts.method {
                    Method::POST if sent == br#"{"id":7,"name":"Acme"}"#.as_slice() => {
                        let mut created = answer(ACME);
                        *created.status_mut() = StatusCode::CREATED;
                        created
                    }
                    _ => answer(ACME),
                })
            }
        }
    }));
    let accounts = client.accounts();
    let found = accounts.get_account(get()).with_response().await.expect("an account");
    assert_eq!((found.value.name.as_str(), found.url().as_str()), ("Acme", "https://example.com/v1/accounts/7"));
    let created = accounts.create_account(create()).raw().await.expect("an answer");
    assert_eq!(created.status, StatusCode::CREATED);
    let said = log.taken();
    assert_eq!(said[0], "getAccount GET https://example.com/v1/accounts/7");
    assert!(said[1].contains("Sensitive"), "{said:?}");
    assert_eq!(said[2], "createAccount POST https://example.com/v1/accounts");
}

#[tokio::test]
async fn repetitions_and_pages_go_through_it_too() {
    let log = Log::default();
    let answers = Arc::new(Mutex::new(vec![
        answer(r#"{"data": [{"id": 2, "name": "b"}], "meta": {}}"#),
        answer(r#"{"data": [{"id": 1, "name": "a"}], "meta": {"next": "1"}}"#),
        Response::builder().status(503).body(String::new()).expect("a response"),
    ]));
    let client = client(service_fn({
        let log = log.clone();
        move |request: Request<reqwest::Body>| {
            log.request(&request);
            let answer = answers.lock().expect("not poisoned").pop();
            std::future::ready(answer.ok_or(io::Error::other("nothing is left")))
        }
    }));
    let call = client.accounts().follow_accounts(FollowAccounts::default()).retry(fast());
    let ids: Vec<_> = call.items().try_collect().await.expect("items").into_iter().map(|item| item.id).collect();
    assert_eq!(ids, [1, 2]);
    let first = "followAccounts GET https://example.com/v1/accounts/cursor";
    assert_eq!(log.taken(), [first, first, &format!("{first}?after=1")]);
}

#[derive(Clone, Debug, PartialEq)]
struct Unplugged(u32);

impl std::fmt::Display for Unplugged {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("unplugged")
    }
}

impl std::error::Error for Unplugged {}

/// Takes no request.
#[derive(Clone)]
struct Unready;

impl Service<Request<reqwest::Body>> for Unready {
    type Response = Response<String>;
    type Error = Unplugged;
    type Future = std::future::Pending<Result<Response<String>, Unplugged>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Unplugged>> {
        Poll::Ready(Err(Unplugged(4)))
    }

    fn call(&mut self, _: Request<reqwest::Body>) -> Self::Future {
        std::future::pending()
    }
}

#[tokio::test]
async fn its_failures_are_causes() {
    let client = client(service_fn(|_: Request<reqwest::Body>| async { Err::<Response<String>, _>(Unplugged(3)) }));
    let accounts = client.accounts();
    let error = accounts.get_account(get()).retry(fast()).await.expect_err("it fails");
    assert_eq!(error.to_string(), "GET /accounts/{id} got no answer in 3 attempts");
    let cause = std::error::Error::source(&error).and_then(|cause| cause.downcast_ref());
    assert_eq!(cause, Some(&Unplugged(3)));
    match &error {
        Error::Transport(error) => assert!(error.reqwest().is_none() && !error.is_connect() && !error.is_timeout()),
        other => panic!("{other:?}"),
    }
    // The request may have been sent.
    let error = accounts.create_account(create()).retry(fast()).await.expect_err("it fails");
    assert_eq!(error.to_string(), "POST /accounts got no answer");

    let client = builder().retry(Retry::never()).transport(Unready).build().expect("a client");
    let error = client.accounts().get_account(get()).await.expect_err("it fails");
    assert_eq!(std::error::Error::source(&error).and_then(|cause| cause.downcast_ref()), Some(&Unplugged(4)));
}

#[tokio::test]
async fn time_is_kept_around_it() {
    let client =
        client(service_fn(|_: Request<reqwest::Body>| std::future::pending::<Result<Response<String>, Infallible>>()));
    let call = client.accounts().get_account(get()).timeout(Duration::from_millis(20));
    assert!(call.await.expect_err("it never answers").is_timeout());

    // The body counts, too.
    let client = builder().transport(service_fn(|_: Request<reqwest::Body>| async {
        let body = AxumBody::from_stream(Never);
        Ok::<_, Infallible>(([("content-type", "application/json")], body).into_response())
    }));
    let client = client.timeout(Duration::from_millis(20)).build().expect("a client");
    assert!(client.accounts().get_account(get()).await.expect_err("it never ends").is_timeout());
}

struct Never;

impl futures_core::Stream for Never {
    type Item = io::Result<Bytes>;

    fn poll_next(self: std::pin::Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Pending
    }
}

#[tokio::test]
async fn bodies_stream_through_it() {
    let client = client(service_fn(|request: Request<reqwest::Body>| async move {
        let (parts, body) = request.into_parts();
        Ok::<_, Infallible>(match parts.method {
            // What was sent comes back as it arrives.
            Method::GET => ([("content-type", "image/png")], AxumBody::from_stream(Never)).into_response(),
            _ => match AxumBody::new(body).collect().await {
                Ok(body) => (StatusCode::OK, format!("{:?}", body.to_bytes())).into_response(),
                Err(error) => (StatusCode::BAD_REQUEST, format!("{error:?}")).into_response(),
            },
        })
    }));
    let files = client.files();
    let mut download = files.get_file(GetFile { name: "a".to_owned() }).await.expect("a download");
    assert!(tokio::time::timeout(Duration::from_millis(20), download.chunk()).await.is_err());

    let path = std::env::temp_dir().join(format!("client-transport-{}", std::process::id()));
    std::fs::write(&path, "from a file").expect("a file");
    let body = Body::file(&path).await.expect("it is there");
    let sent = files.put_file(PutFile { name: "a".to_owned(), body }).raw().await.expect("an answer");
    std::fs::remove_file(&path).expect("it is there");
    assert_eq!((sent.status, sent.text().as_ref()), (StatusCode::OK, "b\"from a file\""));
}

#[tokio::test]
async fn layers_go_around_the_connection_pool() {
    let script = Script::of([reply(503), json(ACME).header("x-token", "t"), reply(200)]).await;
    let (requests, answers) = (Log::default(), Log::default());
    let builder = script.builder().credential(&API_KEY, Credential::api_key("key")).wrap_transport({
        let (requests, answers) = (requests.clone(), answers.clone());
        move |pool| {
            ServiceBuilder::new()
                .map_request(move |mut request: Request<reqwest::Body>| {
                    requests.request(&request);
                    request.headers_mut().insert("x-layer", http::HeaderValue::from_static("there"));
                    request
                })
                .map_response(move |response: Response<reqwest::Body>| {
                    answers.note(response.status().to_string());
                    response
                })
                .service(pool)
        }
    });
    let outer = Log::default();
    let builder = builder.wrap_transport({
        let outer = outer.clone();
        move |inner| {
            let note = move |request: Request<reqwest::Body>| {
                outer.note(format!("{:?}", request.headers().get("x-layer")));
                request
            };
            ServiceBuilder::new().map_request(note).service(inner)
        }
    });
    let client = builder.build().expect("a client");
    let found = client.accounts().get_account(get()).retry(fast()).with_response().await.expect("an account");
    assert_eq!((found.value.id, found.headers()["x-token"].as_bytes()), (7, b"t".as_slice()));
    assert_eq!(found.url().as_str(), format!("{}/accounts/7", script.url));
    assert!(script.asked().iter().all(|asked| asked.header("x-layer") == "there"));
    assert_eq!(requests.taken().len(), 2);
    assert_eq!(answers.taken(), ["503 Service Unavailable", "200 OK"]);
    assert_eq!(outer.taken(), ["None", "None"]);
}

/// As a layer puts the failure of what is below it into one of its own.
#[derive(Debug)]
struct Layered(Box<dyn std::error::Error + Send + Sync>);

impl std::fmt::Display for Layered {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the layer failed")
    }
}

impl std::error::Error for Layered {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(self.0.as_ref())
    }
}

#[tokio::test]
async fn failures_of_the_connection_pool_are_known_through_layers() {
    let url = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        format!("http://{}", listener.local_addr().expect("it is bound"))
    };
    let builder = Client::builder(&url).expect("a URL").credential(&BEARER_AUTH, Credential::bearer("secret"));
    let builder = builder.wrap_transport(|pool| ServiceBuilder::new().map_err(Layered).service(pool));
    let client = builder.retry(fast()).build().expect("a client");
    match client.accounts().create_account(create()).await {
        // What was never sent is sent again, whatever its method.
        Err(Error::Transport(error)) => assert!(error.is_connect() && error.attempts() == 3, "{error:?}"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn redirections_are_followed_below_the_layers() {
    let script = Script::of([reply(307).header("location", "{url}/elsewhere"), json(ACME)]).await;
    let client = script.builder().wrap_transport(|pool| pool).build().expect("a client");
    let found = client.accounts().get_account(get()).with_response().await.expect("an account");
    assert_eq!(found.url().path(), "/elsewhere");
}
