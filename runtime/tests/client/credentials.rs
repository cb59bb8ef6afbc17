//! Credentials of calls.

use std::error::Error as StdError;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use http::StatusCode;

use crate::accounts::GetAccount;
use crate::files::{GetFile, PutFile};
use crate::runtime::client::{
    Answer, Body, Content, Credential, CredentialProvider, Declared, Error, Operation, Pagination, Request, Scheme,
    SchemeKind, Security,
};
use crate::script::{Script, json, reply};
use crate::security::{API_KEY, BASIC_AUTH, BEARER_AUTH, TENANT};
use crate::{Client, ClientBuilder};

const ACME: &str = r#"{"id": 7, "name": "Acme"}"#;

fn get() -> GetAccount {
    GetAccount { id: "7".to_owned() }
}

fn file() -> GetFile {
    GetFile { name: "a".to_owned() }
}

/// A provider of `token-1`, `token-2`, …
#[derive(Clone, Default)]
struct Tokens {
    given: Arc<AtomicU32>,
    lifetime: Option<Duration>,
    last: Option<u32>,
}

impl CredentialProvider for Tokens {
    fn provides(&self, scheme: &'static Scheme) -> bool {
        scheme == &BEARER_AUTH
    }

    async fn credential(
        &self,
        _: &'static Scheme,
        _: Option<&Credential>,
    ) -> Result<Credential, Box<dyn StdError + Send + Sync>> {
        tokio::time::sleep(Duration::from_millis(10)).await;
        let number = self.given.fetch_add(1, Ordering::SeqCst) + 1;
        let credential = Credential::bearer(format!("token-{}", self.last.map_or(number, |last| number.min(last))));
        Ok(self.lifetime.map_or(credential.clone(), |lifetime| credential.expires_in(lifetime)))
    }
}

fn client_of(script: &Script, tokens: Tokens) -> Client {
    Client::builder(&script.url).unwrap().credential_provider(tokens).build().unwrap()
}

#[tokio::test]
async fn nothing_is_sent_without_credentials() {
    let script = Script::of([]).await;
    let client = Client::builder(&script.url).unwrap().build().unwrap();
    let error = client.accounts().get_account(get()).await.unwrap_err();
    assert!(matches!(error, Error::Request(_)));
    assert_eq!(
        error.to_string(),
        "GET /accounts/{id} cannot be sent: it needs credentials for `bearerAuth`; the client has none"
    );
    let error = client.files().get_file(file()).await.unwrap_err();
    assert!(error.to_string().contains("`apiKey` or `basicAuth` and `tenant`"), "{error}");
    assert!(script.asked().is_empty());
}

#[tokio::test]
async fn the_first_set_that_is_complete_is_sent() {
    let script = Script::of([reply(200), reply(200), reply(204)]).await;
    let builder = || Client::builder(&script.url).unwrap();

    let both = builder()
        .credential(&BASIC_AUTH, Credential::basic("jo", "pass"))
        .credential(&TENANT, Credential::api_key("t 1"))
        .build()
        .unwrap();
    both.files().get_file(file()).await.unwrap();
    let asked = script.asked().remove(0);
    assert_eq!(asked.header("authorization"), "Basic am86cGFzcw==");
    assert_eq!(asked.header("cookie"), "tenant=t%201");

    let key = builder()
        .credential(&BASIC_AUTH, Credential::basic("jo", "pass"))
        .credential(&API_KEY, Credential::api_key("k&1"))
        .build()
        .unwrap();
    key.files().get_file(file()).await.unwrap();
    let asked = script.asked().remove(0);
    assert_eq!(asked.target, "/files/a?api_key=k%261");
    assert_eq!(asked.header("authorization"), "");

    // With optional credentials, a call without any succeeds.
    let put = PutFile { name: "a".to_owned(), body: Body::bytes("text") };
    builder().build().unwrap().files().put_file(put).await.unwrap();
    assert_eq!(script.targets(), ["/files/a"]);
}

