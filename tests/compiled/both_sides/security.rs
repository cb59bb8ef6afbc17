//! Credentials of every scheme reach the service, and only valid ones are accepted.

use compiled_client::{Client, ClientBuilder, Error, security_api as sent};
use compiled_server::as_ref::{AsRefApi, WithReservedNames};
use compiled_server::runtime::server::{Call, Fails, Failure, Options};
use compiled_server::security::{Authenticator, Credentials};
use compiled_server::security_api::{
    Security, WithBoth, WithDefault, WithEither, WithKeyAndRest, WithKeySaid, WithKeySaidError, WithOptional,
    WithScopes, WithoutAny, router,
};

use crate::echo::serve;

struct Keys;

impl Authenticator for Keys {
    type Principal = String;

    async fn authenticate(
        &self,
        credentials: Credentials,
        scopes: &'static [&'static str],
        _: Call<()>,
    ) -> Result<String, Failure> {
        let (who, secret) = match credentials {
            Credentials::Bearer(bearer) => ("bearer", bearer.token),
            Credentials::Basic(basic) => ("basic", format!("{}{}", basic.user, basic.password)),
            Credentials::KeyInHeader(key) => ("header", key.key),
            Credentials::KeyInQuery(key) => ("query", key.key),
            Credentials::KeyInCookie(key) => ("cookie", key.key),
            Credentials::BearerAndKeyInHeader { bearer, key_in_header } => ("both", bearer.token + &key_in_header.key),
            Credentials::TransportAndWrapTransport { transport, wrap_transport } => {
                ("reserved", transport.key + &wrap_transport.key)
            }
            Credentials::Oauth(bearer) => ("oauth", bearer.token),
            Credentials::OpenId(bearer) => ("openId", bearer.token),
        };
        if secret.contains("wrong") {
            return Err(Failure::unauthorized("that is not right").into());
        }
        if secret.contains("admin") && scopes != ["admin"] {
            return Err(Failure::forbidden("an administrator may do nothing else").into());
        }
        Ok(format!("{who} {secret} {}", scopes.join("+")).trim_end().to_owned())
    }
}

/// Returns the caller in a status that the description does not declare.
struct WhoCalls;

fn said<O: Fails>(who: &str) -> Result<(), Failure<O>> {
    Err(Failure::bad_request(who.to_owned()).into())
}

impl Security for WhoCalls {
    type Principal = String;

    async fn with_default(&self, call: Call<String>, _: WithDefault) -> Result<(), Failure<WithDefault>> {
        said(call.principal())
    }

    async fn without_any(&self, _: Call<()>, _: WithoutAny) -> Result<(), Failure<WithoutAny>> {
        said("nobody asked")
    }

    async fn with_optional(&self, call: Call<Option<String>>, _: WithOptional) -> Result<(), Failure<WithOptional>> {
        said(call.principal().as_deref().unwrap_or("nobody"))
    }

    async fn with_either(&self, call: Call<String>, _: WithEither) -> Result<(), Failure<WithEither>> {
        said(call.principal())
    }

    async fn with_both(&self, call: Call<String>, _: WithBoth) -> Result<(), Failure<WithBoth>> {
        said(call.principal())
    }

    async fn with_key_and_rest(
        &self,
        call: Call<String>,
        request: WithKeyAndRest,
    ) -> Result<(), Failure<WithKeyAndRest>> {
        said(&format!("{} beside {:?}", call.principal(), request.labels))
    }

    async fn with_key_said(&self, call: Call<String>, request: WithKeySaid) -> Result<(), Failure<WithKeySaid>> {
        let body = "says the service".to_owned();
        let failure = match request.key.as_deref() {
            Some("nobody") => WithKeySaidError::Unauthorized { www_authenticate: Some("Own".to_owned()), body },
            Some("stranger") => WithKeySaidError::Unauthorized { www_authenticate: None, body },
            Some("late") => WithKeySaidError::Conflict {
                location: "../other?a=b".to_owned(),
                etag: "\"2\"".to_owned(),
                retry_after: Some(2),
                body,
            },
            _ => return said(&format!("{} {:?} {:?}", call.principal(), request.key, request.x_key)),
        };
        Err(failure.into())
    }

    async fn with_scopes(&self, call: Call<String>, _: WithScopes) -> Result<(), Failure<WithScopes>> {
        said(call.principal())
    }
}

impl AsRefApi for WhoCalls {
    type Principal = String;

    async fn with_reserved_names(
        &self,
        call: Call<String>,
        _: WithReservedNames,
    ) -> Result<(), Failure<WithReservedNames>> {
        said(call.principal())
    }
}

/// The status and the text of a response, or the error.
macro_rules! answer {
    ($client:expr, $operation:ident) => {{
        let error = $client.security_api().$operation(()).await.expect_err("it always fails");
        let text = error.bytes().map_or_else(|| error.to_string(), |bytes| String::from_utf8_lossy(bytes).into_owned());
        (error.status().map_or(0, |status| status.as_u16()), text)
    }};
}

