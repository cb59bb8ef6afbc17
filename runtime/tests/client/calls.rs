//! Sending requests, and reading values from responses.

use std::time::Duration;

use http::StatusCode;

use crate::Client;
use crate::accounts::{CountAccountsOkBody, CreateAccount, CreateAccountResponse, GetAccount, ListAccounts};
use crate::errors::causes;
use crate::files::{LabelNote, WriteNote, WriteNoteBody};
use crate::models::{Account, Labels, Note};
use crate::runtime::client::{BuildError, Error};
use crate::script::{Script, json, reply};

const ACME: &str = r#"{"id": 7, "name": "Acme"}"#;

fn acme() -> Account {
    Account { id: 7, name: "Acme".to_owned() }
}

#[tokio::test]
async fn parameters_stand_where_the_description_says() {
    let script = Script::of([json(r#"{"items": []}"#)]).await;
    let client = Client::builder(&format!("{}/api/", script.url)).unwrap();
    let client = client.credential(&crate::security::BEARER_AUTH, crate::runtime::client::Credential::bearer("secret"));
    let accounts = client.header("x-app", "tests").build().unwrap().accounts();

    let request = ListAccounts {
        name: Some("R&D ü".to_owned()),
        tags: Some(vec!["a".to_owned(), "b,c".to_owned()]),
        page: None,
        size: Some(2),
        x_trace: Some("t1".to_owned()),
        theme: Some("dark".to_owned()),
    };
    accounts.list_accounts(request).query("debug", "1").header("x-extra", "yes").await.unwrap();

    let asked = script.asked().remove(0);
    assert_eq!(asked.method, "GET");
    assert_eq!(asked.target, "/api/accounts?name=R%26D%20%C3%BC&tags=a,b%2Cc&size=2&debug=1");
    assert_eq!(asked.header("authorization"), "Bearer secret");
    assert_eq!(asked.header("accept"), "application/json");
    assert_eq!(asked.header("x-trace"), "t1");
    assert_eq!(asked.header("x-extra"), "yes");
    assert_eq!(asked.header("x-app"), "tests");
    assert_eq!(asked.header("cookie"), "theme=dark");
    assert!(asked.header("user-agent").starts_with("runtime-client/"), "{}", asked.header("user-agent"));
}

#[tokio::test]
async fn the_path_of_a_slash_is_below_the_path_of_the_server() {
    let script = Script::of([reply(204), reply(204), reply(204)]).await;
    for base in ["", "/v1", "/v1/"] {
        let client = Client::builder(&format!("{}{base}", script.url)).unwrap().build().unwrap();
        client.files().greet(()).query("a", "b").await.unwrap();
    }
    assert_eq!(script.targets(), ["/?a=b", "/v1/?a=b", "/v1/?a=b"]);
}

#[tokio::test]
async fn cookies_are_not_joined() {
    let first = "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT";
    let script = Script::of([reply(204).header("set-cookie", first).header("set-cookie", "b=2"), reply(204)]).await;
    let files = script.files();
    assert_eq!(files.greet(()).await.unwrap().set_cookie.as_deref(), Some(first));
    assert_eq!(files.greet(()).await.unwrap().set_cookie, None);
}

#[tokio::test]
async fn a_path_parameter_is_one_segment() {
    let script = Script::of([json(ACME)]).await;
    let account = script.accounts().get_account(GetAccount { id: "a/b ?#%.".to_owned() }).await.unwrap();
    assert_eq!(account, acme());
    assert_eq!(script.targets(), ["/accounts/a%2Fb%20%3F%23%25."]);
}

#[tokio::test]
async fn a_path_parameter_that_leads_elsewhere_is_not_sent() {
    let script = Script::of([]).await;
    for id in ["", ".", ".."] {
        let error = script.accounts().get_account(GetAccount { id: id.to_owned() }).await.unwrap_err();
        assert!(matches!(error, Error::Request(_)), "{error}");
        assert!(error.to_string().contains("`{id}`"), "{error}");
    }
    assert!(script.asked().is_empty());
}

#[tokio::test]
async fn an_additional_member_with_the_name_of_a_described_one_is_not_sent() {
    let script = Script::of([reply(204)]).await;
    let send = |name: &str| {
        let labels = Labels { additional_properties: [(name.to_owned(), "b".to_owned())].into(), ..Labels::new("a") };
        script.files().label_note(LabelNote { body: labels })
    };
    for name in ["name", "kind"] {
        let error = send(name).await.unwrap_err();
        assert!(matches!(error, Error::Request(_)), "{error}");
        let expected = format!("the additional member at `/{name}` of the body has the name of a described one");
        assert!(error.to_string().contains(&expected) || causes(&error).concat().contains(&expected), "{error}");
    }
    assert!(script.asked().is_empty());
    send("colour").await.unwrap();
    assert_eq!(script.asked().remove(0).text(), r#"{"name":"a","colour":"b"}"#);
}

#[tokio::test]
async fn a_body_of_json() {
    let created = json(ACME).status(201).header("location", "/accounts/7");
    let script = Script::of([created, reply(202)]).await;
    let accounts = script.accounts();

    let answer = accounts.create_account(CreateAccount { body: acme() }).await.unwrap();
    let CreateAccountResponse::Created { location: Ok(location), body } = answer else { panic!("{answer:?}") };
    assert_eq!((location.as_str(), body), ("/accounts/7", acme()));
    let asked = script.asked().remove(0);
    assert_eq!(asked.header("content-type"), "application/json");
    assert_eq!(asked.header("content-length"), asked.body.len().to_string());
    assert_eq!(asked.text(), r#"{"id":7,"name":"Acme"}"#);

    let answer = accounts.create_account(CreateAccount { body: acme() }).await.unwrap();
    assert!(matches!(answer, CreateAccountResponse::Accepted));
}

#[tokio::test]
async fn bodies_of_text_and_forms_and_none() {
    let script = Script::of(["1", "2", "3"].map(|body| reply(200).body(body))).await;
    let files = script.files();

    let text = WriteNote { body: Some(WriteNoteBody::Text("grüße".to_owned())) };
    assert_eq!(files.write_note(text).await.unwrap(), "1");
    let note = Note { text: "a b&c".to_owned(), stars: Some(5) };
    assert_eq!(files.write_note(WriteNote { body: Some(WriteNoteBody::Form(note)) }).await.unwrap(), "2");
    assert_eq!(files.write_note(WriteNote::default()).await.unwrap(), "3");

    let asked = script.asked();
    assert_eq!((asked[0].header("content-type"), asked[0].text()), ("text/plain", "grüße"));
    assert_eq!(asked[1].header("content-type"), "application/x-www-form-urlencoded");
    assert_eq!(asked[1].text().replace("%20", "+"), "text=a+b%26c&stars=5");
    assert_eq!((asked[2].header("content-type"), asked[2].text()), ("", ""));
}

#[tokio::test]
async fn one_of_several_contents_is_told_by_its_media_type() {
    let script = Script::of([
        reply(200).header("content-type", "application/problem+json").body("3"),
        reply(200).header("content-type", "Text/Plain; charset=utf-8").body("three"),
        reply(200).header("content-type", "application/octet-stream").body([3]),
        reply(200).header("content-type", "image/png").body([3]),
        reply(200).body("3"),
    ])
    .await;
    let accounts = script.accounts();

    assert!(matches!(accounts.count_accounts(()).await, Ok(CountAccountsOkBody::Json(3))));
    assert_eq!(script.asked()[0].header("accept"), "application/json, text/plain, application/octet-stream");
    assert!(matches!(accounts.count_accounts(()).await, Ok(CountAccountsOkBody::Text(text)) if text == "three"));
    match accounts.count_accounts(()).await.unwrap() {
        CountAccountsOkBody::Bytes(body) => assert_eq!(body.bytes().await.unwrap(), [3_u8].as_slice()),
        other => panic!("{other:?}"),
    }
    let error = accounts.count_accounts(()).await.unwrap_err();
    assert_eq!(causes(&error), ["`image/png` is not one of its media types"]);
    let error = accounts.count_accounts(()).await.unwrap_err();
    assert_eq!(causes(&error), ["it does not say of which media type it is"]);
    assert_eq!(error.bytes().unwrap().as_ref(), b"3");
}

#[tokio::test]
async fn status_headers_and_bytes_come_with_the_value() {
    let script = Script::of([json(ACME).header("x-request-id", "r1"), reply(500).body("oh")]).await;
    let accounts = script.accounts();

    let answer = accounts.get_account(GetAccount { id: "7".to_owned() }).with_response().await.unwrap();
    assert_eq!(answer.value, acme());
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["x-request-id"], "r1");
    assert_eq!(answer.bytes().as_ref(), ACME.as_bytes());
    assert_eq!(answer.url().path(), "/accounts/7");

    let raw = accounts.get_account(GetAccount { id: "7".to_owned() }).raw().await.unwrap();
    assert_eq!((raw.status, raw.text().as_ref()), (StatusCode::INTERNAL_SERVER_ERROR, "oh"));
}

#[tokio::test]
async fn a_call_ends_when_its_time_is_up() {
    let script = Script::of([json(ACME).after(Duration::from_secs(5))]).await;
    let call = script.accounts().get_account(GetAccount { id: "7".to_owned() });
    let error = call.timeout(Duration::from_millis(50)).await.unwrap_err();
    assert!(error.is_timeout());
    assert_eq!(error.to_string(), "GET /accounts/{id} got no answer: the time that the call was given is up");
}

#[tokio::test]
async fn calls_can_be_awaited_anywhere() {
    fn is_send<T: Send + 'static>(value: T) -> T {
        value
    }
    fn is_shared<T: Clone + Send + Sync + 'static>(_: &T) {}

    let script = Script::of([json(ACME)]).await;
    let client = script.builder().build().unwrap();
    is_shared(&client);
    let call = is_send(script.accounts().get_account(GetAccount { id: "7".to_owned() }));
    assert_eq!(tokio::spawn(is_send(call.into_future())).await.unwrap().unwrap(), acme());
}

#[test]
fn what_a_client_cannot_be_made_of() {
    for url in ["", "example.com", "ftp://example.com", "https://example.com?x=1"] {
        assert!(matches!(Client::builder(url), Err(BuildError::BaseUrl { .. })), "{url}");
    }
    let builder = || Client::builder("https://example.com").unwrap();
    assert!(matches!(builder().header("a b", "c").build(), Err(BuildError::Header { name }) if name == "a b"));
    let token = crate::runtime::client::Credential::bearer("line\nbreak");
    let error = builder().credential(&crate::security::BEARER_AUTH, token).build().unwrap_err();
    assert_eq!(error.to_string(), "this credential cannot be sent for `bearerAuth`");
    let key = crate::runtime::client::Credential::api_key("key");
    assert!(builder().credential(&crate::security::BEARER_AUTH, key).build().is_err());
}
