//! Deviations from a description that other programs send, and values that would be misread.

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use compiled_client::as_sent as sent;
use compiled_client::models as seen;
use compiled_client::runtime::client::Error;
use compiled_client::{Client, ClientBuilder};
use compiled_server::as_sent::{
    AddRemark, AnyRemark, AsSent, Chat, CountRemarks, HomeOf, IntoRequest, IntoRequestPart, LabelAt, ListMarks,
    ListThings, PutMeasure, ReadDocument, ReadDocumentResponse, SizeOf, ToStringRequest, TreeAt, router,
};
use compiled_server::models;
use compiled_server::runtime::json::Value;
use compiled_server::runtime::server::{Call, Failure, Options};
use compiled_server::runtime::server_stream::ItemStream;
use compiled_server::runtime::stream::Event;
use http::header::{ACCEPT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};

use crate::serve::{client_of, serve};

struct Echo;

impl AsSent for Echo {
    async fn read_document(
        &self,
        _: Call<()>,
        request: ReadDocument,
    ) -> Result<ReadDocumentResponse, Failure<ReadDocument>> {
        let body = models::ReadDocumentResponse { a: request.id.clone() };
        let x_list = Some(request.id.split('|').map(str::to_owned).collect());
        Ok(ReadDocumentResponse { last_modified: None, x_rate_limit: 1, x_flag: None, x_list, body })
    }

    async fn add_remark(&self, _: Call<()>, request: AddRemark) -> Result<String, Failure<AddRemark>> {
        Ok(request.body)
    }

    async fn count_remarks(&self, _: Call<()>, request: CountRemarks) -> Result<i64, Failure<CountRemarks>> {
        Ok(request.body)
    }

    async fn any_remark(&self, _: Call<()>, _: AnyRemark) -> Result<String, Failure<AnyRemark>> {
        Ok("any".to_owned())
    }

    async fn chat(&self, _: Call<()>, _: Chat) -> Result<ItemStream<Event<String>>, Failure<Chat>> {
        Err(Failure::bad_request("nothing is said").into())
    }

    async fn size_of(&self, _: Call<()>, request: SizeOf) -> Result<String, Failure<SizeOf>> {
        Ok(request.id)
    }

    async fn home_of(&self, _: Call<()>, request: HomeOf) -> Result<String, Failure<HomeOf>> {
        Ok(request.user)
    }

    async fn tree_at(&self, _: Call<()>, request: TreeAt) -> Result<String, Failure<TreeAt>> {
        Ok(format!("{} {:?}", request.path, request.depth))
    }

    async fn label_at(&self, _: Call<()>, request: LabelAt) -> Result<String, Failure<LabelAt>> {
        Ok(request.at)
    }

    async fn list_things(&self, _: Call<()>, request: ListThings) -> Result<String, Failure<ListThings>> {
        Ok(format!(
            "{:?} {:?} {} {:?} {:?} {:?}",
            request.ids, request.where_.x, request.limit, request.tags, request.page, request.x_tags
        ))
    }

    async fn put_measure(&self, _: Call<()>, request: PutMeasure) -> Result<models::Measure, Failure<PutMeasure>> {
        if request.body.ratio == Some(0.0) {
            return Ok(models::Measure { ratio: Some(f64::NAN), ..request.body });
        }
        Ok(request.body)
    }

    async fn into_2(&self, _: Call<()>, mut request: IntoRequest) -> Result<String, Failure<IntoRequest>> {
        let mut parts = Vec::new();
        while let Some(part) = request.body.next().await? {
            parts.push(match part {
                IntoRequestPart::Mark(mark) | IntoRequestPart::Marks(mark) => mark.to_string(),
                IntoRequestPart::Names(name) => name,
            });
        }
        Ok(parts.join(" "))
    }

    async fn to_string(&self, _: Call<()>, _: ToStringRequest) -> Result<(), Failure<ToStringRequest>> {
        Ok(())
    }

    async fn list_marks(&self, _: Call<()>, _: ListMarks) -> Result<models::ListMarksResponse, Failure<ListMarks>> {
        Ok(models::ListMarksResponse { items: vec!["a".to_owned()] })
    }
}

async fn talk() -> Client {
    client_of(router(Echo, &Options::default())).await
}

