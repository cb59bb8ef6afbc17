//! Errors of calls.

use std::error::Error as _;

use http::StatusCode;

use crate::Client;
use crate::accounts::{CreateAccount, CreateAccountError, DeleteAccount, GetAccount, ListAccounts};
use crate::models::{Account, Problem};
use crate::runtime::client::{Credential, CredentialProvider, Error, Retry, Scheme};
use crate::script::{Script, json, reply};

fn get() -> GetAccount {
    GetAccount { id: "7".to_owned() }
}

fn create() -> CreateAccount {
    CreateAccount { body: Account { id: 7, name: "Acme".to_owned() } }
}

/// The chain of causes of an error.
pub(crate) fn causes(error: &dyn std::error::Error) -> Vec<String> {
    let mut causes = Vec::new();
    let mut cause = error.source();
    while let Some(error) = cause {
        causes.push(error.to_string());
        cause = error.source();
    }
    causes
}

#[tokio::test]
async fn a_declared_failure_has_its_type() {
    let problem = r#"{"message": "no such account"}"#;
    let script = Script::of([json(problem).status(404).header("x-request-id", "r1")]).await;
    match script.accounts().get_account(get()).await {
        Err(Error::Api(failure)) if failure.status() == StatusCode::NOT_FOUND => {
            assert_eq!(failure.body.message, "no such account");
            assert_eq!(failure.headers()["x-request-id"], "r1");
            assert_eq!(failure.bytes().as_ref(), problem.as_bytes());
            assert_eq!(failure.operation().id, "getAccount");
            assert_eq!(failure.to_string(), format!("GET /accounts/{{id}} was answered 404 Not Found: {problem}"));
            assert!(failure.source().is_none());
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn each_status_has_its_variant() {
    let script = Script::of([
        json(r#"{"message": "twice"}"#).status(409),
        reply(422).header("content-type", "text/plain").body("no name"),
        reply(500),
    ])
    .await;
    let accounts = script.accounts();

    let mut failures = Vec::new();
    for _ in 0..3 {
        match accounts.create_account(create()).await {
            Err(Error::Api(failure)) => failures.push(failure.body),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(
        failures,
        [
            CreateAccountError::Conflict(Problem { message: "twice".to_owned() }),
            CreateAccountError::ClientError { status: StatusCode::UNPROCESSABLE_ENTITY, body: "no name".to_owned() },
            CreateAccountError::Default { status: StatusCode::INTERNAL_SERVER_ERROR },
        ]
    );
}

#[tokio::test]
async fn what_is_not_declared_keeps_everything() {
    let script = Script::of([reply(402).header("x-price", "5").body("pay first"), reply(204), reply(500)]).await;
    let accounts = script.accounts();

    let error = accounts.get_account(get()).await.unwrap_err();
    assert!(matches!(error, Error::Unexpected(_)));
    assert_eq!(error.status(), Some(StatusCode::PAYMENT_REQUIRED));
    assert_eq!(error.headers().unwrap()["x-price"], "5");
    assert_eq!(error.bytes().unwrap().as_ref(), b"pay first");
    assert_eq!(
        error.to_string(),
        "GET /accounts/{id} was answered 402 Payment Required, which its description does not declare: pay first"
    );
    assert!(error.source().is_none());

    assert!(matches!(accounts.get_account(get()).await, Err(Error::Unexpected(_))));
    #[expect(deprecated, reason = "it is what is tested")]
    let deleted = accounts.delete_account(DeleteAccount { id: "7".to_owned() }).await;
    assert!(matches!(deleted, Err(Error::Unexpected(_))));
}

#[tokio::test]
async fn a_body_that_is_not_what_the_description_says() {
    let page = "<html>please log in</html>";
    let script = Script::of([
        json(r#"{"id": "seven", "name": null}"#),
        reply(200).header("content-type", "text/html").body(page),
        json(r#"{"message": 5}"#).status(404),
    ])
    .await;
    let accounts = script.accounts();

    match accounts.get_account(get()).await.unwrap_err() {
        Error::Unexpected(unexpected) => {
            let pointers: Vec<_> = unexpected.violations().iter().map(|found| found.pointer.as_str()).collect();
            assert_eq!(pointers, ["/id", "/name"]);
            assert_eq!(unexpected.status(), StatusCode::OK);
            assert!(!unexpected.to_string().contains("/id is"), "{unexpected}");
            let cause = unexpected.source().expect("a reason").to_string();
            assert!(cause.starts_with("body /id is") && cause.contains("; body /name is"), "{cause}");
        }
        other => panic!("{other:?}"),
    }
    let error = accounts.get_account(get()).await.unwrap_err();
    assert_eq!(error.to_string(), format!("GET /accounts/{{id}} was answered 200 OK, which cannot be read: {page}"));
    assert_eq!(causes(&error), ["it is `text/html`, not JSON"]);
    let error = accounts.get_account(get()).await.unwrap_err();
    assert_eq!(error.status(), Some(StatusCode::NOT_FOUND));
    assert!(matches!(error, Error::Unexpected(_)));
}

#[tokio::test]
async fn no_answer_at_all() {
    // The port was free a moment ago.
    let url = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let token = crate::runtime::client::Credential::bearer("secret");
    let client = Client::builder(&url).unwrap().credential(&crate::security::BEARER_AUTH, token);
    let client = client.retry(Retry::never()).build().unwrap();
    let error = client.accounts().list_accounts(ListAccounts::default()).await.unwrap_err();
    match &error {
        Error::Transport(error) => {
            assert!(error.is_connect());
            assert_eq!(error.attempts(), 1);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(error.to_string(), "GET /accounts got no answer");
    assert!(error.source().is_some_and(<dyn std::error::Error>::is::<reqwest::Error>));
    assert!(causes(&error).last().is_some_and(|cause| cause.to_lowercase().contains("refused")), "{error:?}");
    let _: Box<dyn std::error::Error + Send + Sync> = error.into();
}

#[tokio::test]
async fn a_body_that_is_longer_than_the_limit() {
    let script = Script::of([json(&format!(r#"{{"id": 1, "name": "{}"}}"#, "x".repeat(100_000)))]).await;
    let client = script.builder().response_limit(1000).build().unwrap();
    let error = client.accounts().get_account(get()).await.unwrap_err();
    assert_eq!(causes(&error), ["its body is longer than the limit of 1000 bytes"]);
    assert_eq!(error.status(), Some(StatusCode::OK));
    assert!(error.bytes().unwrap().starts_with(br#"{"id": 1"#));
}

#[tokio::test]
async fn a_call_that_is_not_sent_says_why() {
    struct Locked;

    impl CredentialProvider for Locked {
        async fn credential(
            &self,
            _: &'static Scheme,
            _: Option<&Credential>,
        ) -> Result<Credential, Box<dyn std::error::Error + Send + Sync>> {
            Err("the keychain is locked".into())
        }
    }

    let client = Client::builder("http://localhost:1").unwrap().credential_provider(Locked).build().unwrap();
    let error = client.accounts().get_account(get()).await.unwrap_err();
    let said = "GET /accounts/{id} cannot be sent: its credential provider has none for `bearerAuth`";
    assert_eq!(error.to_string(), said);
    assert_eq!(causes(&error), ["the keychain is locked"]);
}
