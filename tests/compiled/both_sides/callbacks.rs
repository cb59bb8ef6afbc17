//! A caller registers its URL, and the generated receiver checks what the service sends there.

use std::sync::{Arc, Mutex, PoisonError};

use compiled_client::callbacks::{StartExport, StartImport, StartImportBody};
use compiled_client::models::{
    Export as ReceivedExport, ExportState as ReceivedState, FinishedResponse, StartExportBody, StartImportBodyForm,
    StartImportBodyJson,
};
use compiled_client::runtime::server as receiver;
use compiled_client::webhooks;
use compiled_server::callbacks::{self, Callbacks, StartImportResponse};
use compiled_server::models::{Export, ExportState, StartExportBody as SentBody, StartImportSuccessResponse};
use compiled_server::runtime::server::{Call, Failure, Options};
use compiled_server::webhooks::Client as Sender;
use compiled_server::webhooks::callbacks::Finished;
use http::StatusCode;
use tokio::sync::mpsc;

use crate::echo::{client_of, serve};

/// The result of a callback: whether the receiver kept it, or the status and text of its refusal.
type Outcome = Result<bool, (u16, String)>;

/// Sends `files` to every caller that starts an export.
struct Exports {
    delivery: i64,
    files: Vec<String>,
    password: &'static str,
    outcomes: mpsc::UnboundedSender<Outcome>,
}

impl Callbacks for Exports {
    async fn start_export(
        &self,
        _: Call<()>,
        request: callbacks::StartExport,
    ) -> Result<Export, Failure<callbacks::StartExport>> {
        let Some(url) = request.finished_url() else {
            return Err(Failure::bad_request("there is no URL").into());
        };
        let sender = Sender::sender().basic("exports", self.password).build()?;
        let body = Export { id: 7, state: ExportState::Done, files: Some(self.files.clone()) };
        let finished = Finished { x_delivery: self.delivery, body };
        let outcomes = self.outcomes.clone();
        tokio::spawn(async move {
            let answer = sender.callbacks().finished(url, finished).await;
            let outcome = answer.map(|answer| answer.kept).map_err(|error| {
                let text = error.bytes().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
                (error.status().map_or(0, |status| status.as_u16()), text.unwrap_or_else(|| error.to_string()))
            });
            outcomes.send(outcome)
        });
        Ok(Export::new(7, ExportState::Running))
    }

    async fn start_import(
        &self,
        _: Call<()>,
        request: callbacks::StartImport,
    ) -> Result<StartImportResponse, Failure<callbacks::StartImport>> {
        let body = StartImportSuccessResponse { calls: request.imported_url(), count_url: None };
        Ok(StartImportResponse { status: StatusCode::ACCEPTED, x_rows: 3, body })
    }
}

/// Records received callbacks.
#[derive(Clone, Default)]
struct Listener {
    heard: Arc<Mutex<Vec<(i64, ReceivedExport)>>>,
}

impl webhooks::callbacks::Callbacks for Listener {
    type Principal = String;

    async fn finished(
        &self,
        call: receiver::Call<String>,
        request: webhooks::callbacks::Finished,
    ) -> Result<FinishedResponse, receiver::Failure<webhooks::callbacks::Finished>> {
        assert_eq!(call.principal(), "exports");
        if request.x_delivery == 99 {
            return Err(webhooks::callbacks::FinishedError::Gone.into());
        }
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).push((request.x_delivery, request.body));
        Ok(FinishedResponse { kept: true })
    }

    async fn progress(
        &self,
        _: receiver::Call<String>,
        _: webhooks::callbacks::Progress,
    ) -> Result<(), receiver::Failure<webhooks::callbacks::Progress>> {
        Ok(())
    }

    async fn imported(
        &self,
        _: receiver::Call<String>,
        _: webhooks::callbacks::Imported,
    ) -> Result<(), receiver::Failure<webhooks::callbacks::Imported>> {
        Ok(())
    }

    async fn counted(
        &self,
        _: receiver::Call<String>,
        _: webhooks::callbacks::Counted,
    ) -> Result<(), receiver::Failure<webhooks::callbacks::Counted>> {
        Ok(())
    }
}

struct Passwords;

impl webhooks::security::Authenticator for Passwords {
    type Principal = String;

    async fn authenticate(
        &self,
        credentials: webhooks::security::Credentials,
        _: &'static [&'static str],
        _: receiver::Call<()>,
    ) -> Result<String, receiver::Failure> {
        let webhooks::security::Credentials::Basic(basic) = credentials;
        if basic.password == "right" {
            Ok(basic.user)
        } else {
            Err(receiver::Failure::unauthorized("who is this?").into())
        }
    }
}

