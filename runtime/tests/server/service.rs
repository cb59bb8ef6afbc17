//! The service and the authenticator behind the tests, and how requests are sent to them.

use axum::Router;
use axum::body::Body;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use tower::ServiceExt;

use crate::accounts::{
    Accounts, Attach, AttachPart, CancelJob, CreateAccount, CreateAccountError, CreateAccountResponse, DownloadReport,
    ListAccounts, QueryJob, ReadPage, ReplacePicture, StartJob,
};
use crate::models::Account;
use crate::runtime::server::{Call, Download, Failure, Options};
use crate::security::{Authenticator, Credentials};

/// Answers with what it was asked.
#[derive(Debug)]
pub(crate) struct Service;

/// Accepts the token `secret`, and the key `key` together with the password `word`.
#[derive(Debug)]
pub(crate) struct Doorkeeper;

impl Accounts for Service {
    type Principal = String;

    async fn list_accounts(
        &self,
        call: Call<String>,
        request: ListAccounts,
    ) -> Result<Vec<Account>, Failure<ListAccounts>> {
        let ListAccounts { page_size, ids, x_since } = request;
        let caller = call.principal();
        Ok(vec![Account { name: format!("{caller} {page_size:?} {ids:?} {x_since:?}"), employees: None }])
    }

    async fn create_account(
        &self,
        _: Call<String>,
        request: CreateAccount,
    ) -> Result<CreateAccountResponse, Failure<CreateAccount>> {
        let body = request.body;
        match body.name.as_str() {
            "taken" => Err(CreateAccountError::Conflict(body).into()),
            "teapot" => Err(CreateAccountError::Default { status: StatusCode::IM_A_TEAPOT })?,
            "broken" => Err(std::io::Error::other("the disk is on fire"))?,
            "later" => Ok(CreateAccountResponse::Accepted),
            name => Ok(CreateAccountResponse::Created { location: format!("/accounts/{name}\r\nx: y"), body }),
        }
    }

    async fn replace_picture(&self, _: Call<String>, request: ReplacePicture) -> Result<(), Failure<ReplacePicture>> {
        let Some(body) = request.body else { return Err(Failure::not_found("picture", request.account_id).into()) };
        let content_type = body.content_type().unwrap_or_default().to_owned();
        let length = body.bytes().await?.len();
        Err(Failure::conflict(format!("{} {content_type} {length}", request.account_id)).into())
    }

    async fn attach(&self, _: Call<String>, mut request: Attach) -> Result<String, Failure<Attach>> {
        let mut seen = Vec::new();
        while let Some(part) = request.body.next().await? {
            seen.push(match part {
                AttachPart::FormFile(file) if file.file_name() == Some("dropped.txt") => "dropped".to_owned(),
                AttachPart::FormFile(mut file) => {
                    let mut length = 0;
                    while let Some(chunk) = file.chunk().await? {
                        length += chunk.len();
                    }
                    format!("{:?} {:?} {length}", file.file_name(), file.content_type())
                }
                AttachPart::Tags(tag) => tag,
                AttachPart::Owner(owner) => owner.name,
            });
        }
        Ok(format!("{}: {}", request.account_id, seen.join(", ")))
    }

    async fn download_report(&self, _: Call<()>, request: DownloadReport) -> Result<Download, Failure<DownloadReport>> {
        match request.name.as_str() {
            "part" => Ok(Download::bytes("bcd").content_type("text/csv").partial(&(1..=3), 10)),
            name => Ok(Download::bytes(format!("{name} as {}", request.extension))),
        }
    }

    async fn read_page(&self, call: Call<Option<String>>, request: ReadPage) -> Result<String, Failure<ReadPage>> {
        Ok(format!("{} for {:?}", request.page, call.principal()))
    }

    async fn start_job(&self, _: Call<()>, request: StartJob) -> Result<(), Failure<StartJob>> {
        if request.job_id == 7 { Ok(()) } else { Err(Failure::not_found("job", request.job_id).into()) }
    }

    async fn query_job(&self, _: Call<()>, _: QueryJob) -> Result<(), Failure<QueryJob>> {
        Ok(())
    }

    async fn cancel_job(&self, call: Call<()>, _: CancelJob) -> Result<(), Failure<CancelJob>> {
        Err(Failure::not_implemented(call.operation().id).into())
    }
}

impl Authenticator for Doorkeeper {
    type Principal = String;

    async fn authenticate(
        &self,
        credentials: Credentials,
        scopes: &'static [&'static str],
        call: Call<()>,
    ) -> Result<String, Failure> {
        match credentials {
            Credentials::Token(token) if token.token == "secret" => Ok("token".to_owned()),
            Credentials::Token(token) if token.token == "reader" && scopes == ["accounts:read"] => {
                Ok("reader".to_owned())
            }
            Credentials::Token(token) if token.token == "reader" => {
                Err(Failure::forbidden(format!("not allowed to call {}", call.operation().id)).into())
            }
            Credentials::ApiKeyAndUser { api_key, user } if api_key.key == "key" && user.password == "word" => {
                Ok(user.user)
            }
            Credentials::Token(_) | Credentials::ApiKeyAndUser { .. } => {
                Err(Failure::unauthorized("these credentials are wrong").into())
            }
        }
    }
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    /// A header, or nothing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("the header is text"))
    }

    /// `in` or `name`, pointer, code and detail of every violation.
    pub(crate) fn violations(&self) -> Vec<String> {
        let problem: serde_json::Value = serde_json::from_str(&self.text).expect("the answer is JSON");
        let errors = problem["errors"].as_array().expect("there are violations");
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        errors
            .iter()
            .map(|error| ["in", "name", "pointer", "code", "detail"].map(|member| text(&error[member])).join(" "))
            .collect()
    }
}

/// The router, as `main` would make it.
pub(crate) fn app() -> Router {
    crate::router::router(Service, Doorkeeper, &Options::default())
}

/// Sends a request to an app.
pub(crate) async fn send_to(app: Router, request: Request<Body>) -> Answer {
    let response = app.oneshot(request).await.expect("the router does not fail");
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.expect("the body can be read").to_bytes();
    let text = String::from_utf8(bytes.to_vec()).expect("the body is text");
    Answer { status: parts.status, headers: parts.headers, text }
}

/// Sends a request with these headers (`Name: value`) and the token that opens everything.
pub(crate) async fn send(route: &str, headers: &[&str], body: impl Into<Body>) -> Answer {
    let mut all = vec!["Authorization: Bearer secret"];
    all.extend(headers);
    send_to(app(), request(route, &all, body)).await
}

/// A request: `GET /accounts`, headers, body.
pub(crate) fn request(route: &str, headers: &[&str], body: impl Into<Body>) -> Request<Body> {
    let (method, uri) = route.split_once(' ').expect("a method and a path");
    let request = Request::builder().method(method).uri(uri);
    let request = headers.iter().fold(request, |request, header| {
        let (name, value) = header.split_once(": ").expect("a name and a value");
        request.header(name, value)
    });
    request.body(body.into()).expect("the request is well formed")
}