#[tokio::test]
async fn a_refused_token_is_renewed_once() {
    let script = Script::of([reply(401), json(ACME), json(ACME), reply(401), reply(401).body("no")]).await;
    let tokens = Tokens::default();
    let accounts = client_of(&script, tokens.clone()).accounts();

    accounts.get_account(get()).await.unwrap();
    accounts.get_account(get()).await.unwrap();
    let error = accounts.get_account(get()).await.unwrap_err();
    assert_eq!(error.status(), Some(StatusCode::UNAUTHORIZED));
    assert_eq!(error.bytes().unwrap().as_ref(), b"no");

    let sent: Vec<_> = script.asked().iter().map(|asked| asked.header("authorization").to_owned()).collect();
    assert_eq!(sent, ["Bearer token-1", "Bearer token-2", "Bearer token-2", "Bearer token-2", "Bearer token-3"]);
    assert_eq!(tokens.given.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn a_provider_that_repeats_a_token_has_no_new_one() {
    let script = Script::of([reply(401).body("no")]).await;
    let accounts = client_of(&script, Tokens { last: Some(1), ..Tokens::default() }).accounts();
    let error = accounts.get_account(get()).await.unwrap_err();
    assert_eq!(error.bytes().unwrap().as_ref(), b"no");
    assert_eq!(script.asked().len(), 1);
}

#[tokio::test]
async fn a_token_of_ones_own_is_never_renewed() {
    let script = Script::of([reply(401)]).await;
    let client = script.builder().credential_provider(Tokens::default()).build().unwrap();
    assert!(client.accounts().get_account(get()).await.is_err());
    assert_eq!(script.asked()[0].header("authorization"), "Bearer secret");
}

#[tokio::test]
async fn calls_at_the_same_time_share_one_token() {
    let script = Script::of((0..8).map(|_| json(ACME))).await;
    let tokens = Tokens::default();
    let client = client_of(&script, tokens.clone());
    let calls: Vec<_> = (0..8).map(|_| tokio::spawn(client.accounts().get_account(get()).into_future())).collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
    assert_eq!(tokens.given.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn an_expired_token_is_renewed_before_it_is_refused() {
    let script = Script::of([json(ACME), json(ACME)]).await;
    let tokens = Tokens { lifetime: Some(Duration::ZERO), ..Tokens::default() };
    let accounts = client_of(&script, tokens).accounts();
    accounts.get_account(get()).await.unwrap();
    accounts.get_account(get()).await.unwrap();
    assert_eq!(script.asked()[1].header("authorization"), "Bearer token-2");
}

#[test]
fn credentials_are_not_printed() {
    let printed = format!("{:?} {:?}", Credential::bearer("hush"), Credential::basic("jo", "hush"));
    assert!(!printed.contains("hush"), "{printed}");
}

#[tokio::test]
async fn a_key_that_a_parameter_gives_is_sent_once() {
    static OPERATION: Operation = Operation {
        id: "listKeys",
        method: "GET",
        path: "/keys",
        security: Security::required(&[&[&API_KEY, &SAME_KEY]]),
        success: &[Declared::codes(&[200], Content::NONE)],
        failure: &[],
        pagination: Pagination::None,
    };
    static SAME_KEY: Scheme = Scheme { name: "sameKey", kind: SchemeKind::ApiKeyQuery("api_key") };

    let script = Script::of([reply(200), reply(200)]).await;
    let key = || Credential::api_key("k");
    let client = script.builder().credential(&API_KEY, key()).credential(&SAME_KEY, key()).build().unwrap();
    for (given, sent) in [(None, "/keys?api_key=k"), (Some("own".to_owned()), "/keys?api_key=own")] {
        let request = Request::new(client.as_ref(), &OPERATION).query("api_key", &given);
        request.call(Answer::empty, Answer::undocumented).await.unwrap();
        assert_eq!(script.asked().pop().unwrap().target, sent);
    }
}

static KEY: Scheme = Scheme { name: "key", kind: SchemeKind::ApiKeyHeader("x-key") };

#[tokio::test]
async fn a_key_in_a_header_follows_no_redirection_to_another_server() {
    let other = Script::of([json("{}")]).await;
    let there = || reply(302).header("location", format!("{}/accounts/1", other.url));
    let here = || reply(302).header("location", "/accounts/2");

    let with_key: fn(ClientBuilder) -> ClientBuilder =
        |builder| builder.credential(&KEY, Credential::api_key("secret"));
    let with_header: fn(ClientBuilder) -> ClientBuilder = |builder| builder.header("x-key", "secret");
    for with in [with_key, with_header] {
        let script = Script::of([here(), there()]).await;
        let client = with(script.builder()).build().unwrap();
        let error = client.accounts().get_account(get()).await.unwrap_err();
        assert_eq!(error.status().map(|status| status.as_u16()), Some(302));
        assert_eq!((script.asked().len(), other.asked().len()), (2, 0));
    }

    let script = Script::of([there()]).await;
    let client = script.builder().user_agent("agent").build().unwrap();
    assert!(client.accounts().get_account(get()).await.is_err(), "it is not an account");
    let [asked] = &other.asked()[..] else { panic!("the other server is asked once") };
    assert_eq!((asked.header("authorization"), asked.header("referer")), ("", ""));
}