/// Starts an export whose callback goes to `listener`, and waits for the result.
async fn outcome(listener: &Listener, delivery: i64, files: &[&str], password: &'static str) -> Outcome {
    let (outcomes, mut outcome) = mpsc::unbounded_channel();
    let files = files.iter().map(|&file| file.to_owned()).collect();
    let exports = Exports { delivery, files, password, outcomes };
    let client = client_of(callbacks::router(exports, &Options::default())).await;
    let router = webhooks::router(listener.clone(), Passwords, &receiver::Options::default());
    let address = serve(axum::Router::new().nest("/hooks", router)).await;

    let body = StartExportBody { callback_url: format!("{address}/hooks/finished") };
    let begun = client.callbacks().start_export(StartExport { progress_url: None, body }).await.expect("it begins");
    assert_eq!(begun.state, ReceivedState::Running);
    outcome.recv().await.expect("something is sent")
}

#[tokio::test]
async fn a_callback_arrives_at_the_url_that_the_caller_gave() {
    let listener = Listener::default();
    assert_eq!(outcome(&listener, 3, &["a.csv"], "right").await, Ok(true));
    let heard = listener.heard.lock().expect("not poisoned").clone();
    let export = ReceivedExport { id: 7, state: ReceivedState::Done, files: Some(vec!["a.csv".to_owned()]) };
    assert_eq!(heard, [(3, export)]);
}

#[test]
fn the_url_of_a_callback_is_computed() {
    let body = SentBody { callback_url: "https://a.example/{a}".to_owned() };
    let request = callbacks::StartExport { progress_url: Some("https://a.example/b".to_owned()), body };
    let export = Export::new(7, ExportState::Running);
    assert_eq!(request.finished_url().as_deref(), Some("https://a.example/{a}"));
    assert_eq!(request.progress_url(&export, 202).as_deref(), Some("https://a.example/b?of=7&at=202"));
    let request = callbacks::StartExport { progress_url: None, ..request };
    assert_eq!(request.progress_url(&export, 202), None);

    let mut response = StartImportResponse {
        status: StatusCode::ACCEPTED,
        x_rows: 3,
        body: StartImportSuccessResponse { calls: None, count_url: Some("https://a.example/c".to_owned()) },
    };
    let url = |response: &StartImportResponse| {
        callbacks::StartImport::default().counted_url(&response.body, response.status.as_u16())
    };
    assert_eq!(url(&response).as_deref(), Some("https://a.example/c?at=202"));
    response.body.count_url = None;
    assert_eq!(url(&response), None);
}

#[tokio::test]
async fn the_url_of_a_callback_is_read_from_each_content_that_has_it() {
    let (outcomes, _) = mpsc::unbounded_channel();
    let exports = Exports { delivery: 1, files: Vec::new(), password: "right", outcomes };
    let client = client_of(callbacks::router(exports, &Options::default())).await;
    let url = "https://a.example/done";
    for (body, expected) in [
        (Some(StartImportBody::Json(StartImportBodyJson { done_url: Some(url.to_owned()) })), Some(url)),
        (Some(StartImportBody::Json(StartImportBodyJson { done_url: None })), None),
        (Some(StartImportBody::Form(StartImportBodyForm { done_url: url.to_owned() })), Some(url)),
        (Some(StartImportBody::Text("a;b".to_owned())), None),
        (None, None),
    ] {
        let answer = client.callbacks().start_import(StartImport { body }).await.expect("it begins");
        assert_eq!((answer.status.as_u16(), answer.x_rows.ok()), (202, Some(3)));
        assert_eq!(answer.body.calls, expected.map(|url| format!("{url}?by=POST")));
    }
}