#[tokio::test]
async fn credentials_reach_the_service() {
    let address = serve(router(WhoCalls, Keys, &Options::default())).await;
    let client = |with: fn(ClientBuilder) -> ClientBuilder| -> Client {
        with(Client::builder(&address).expect("the address is a URL")).build().expect("the credentials are text")
    };

    let nobody = client(|builder| builder);
    let bearer = client(|builder| builder.bearer("t"));
    let wrong = client(|builder| builder.bearer("wrong").basic("wrong", "p"));
    let both = client(|builder| builder.bearer("t").key_in_header("k"));
    let seen = [
        (answer!(nobody, without_any), 400, "nobody asked"),
        (answer!(nobody, with_optional), 400, "nobody"),
        (answer!(bearer, with_optional), 400, "bearer t"),
        (answer!(wrong, with_optional), 401, "not right"),
        (answer!(bearer, with_default), 400, "bearer t"),
        (answer!(wrong, with_default), 401, "not right"),
        (answer!(wrong, with_either), 401, "not right"),
        (answer!(both, with_both), 400, "both tk"),
        (answer!(client(|builder| builder.basic("u", "p:ü")), with_either), 400, "basic up:ü"),
        (answer!(client(|builder| builder.key_in_header("k")), with_either), 400, "header k"),
        (answer!(client(|builder| builder.key_in_query("k&=+ ü")), with_either), 400, "query k&=+ ü"),
        (
            answer!(client(|builder| builder.key_in_cookie("k-1.2_3~/+=%;, ü")), with_either),
            400,
            "cookie k-1.2_3~/+=%;, ü",
        ),
        (answer!(client(|builder| builder.oauth("o")), with_scopes), 400, "oauth o read+write"),
        (answer!(client(|builder| builder.oauth("admin")), with_scopes), 400, "oauth admin admin"),
        (answer!(client(|builder| builder.bearer("admin")), with_default), 403, "nothing else"),
    ];
    for ((status, text), expected, part) in seen {
        assert_eq!(status, expected, "{part}: {text}");
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[tokio::test]
async fn tags_and_schemes_may_be_named_like_methods_of_the_client() {
    let address = serve(compiled_server::as_ref::router(WhoCalls, Keys, &Options::default())).await;
    let builder = Client::builder(&address).expect("the address is a URL");
    let client = builder.transport_("a").wrap_transport_("b").build().expect("the credentials are text");
    let error = client.as_ref_().with_reserved_names(()).await.expect_err("it always fails");
    let text = error.bytes().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default();
    assert!(text.contains("reserved ab"), "{error}: {text}");
}

#[tokio::test]
async fn a_key_that_is_a_parameter_too_is_said_once() {
    let address = serve(router(WhoCalls, Keys, &Options::default())).await;
    let client = |with: fn(ClientBuilder) -> ClientBuilder| -> Client {
        with(Client::builder(&address).expect("the address is a URL")).build().expect("the credentials are text")
    };
    let call = async |client: &Client, key: Option<&str>, x_key: Option<&str>| {
        let request = sent::WithKeySaid { key: key.map(str::to_owned), x_key: x_key.map(str::to_owned) };
        client.security_api().with_key_said(request).await.expect_err("it always fails")
    };
    let (cookie, header) = (client(|builder| builder.key_in_cookie("k")), client(|builder| builder.key_in_header("k")));
    for (client, key, x_key, expected) in [
        (&cookie, None, None, r#"cookie k Some(\"k\") None"#),
        (&cookie, Some("own"), None, r#"cookie own Some(\"own\") None"#),
        (&header, None, None, r#"header k None Some(\"k\")"#),
        (&header, None, Some("own"), r#"header own None Some(\"own\")"#),
    ] {
        let error = call(client, key, x_key).await;
        let text = String::from_utf8_lossy(error.bytes().expect("it was answered")).into_owned();
        assert!(text.contains(expected), "{text}");
    }
}

#[tokio::test]
async fn declared_failures_have_their_own_headers_and_every_401_a_challenge() {
    let address = serve(router(WhoCalls, Keys, &Options::default())).await;
    let client = Client::builder(&address).and_then(|builder| builder.key_in_header("k").build()).expect("it is right");
    let challenges =
        r#"ApiKey realm="keyInCookie", in="cookie", name="key", ApiKey realm="keyInHeader", in="header", name="X-Key""#;
    let body = "says the service".to_owned();
    for (key, expected) in [
        (
            "nobody",
            sent::WithKeySaidError::Unauthorized { www_authenticate: Some("Own".to_owned()), body: body.clone() },
        ),
        (
            "stranger",
            sent::WithKeySaidError::Unauthorized { www_authenticate: Some(challenges.to_owned()), body: body.clone() },
        ),
        (
            "late",
            sent::WithKeySaidError::Conflict {
                location: Ok("../other?a=b".to_owned()),
                etag: Ok("\"2\"".to_owned()),
                retry_after: Some(2),
                body,
            },
        ),
    ] {
        let request = sent::WithKeySaid { key: Some(key.to_owned()), x_key: None };
        match client.security_api().with_key_said(request).await {
            Err(Error::Api(failure)) => assert_eq!(failure.body, expected),
            other => panic!("{key}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn an_api_key_in_the_query_is_not_an_additional_property() {
    let address = serve(router(WhoCalls, Keys, &Options::default())).await;
    let request = reqwest::get(format!("{address}/key-and-rest?a=b&key=k")).await.expect("the server answers");
    let text = request.text().await.expect("it is a text");
    assert!(text.contains(r#"query k beside Some({\"a\": \"b\"})"#), "{text}");
}

#[tokio::test]
async fn credentials_of_other_schemes_are_refused() {
    let address = serve(router(WhoCalls, Keys, &Options::default())).await;
    for (path, header, value) in [
        ("/default", "authorization", "Basic dTpw"),
        ("/default", "x-key", "k"),
        ("/both", "authorization", "Bearer t"),
        ("/both", "x-key", "k"),
        ("/either", "authorization", "Bearer t"),
        ("/either", "cookie", "key=wrong"),
        ("/scopes", "x-key", "k"),
    ] {
        let request = reqwest::Client::new().get(format!("{address}{path}")).header(header, value);
        let answer = request.send().await.expect("the server answers");
        assert_eq!(answer.status(), 401, "{path} with {header}");
    }
}
