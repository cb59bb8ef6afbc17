//! The examples of docs/server.md.
#![allow(dead_code, reason = "it is compiled")]

use std::error::Error;
use std::fmt;
use std::time::Duration;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use generated_server::OPENAPI;
use generated_server::attachments::PostAttachment;
use generated_server::colors_lookup::{ColorsLookup, router};
use generated_server::runtime::server::{Call, Failure, Limits, Operation, Options, problem};
use generated_server::security::{Authenticator, Credentials};
use http::StatusCode;

#[derive(Clone)]
struct MyCaller;

struct Tokens;

impl Authenticator for Tokens {
    type Principal = MyCaller;

    async fn authenticate(
        &self,
        credentials: Credentials,
        _scopes: &'static [&'static str],
        _call: Call<()>,
    ) -> Result<MyCaller, Failure> {
        match credentials {
            Credentials::BearerAuth(bearer) if bearer.token == "secret" => Ok(MyCaller),
            Credentials::BearerAuth(_) => Err(Failure::unauthorized("the token is not known").into()),
        }
    }
}

#[derive(Debug)]
enum StoreError {
    NotFound,
    Busy,
}

impl fmt::Display for StoreError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, formatter)
    }
}

impl Error for StoreError {}

fn failures() {
    let options = Options::default()
        .map_error(|error: StoreError| match error {
            StoreError::NotFound => Failure::new(StatusCode::NOT_FOUND, "there is no such record"),
            StoreError::Busy => Failure::unavailable(2).into(),
        })
        .render(|failure, context| {
            if let Some(cause) = failure.source() {
                eprintln!("{} {}: {cause}", context.method(), context.uri());
            }
            problem(failure)
        });

    drop(options);
}

fn limits() {
    let options = Options::default()
        .limits(Limits { body: 64 * 1024, ..Limits::default() })
        .limits_of::<PostAttachment>(Limits { upload: 1024 * 1024 * 1024, ..Limits::default() })
        .keep_alive(Duration::from_secs(5));

    drop(options);
}

fn checked_responses() {
    let options = Options::default().check_responses(OPENAPI);

    drop(options);
}

fn queries() {
    let options = Options::default()
        .refuse_unknown_query() // 400: `Nmae` is unknown; did you mean `Name`?
        .ignore_empty_query_values(); // `?Name=` is the same as no `Name`

    drop(options);
}

async fn serve<S: ColorsLookup<Principal = MyCaller>>(service: S, options: Options) -> Result<(), Box<dyn Error>> {
    let app: axum::Router = router(service, Tokens, &options);
    let app = app.layer(axum::middleware::from_fn(async |request: Request, next: Next| {
        let path = request.uri().path().to_owned();
        let response = next.run(request).await;
        println!("{path}: {}", response.status());
        response
    }));
    axum::serve(tokio::net::TcpListener::bind("127.0.0.1:8080").await?, app).await?;
    Ok(())
}

fn nested<S: ColorsLookup<Principal = MyCaller>>(service: S) {
    let options = Options::default();

    let app = axum::Router::new().nest("/api/v3", router(service, Tokens, &options));

    drop(app);
}

async fn log(request: Request, next: Next) -> Response {
    let operation = request.extensions().get::<&'static Operation>().map_or("", |operation| operation.id);
    let response = next.run(request).await;
    println!("{operation}: {}", response.status());
    response
}

fn layers() {
    let options = Options::default().wrap_operations(|route, operation| match operation.tag {
        "health" => route,
        _ => route.layer(axum::middleware::from_fn(log)),
    });

    drop(options);
}