/// A client of a server that sends this response to every request.
async fn answered(status: u16, headers: &'static [(&'static str, &'static str)], body: &'static [u8]) -> Client {
    let answer = move || async move {
        let head = Response::builder().status(status);
        let head = headers.iter().fold(head, |head, (name, value)| head.header(*name, *value));
        head.body(Body::from(body)).expect("an answer")
    };
    let address = serve(Router::new().fallback(answer)).await;
    Client::builder(&address).and_then(ClientBuilder::build).expect("the address is a URL")
}

/// The status and the body of the response to a raw request.
async fn raw(method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<reqwest::Body>) -> (u16, String) {
    let address = serve(compiled_server::as_sent::router(Echo, &Options::default())).await;
    let method = reqwest::Method::from_bytes(method.as_bytes()).expect("a method");
    let request = reqwest::Client::new().request(method, format!("{address}{path}")).body(body);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let answer = request.send().await.expect("the server answers");
    (answer.status().as_u16(), answer.text().await.expect("a text"))
}

#[tokio::test]
async fn a_body_is_handed_out_whatever_the_headers_are() {
    const JSON: (&str, &str) = ("content-type", "application/json");
    let headers = &[JSON, ("last-modified", "Wed, 21 Oct 2015 07:28:00 GMT"), ("x-flag", "perhaps")];
    let client = answered(200, headers, br#"{"a":"b"}"#).await;
    let answer = client.as_sent().read_document("a").await.expect("the body is right");
    assert_eq!(answer.body.a, "b");
    assert_eq!(answer.last_modified.map(|at| at.to_string()).as_deref(), Some("2015-10-21T07:28:00Z"));
    assert_eq!(answer.x_flag, None);
    let missing = answer.x_rate_limit.expect_err("it was not sent");
    assert_eq!(missing.to_string(), "the header `x-rate-limit` is missing");

    let headers = &[JSON, ("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")];
    let client = answered(429, headers, br#"{"message":"later"}"#).await;
    match client.as_sent().read_document("a").await {
        Err(Error::Api(failure)) => match failure.body {
            sent::ReadDocumentError::TooManyRequests { retry_after, body } => {
                assert_eq!((retry_after, body.message.as_str()), (None, "later"));
            }
        },
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn texts_are_read_by_their_charset_and_media_type() {
    let remark = |client: Client| async move { client.as_sent().any_remark(()).await };
    for (content_type, bytes, expected) in [
        ("text/plain; charset=utf-16", &b"\xFF\xFEh\0\xFC\0"[..], "hü"),
        ("text/plain; charset=iso-8859-1", b"h\xFC", "hü"),
        ("text/plain", "hü".as_bytes(), "hü"),
        ("text/plain", b"\"h\"", "\"h\""),
        ("application/json", b"\"h\"", "h"),
    ] {
        let headers: &'static [_] = Box::leak(Box::new([("content-type", content_type)]));
        assert_eq!(remark(answered(200, headers, bytes).await).await.expect(content_type), expected);
    }
    let client = answered(200, &[("content-type", "text/plain; charset=klingon")], b"h").await;
    let error = remark(client).await.expect_err("no such charset");
    let why = std::error::Error::source(&error).expect("a reason").to_string();
    assert_eq!(why, "it is in the charset `klingon`, which is not known");

    assert_eq!(raw("POST", "/remarks", &[("content-type", "text/plain; charset=latin1")], &b"h\xFC"[..]).await.1, "hü");
    assert_eq!(raw("POST", "/remarks", &[("content-type", "text/plain; charset=klingon")], "h").await.0, 415);
    assert_eq!(raw("POST", "/remarks", &[("content-type", "text/plain")], "h").await, (200, "h".to_owned()));
    let (status, text) = raw("PUT", "/remarks", &[("content-type", "text/plain")], "many").await;
    assert_eq!(status, 400);
    assert!(!text.contains("JSON:"), "{text}");
}

#[tokio::test]
async fn a_number_in_a_text_is_refused_as_a_text() {
    assert_eq!(raw("PUT", "/remarks", &[("content-type", "text/plain")], "7").await, (200, "7".to_owned()));
    for (content_type, body, expected) in [
        ("text/plain", "many", "body is not a number, a boolean or another value as JSON writes it"),
        ("text/plain; charset=utf-8", "\"7\"", "body is a string, not a whole number"),
        ("text/html", "<p>", "it is `text/html`, not JSON"),
    ] {
        let headers: &'static [_] = Box::leak(Box::new([("content-type", content_type)]));
        let error = answered(200, headers, body.as_bytes()).await.as_sent().count_remarks(7).await.expect_err(body);
        assert_eq!(std::error::Error::source(&error).expect("a reason").to_string(), expected);
    }
}

#[tokio::test]
async fn a_lone_surrogate_does_not_invalidate_a_response() {
    let client = answered(200, &[("x-rate-limit", "1")], br#"{"a":"x\ud83dy"}"#).await;
    let answer = client.as_sent().read_document("a").await.expect("an answer");
    assert_eq!(answer.body.a, "x\u{FFFD}y");
}

#[tokio::test]
async fn a_response_of_another_media_type_is_not_a_stream_of_events() {
    let client = answered(200, &[("content-type", "text/html")], b"<p>Sign in</p>").await;
    match client.as_sent().chat(()).await {
        Err(Error::Unexpected(error)) => assert_eq!(&error.bytes()[..], b"<p>Sign in</p>"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_request_without_a_body_says_so() {
    let lengths = Router::new().fallback(|request: axum::extract::Request| async move {
        let length = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()).unwrap_or("none");
        let asked = request.headers().get(ACCEPT_ENCODING).and_then(|coding| coding.to_str().ok()).unwrap_or("none");
        Response::builder()
            .header(CONTENT_TYPE, "text/plain")
            .body(Body::from(format!("data: {length} {asked}\n\n")))
            .expect("one")
    });
    let client = client_at(&serve(lengths).await);
    let events = client.as_sent().chat(()).await.expect("a stream").try_collect().await.expect("one event");
    assert_eq!(events.into_iter().map(|event| event.data).collect::<Vec<_>>(), ["0 gzip"]);
    assert_eq!(client.as_sent().any_remark(()).await.expect("a text"), "data: none gzip\n\n");
}

fn client_at(address: &str) -> Client {
    Client::builder(address).and_then(ClientBuilder::build).expect("the address is a URL")
}

#[tokio::test]
async fn what_is_encoded_is_decoded_or_refused() {
    // `hi`, by gzip.
    const ZIPPED: &[u8] =
        &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0x03, 0xcb, 0xc8, 0x04, 0, 0xac, 0x2a, 0x93, 0xd8, 2, 0, 0, 0];
    let client = answered(200, &[("content-encoding", "gzip"), ("content-type", "text/plain")], ZIPPED).await;
    assert_eq!(client.as_sent().any_remark(()).await.expect("a text"), "hi");
    let client = answered(200, &[("content-encoding", "br")], b"?").await;
    let error = client.as_sent().any_remark(()).await.expect_err("nothing decodes it");
    assert!(std::error::Error::source(&error).expect("a reason").to_string().contains("`br`"));
    let headers = [("content-type", "text/plain"), ("content-encoding", "gzip")];
    assert_eq!(raw("POST", "/remarks", &headers, ZIPPED).await.0, 415);
}

#[tokio::test]
async fn paths_match_in_any_encoding() {
    let client = talk().await;
    assert_eq!(client.as_sent().size_of("7").await.expect("found"), "7");
    assert_eq!(client.as_sent().home_of("me").await.expect("found"), "me");
    assert_eq!(client.as_sent().label_at("x;y").await.expect("found"), "x;y");
    let tree = sent::TreeAt { path: "a/b".to_owned(), depth: Some("2".to_owned()) };
    assert_eq!(client.as_sent().tree_at(tree).await.expect("found"), "a/b Some(\"2\")");
}

#[tokio::test]
async fn omitted_values_are_empty_or_have_their_default() {
    let client = talk().await;
    let request = sent::ListThings::new(Vec::new(), seen::ListThingsWhere::default());
    let all = client.as_sent().list_things(request).await.expect("nothing is sent, and nothing is asked");
    assert_eq!(all, "[] None 10 [\"a\", \"b\"] Integer(1) None");
}

#[tokio::test]
async fn values_that_would_be_misread_are_not_sent() {
    let client = talk().await;
    let things = || sent::ListThings::new(Vec::new(), seen::ListThingsWhere::default());
    for x_tags in [vec!["a,b"], vec![" a"], vec![""]] {
        let x_tags = Some(x_tags.into_iter().map(str::to_owned).collect());
        let error =
            client.as_sent().list_things(sent::ListThings { x_tags, ..things() }).await.expect_err("unsendable");
        assert!(matches!(error, Error::Request(_)), "{error}");
    }
    for by in [f64::NAN, f64::INFINITY] {
        let error =
            client.as_sent().list_things(sent::ListThings { by: Some(by), ..things() }).await.expect_err("unsendable");
        let why = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
        assert!(why.contains("of `by` is infinite or NaN"), "{why}");
    }
    let body = seen::Measure { ratio: Some(f64::NAN), ..Default::default() };
    let error = client.as_sent().put_measure(sent::PutMeasure { body }).await.expect_err("unsendable");
    let why = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
    assert!(why.contains("`/ratio`"), "{why}");
    // A server does not send it, either.
    let json = ("content-type", "application/json");
    assert_eq!(raw("PUT", "/measures", &[json], r#"{"ratio":0}"#).await.0, 500);
    assert_eq!(raw("GET", "/documents/a%7C%20b", &[], "").await.0, 500);
}

#[tokio::test]
async fn values_come_back_the_same_or_are_refused() {
    let json = ("content-type", "application/json");
    for same in [
        r#"{"celsius":5}"#,
        r#"{"celsius":"5"}"#,
        r#"{"at":"9999-12-31T23:59:59Z"}"#,
        r#"{"at":"9999-12-31T23:59:59.9999999Z"}"#,
        r#"{"size":{"v":2.0,"g":"x"}}"#,
        r#"{"size":{"v":1.5,"f":"x"}}"#,
        r#"{"result":{"Ok":1}}"#,
        r#"{"labels":{"67e55044-10b1-426f-9247-bb680e5fe0c8":"x"}}"#,
        r#"{"id":"67e55044-10b1-426f-9247-bb680e5fe0c8"}"#,
        r#"{"owner":null}"#,
        r#"{"pages":{"items":[1,2]}}"#,
    ] {
        assert_eq!(raw("PUT", "/measures", &[json], same).await, (200, same.to_owned()));
    }
    for refused in [
        r#"{"celsius":"x"}"#,
        r#"{"at":"2025-01-31T12:00:00+25:00"}"#,
        r#"{"on":"2025-01-31T00:00:00Z"}"#,
        r#"{"lasts":"-PT1S"}"#,
        r#"{"id":"{67e55044-10b1-426f-9247-bb680e5fe0c8}"}"#,
        r#"{"id":"67e55044-10b1-026f-9247-bb680e5fe0c8"}"#,
        r#"{"labels":{"x":"x"}}"#,
        r#"{"result":{"Ok":1,"Err":"x"}}"#,
        r#"{"pages":{"items":["x"]}}"#,
        r#"{"owner":5}"#,
    ] {
        assert_eq!(raw("PUT", "/measures", &[json], refused).await.0, 422, "{refused}");
    }
    let loose = br#"{"lasts":"00:45:00","labels":[],"blob":"/+\r\n8=","id":"{67e55044-10b1-426f-9247-bb680e5fe0c8}"}"#;
    let client = answered(200, &[], loose).await;
    let read =
        client.as_sent().put_measure(sent::PutMeasure { body: seen::Measure::default() }).await.expect("tolerant");
    assert_eq!(read.lasts.map(|lasts| lasts.0.to_string()).as_deref(), Some("PT45M"));
    assert_eq!(read.labels.map(|labels| labels.len()), Some(0));
    assert_eq!(read.blob.map(|blob| blob.0), Some(vec![0xFF, 0xEF]));
    assert_eq!(talk().await.as_sent().list_marks(()).await.expect("a page").items, ["a"]);
}

#[tokio::test]
async fn parts_may_be_null_and_lists_of_texts_are_several_parts() {
    let null = || compiled_client::runtime::json::Value::Null;
    let body = sent::IntoBody { mark: null(), marks: vec![null()], names: vec!["a".to_owned(), "b".to_owned()] };
    assert_eq!(talk().await.as_sent().into_2(sent::IntoRequest { body }).await.expect("taken"), "null null a b");
    assert_eq!(Value::Null.to_string(), "null");
    let part = |content: &str| {
        format!(
            "--x\r\nContent-Disposition: form-data; name=\"mark\"\r\n\r\nnull\r\n--x\r\nContent-Disposition: form-data; \
             name=\"names\"\r\nContent-Type: application/json\r\n\r\n{content}\r\n--x--\r\n"
        )
    };
    let form = ("content-type", "multipart/form-data; boundary=x");
    assert_eq!(raw("POST", "/marks", &[form], part("\"a\"")).await, (200, "\"null a\"".to_owned()));
    assert_eq!(raw("POST", "/marks", &[form], part("[\"a\",\"b\"]")).await.0, 422);
}