#[tokio::test]
async fn a_callback_that_breaks_the_description_is_refused() {
    let listener = Listener::default();
    for (delivery, file, password, expected, part) in [
        (3, "", "right", 422, "/files/0"),
        (3, "none", "right", 422, "/files/0"),
        (0, "a.csv", "right", 400, "X-Delivery"),
        (3, "a.csv", "wrong", 401, "who is this?"),
        (99, "a.csv", "right", 410, ""),
    ] {
        let (status, text) = outcome(&listener, delivery, &[file], password).await.expect_err("it is refused");
        assert_eq!(status, expected, "{text}");
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(listener.heard.lock().expect("not poisoned").is_empty());
}

#[tokio::test]
async fn a_receiver_is_stricter_than_a_caller_with_the_same_model() {
    let listener = Listener::default();
    let router = webhooks::router(listener, Passwords, &receiver::Options::default());
    let address = serve(router).await;
    let post = async |body: &'static str| {
        let request = reqwest::Client::new().post(format!("{address}/finished")).basic_auth("exports", Some("right"));
        let request = request.header("x-delivery", "1").header("content-type", "application/json").body(body);
        let answer = request.send().await.expect("the receiver answers");
        (answer.status().as_u16(), answer.text().await.expect("it is text"))
    };
    assert_eq!(post(r#"{"id":1,"state":"done"}"#).await.0, 200);
    for (body, part) in [
        (r#"{"id":1,"state":"paused"}"#, "/state"),
        (r#"{"id":1,"state":"done","more":1}"#, "/more"),
        (r#"{"id":1,"state":"done","files":null}"#, "/files"),
        (r#"{"id":1}"#, "/state"),
    ] {
        let (status, text) = post(body).await;
        assert_eq!(status, 422, "{body}: {text}");
        assert!(text.contains(part), "{part} is not in {text}");
    }

    let newer = async || {
        let body = r#"{"id":1,"state":"paused","more":1,"files":null}"#;
        (http::StatusCode::ACCEPTED, [("content-type", "application/json")], body)
    };
    let client = client_of(axum::Router::new().route("/exports", axum::routing::post(newer))).await;
    let request = StartExportBody::new("http://localhost");
    let export = client.callbacks().start_export(request).await.expect("it is read");
    assert_eq!((export.state.as_str(), export.files), ("paused", None));
}

#[tokio::test]
async fn a_callback_goes_nowhere_but_to_http() {
    let sender = Sender::sender().basic("exports", "right").build().expect("the settings are right");
    let finished = || Finished::new(1, Export::new(1, ExportState::Failed));
    for (url, reason) in [("ftp://example.com", "scheme"), ("/hooks", "base"), ("", "base")] {
        let error = sender.callbacks().finished(url, finished()).await.expect_err("it cannot be sent");
        let mut text = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(cause) = source {
            text = format!("{text}: {cause}");
            source = cause.source();
        }
        assert!(text.contains(reason), "{url}: {text}");
    }
}

/// A secret of Standard Webhooks.
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

#[tokio::test]
async fn a_receiver_with_secrets_refuses_what_is_not_signed_by_one_of_them() {
    let signatures = receiver::Signatures::new("bmV3ZXIgc2VjcmV0").and_then(|newer| newer.or(SECRET));
    let options = receiver::Options::default().signatures(signatures.expect("both are base64"));
    let listener = Listener::default();
    let address = serve(webhooks::router(listener.clone(), Passwords, &options)).await;

    let body = r#"{"id":1,"state":"done"}"#;
    let send = async |sent: &'static str, secret: &str, seconds_ago: i64| {
        let timestamp = jiff::Timestamp::now().as_second() - seconds_ago;
        let webhook = standardwebhooks::Webhook::new(secret).expect("the secret is base64");
        let signature = webhook.sign("msg_1", timestamp, body.as_bytes()).expect("the body is text");
        let request = reqwest::Client::new().post(format!("{address}/finished")).basic_auth("exports", Some("right"));
        let request = request.header("x-delivery", "1").header("content-type", "application/json");
        let request = request.header("webhook-id", "msg_1").header("webhook-timestamp", timestamp);
        let request = request.header("webhook-signature", format!("v1a,AAAA {signature}")).body(sent);
        request.send().await.expect("the receiver answers").status().as_u16()
    };
    assert_eq!(send(body, SECRET, 0).await, 200);
    assert_eq!(send(body, "bmV3ZXIgc2VjcmV0", 0).await, 200);
    let heard = || listener.heard.lock().expect("not poisoned").len();
    assert_eq!(heard(), 2);

    assert_eq!(send(r#"{"id":2,"state":"done"}"#, SECRET, 0).await, 401);
    assert_eq!(send(r#"{"id":2}"#, SECRET, 0).await, 401);
    assert_eq!(send(body, "b3RoZXI=", 0).await, 401);
    assert_eq!(send(body, SECRET, 3600).await, 401);
    assert_eq!(send(body, SECRET, -3600).await, 401);
    let unsigned = reqwest::Client::new().post(format!("{address}/finished")).basic_auth("exports", Some("right"));
    let unsigned = unsigned.header("x-delivery", "1").header("content-type", "application/json").body(body);
    let answer = unsigned.send().await.expect("the receiver answers");
    assert_eq!(answer.status().as_u16(), 401);
    let text = answer.text().await.expect("it is text");
    assert!(text.contains("the request has no valid signature"), "{text}");
    assert_eq!(heard(), 2);
}

#[test]
fn a_secret_that_is_empty_or_not_base64_is_refused() {
    for secret in ["", "whsec_", "whsec_not base64"] {
        assert_eq!(receiver::Signatures::new(secret).err(), Some(receiver::InvalidSecret), "{secret}");
    }
}
