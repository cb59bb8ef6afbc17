//! Members of forms and multipart bodies: their directions and their `encoding`.

use axum::Router;
use compiled_client::encodings::{
    GetEncodedForm as GetForm, SendEncodedForm as SentForm, SendEncodedParts as SentParts, SendEncodedPartsBody,
    SendUntypedForm as SentUntyped, SendVersion as SentVersion, SendVersionBody as SentVersionBody,
    SendVersionOkBody as SentVersionOkBody,
};
use compiled_client::models as seen;
use compiled_client::read_write_only as sent;
use compiled_client::runtime::json::from_slice;
use compiled_client::runtime::multipart::WithHeaders;
use compiled_client::{Client, ClientBuilder, Part};
use compiled_server::encodings::{
    self, Encodings, GetEncodedForm, SendEncodedForm, SendEncodedParts, SendEncodedPartsPart, SendUntypedForm,
    SendVersion, SendVersionBody, SendVersionOkBody,
};
use compiled_server::models::{GetEncodedFormResponse, Place, User, Users};
use compiled_server::read_write_only::{
    CreateUser, CreateUserByForm, CreateUserInPart, CreateUserInPartPart, CreateUserInParts, CreateUserInPartsPart,
    ListUsers, ReadWriteOnly, router,
};
use compiled_server::runtime::json::to_vec;
use compiled_server::runtime::server::{Call, Failure, Options};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde_json::json;

use crate::echo::{client_of, serve};

struct Service;

impl ReadWriteOnly for Service {
    async fn create_user(&self, _: Call<()>, request: CreateUser) -> Result<User, Failure<CreateUser>> {
        Ok(request.body)
    }

    async fn list_users(&self, _: Call<()>, _: ListUsers) -> Result<Users, Failure<ListUsers>> {
        Ok(Users { total: 0, users: Vec::new() })
    }

    async fn create_user_by_form(
        &self,
        _: Call<()>,
        request: CreateUserByForm,
    ) -> Result<(), Failure<CreateUserByForm>> {
        Err(Failure::bad_request(format!("{:?}", request.body.password)).into())
    }

    async fn create_user_in_parts(
        &self,
        _: Call<()>,
        mut request: CreateUserInParts,
    ) -> Result<(), Failure<CreateUserInParts>> {
        let mut seen = Vec::new();
        while let Some(part) = request.body.next().await? {
            seen.push(match part {
                CreateUserInPartsPart::Name(text) | CreateUserInPartsPart::Password(text) => text,
            });
        }
        Err(Failure::bad_request(seen.join("|")).into())
    }

    async fn create_user_in_part(
        &self,
        _: Call<()>,
        mut request: CreateUserInPart,
    ) -> Result<(), Failure<CreateUserInPart>> {
        let mut seen = Vec::new();
        while let Some(CreateUserInPartPart::User(user)) = request.body.next().await? {
            seen.push(format!("{:?}", user.password));
        }
        Err(Failure::bad_request(seen.join("|")).into())
    }
}

/// The `detail` of a response, and the pointers of its violations.
async fn answer(request: reqwest::RequestBuilder) -> (String, Vec<String>) {
    let bytes = request.send().await.expect("a response").bytes().await.expect("a body");
    let problem: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
    let pointers = problem["errors"].as_array().into_iter().flatten();
    let pointers = pointers.map(|error| error["pointer"].as_str().unwrap_or_default().to_owned()).collect();
    (problem["detail"].as_str().unwrap_or_default().to_owned(), pointers)
}

fn detail<E>(error: &compiled_client::Error<E>) -> String {
    let problem: serde_json::Value = serde_json::from_slice(error.bytes().expect("a response")).expect("JSON");
    problem["detail"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn write_only_members_are_required_in_every_kind_of_body() {
    let address = serve(router(Service, &Options::default())).await;
    let (post, put, patch) = (reqwest::Method::POST, reqwest::Method::PUT, reqwest::Method::PATCH);
    let send = async |method, content_type, body: &str| {
        let request = reqwest::Client::new().request(method, format!("{address}/users/form"));
        answer(request.header("content-type", content_type).body(body.to_owned())).await
    };
    assert_eq!(send(post, "application/x-www-form-urlencoded", "name=a").await.1, ["/password"]);
    let parts = "--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\na\r\n--x--\r\n";
    assert_eq!(send(put, "multipart/form-data; boundary=x", parts).await.1, ["/password"]);
    let parts = "--x\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\n{\"name\":\"a\"}\r\n--x--\r\n";
    assert_eq!(send(patch, "multipart/form-data; boundary=x", parts).await.1, ["/user/password"]);

    let client = client_of(router(Service, &Options::default())).await;
    let password = Some("12345678".to_owned());
    let user = seen::User { id: None, name: "a".to_owned(), password, created: None };
    let error = client.read_write_only().create_user_by_form(sent::CreateUserByForm { body: user.clone() }).await;
    assert_eq!(detail(&error.expect_err("the service refuses")), "Some(\"12345678\")");
    let body = sent::CreateUserInPartBody { user: user.clone() };
    let error = client.read_write_only().create_user_in_part(sent::CreateUserInPart { body }).await;
    assert_eq!(detail(&error.expect_err("the service refuses")), "Some(\"12345678\")");
    let body = sent::CreateUserInPartsBody { name: user.name, password: "12345678".to_owned() };
    let error = client.read_write_only().create_user_in_parts(sent::CreateUserInParts { body }).await;
    assert_eq!(detail(&error.expect_err("the service refuses")), "a|12345678");
}

impl Encodings for Service {
    async fn send_encoded_form(&self, _: Call<()>, request: SendEncodedForm) -> Result<(), Failure<SendEncodedForm>> {
        Err(Failure::bad_request(format!("{:?}", request.body)).into())
    }

    async fn send_untyped_form(&self, _: Call<()>, request: SendUntypedForm) -> Result<(), Failure<SendUntypedForm>> {
        Err(Failure::bad_request(String::from_utf8(to_vec(&request.body)).unwrap_or_default()).into())
    }

    async fn send_version(&self, _: Call<()>, request: SendVersion) -> Result<SendVersionOkBody, Failure<SendVersion>> {
        Ok(match request.body {
            SendVersionBody::JsonVersion1(body) => SendVersionOkBody::JsonVersion1(body),
            SendVersionBody::JsonVersion2(body) => SendVersionOkBody::JsonVersion2(body),
        })
    }

    async fn get_encoded_form(
        &self,
        _: Call<()>,
        _: GetEncodedForm,
    ) -> Result<GetEncodedFormResponse, Failure<GetEncodedForm>> {
        let place = Place { name: "a,b".to_owned(), latitude: Some(0.5), longitude: None };
        Ok(GetEncodedFormResponse { joined: Some(place.clone()), list: Some(vec![place]) })
    }

    async fn send_encoded_parts(
        &self,
        _: Call<()>,
        mut request: SendEncodedParts,
    ) -> Result<(), Failure<SendEncodedParts>> {
        let mut seen = Vec::new();
        while let Some(part) = request.body.next().await? {
            let header = |headers: &HeaderMap, name| {
                headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok()).unwrap_or("-").to_owned()
            };
            seen.push(match part {
                SendEncodedPartsPart::Bars(bars) => format!("{bars:?}"),
                SendEncodedPartsPart::Joined(place) => format!("{place:?}"),
                SendEncodedPartsPart::Title(title) => {
                    format!("{} {}", title.value, header(&title.headers, "x-language"))
                }
                SendEncodedPartsPart::Place(place) => {
                    format!("{} {}", place.value.name, header(&place.headers, "x-source"))
                }
                SendEncodedPartsPart::Tags(tag) => format!("{} {}", tag.value, header(&tag.headers, "x-rank")),
                SendEncodedPartsPart::Tree(file) | SendEncodedPartsPart::Scan(file) => {
                    let media_type = file.content_type().unwrap_or_default().to_owned();
                    format!("{media_type} {}", file.bytes(1 << 20).await?.len())
                }
            });
        }
        Err(Failure::bad_request(seen.join("|")).into())
    }
}

fn place(name: &str) -> seen::Place {
    seen::Place { name: name.to_owned(), latitude: Some(0.5), longitude: None }
}

#[tokio::test]
async fn a_form_is_written_as_encoding_says() {
    let address = serve(encodings::router(Service, &Options::default())).await;
    let client = Client::builder(&address).and_then(ClientBuilder::build).expect("it is a URL");
    let body = seen::SendEncodedFormBody {
        joined: place("a,b=&"),
        bars: Some(seen::SendEncodedFormBodyBars { left: Some("l".to_owned()), right: Some("r,".to_owned()) }),
        spread: Some(seen::SendEncodedFormBodySpread { red: 1, greens: Some(vec![2, 3]) }),
        address: Some("https://a.example/?b=[c]".to_owned()),
        addresses: Some(vec!["/a".to_owned(), "/b,".to_owned()]),
        object: Some(seen::SendEncodedFormBodyObject { name: "7".to_owned(), count: Some(7) }),
        list: vec![place("c"), place("d")],
        text: Some("\"e\"".to_owned()),
        xml: Some("<f/>".to_owned()),
    };
    let expected = format!("{body:?}");
    let error = client.encodings().send_encoded_form(SentForm { body: body.clone() }).await;
    assert_eq!(detail(&error.expect_err("the service refuses")), expected);

    // As other programs write it.
    let send = async |form: &str| {
        let request = reqwest::Client::new().post(format!("{address}/encodings")).body(form.to_owned());
        answer(request.header("content-type", "application/x-www-form-urlencoded")).await
    };
    let item = |name| format!("list=%7B%22name%22%3A%22{name}%22%2C%22latitude%22%3A0.5%7D");
    let form = [
        "joined=name,a%2Cb%3D%26,latitude,0.5&bars=left|l|right|r,&red=1&greens=2&greens=3",
        "address=https://a.example/?b=[c]&addresses=/a,/b%2C&object={\"name\":\"7\",\"count\":7}",
        &item("c"),
        &item("d"),
        "text=%22%5C%22e%5C%22%22&xml=<f/>",
    ];
    assert_eq!(send(&form.join("&")).await.0, expected);
    // JSON is typed.
    assert_eq!(send("joined=name,a&object={\"name\":\"7\",\"count\":\"7\"}&list=[]").await.1, ["/object/count"]);
    assert_eq!(send("joined=name,a&list=[]&text=e").await.1, ["/text"]);
    assert_eq!(send("joined=name,a&list=[]&object[name]=7").await.1, ["/object"]);
    assert_eq!(send("joined=name,a&list[0][name]=b").await.1, ["/list"]);
    assert!(send("joined=name,a&list[]={\"name\":\"b\"}").await.0.contains("Place { name: \"b\""));
    assert_eq!(send("joined=name,a&list=[]&greens=1").await.1, ["/spread/red"]);
    assert_eq!(send("joined=latitude,1&list=[]").await.1, ["/joined/name"]);
    let one = send("joined=name,a&list={\"name\":\"b\"}").await.0;
    assert!(one.contains("list: [Place { name: \"b\""), "{one}");

    let bars = Some(seen::SendEncodedFormBodyBars { left: Some("a|b".to_owned()), right: None });
    let body = seen::SendEncodedFormBody { bars, ..body };
    let error = client.encodings().send_encoded_form(SentForm { body }).await.expect_err("it would be two texts");
    assert!(error.to_string().contains("`bars`"), "{error}");

    let form = client.encodings().get_encoded_form(GetForm {}).await.expect("a form");
    assert_eq!(form.joined.as_ref().map(|place| place.name.as_str()), Some("a,b"));
    assert_eq!(form.list, form.joined.map(|place| vec![place]));
}

/// The form that the tools and commands send, too.
const UNTYPED: &str = "note=hello&notes=a&notes=1&notes=%7B%22b%22%3A%5B%5D%7D&settings=%7B%22c%22%3A%7B%22d%22%3A%22e%22%7D%7D\
                       &owner%5Bname%5D=f&owner%5Bextra%5D=%7B%22g%22%3A1%7D&owner%5Bsettings%5D=%7B%22h%22%3Atrue%7D\
                       &lines%5B0%5D%5Bextra%5D=%5B2%5D&lines%5B0%5D%5Bsettings%5D=%7B%22i%22%3A%22j%22%7D&lines%5B1%5D%5Bextra%5D=k\
                       &strict=%22l%22&more=m&other=%7B%22n%22%3Anull%7D";

#[tokio::test]
async fn untyped_members_are_texts_or_json() {
    let value = json!({
        "note": "hello", "notes": ["a", 1, { "b": [] }], "settings": { "c": { "d": "e" } },
        "owner": { "name": "f", "extra": { "g": 1 }, "settings": { "h": true } },
        "lines": [{ "extra": [2], "settings": { "i": "j" } }, { "extra": "k" }],
        "strict": "l", "more": "m", "other": { "n": null },
    });
    let body: seen::SendUntypedFormBody = from_slice(value.to_string().as_bytes()).expect("it is of the model");
    let echo = serve(Router::new().fallback(|body: String| async { (StatusCode::IM_A_TEAPOT, body) })).await;
    let client = Client::builder(&echo).and_then(ClientBuilder::build).expect("it is a URL");
    let error = client.encodings().send_untyped_form(SentUntyped { body: body.clone() }).await.expect_err("an echo");
    assert_eq!(error.bytes().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).as_deref(), Some(UNTYPED));

    let address = serve(encodings::router(Service, &Options::default())).await;
    let client = Client::builder(&address).and_then(ClientBuilder::build).expect("it is a URL");
    let error = client.encodings().send_untyped_form(SentUntyped { body }).await.expect_err("the service refuses");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&detail(&error)).expect("JSON"), value);

    // As other programs write it.
    let send = async |form: &str| {
        let request = reqwest::Client::new().post(format!("{address}/untyped")).body(form.to_owned());
        answer(request.header("content-type", "application/x-www-form-urlencoded")).await
    };
    for (form, read) in [
        ("note=", json!({ "note": "" })),
        ("note=5", json!({ "note": 5 })),
        ("note=05", json!({ "note": "05" })),
        ("note={a}", json!({ "note": "{a}" })),
        ("note=a&note=1", json!({ "note": ["a", 1] })),
        ("note[a]=b&note[c][d]=1", json!({ "note": { "a": "b", "c": { "d": 1 } } })),
        ("note[c][]=d&note[e][0]=f", json!({ "note": { "c": ["d"], "e": ["f"] } })),
        ("owner={\"extra\":{\"a\":[\"b\"]}}", json!({ "owner": { "extra": { "a": ["b"] } } })),
        ("note[]=a&note[]=b", json!({ "note": ["a", "b"] })),
        ("notes[]=a&notes[]=1", json!({ "notes": ["a", 1] })),
        ("note=\"a\"", json!({ "note": "\"a\"" })),
        ("settings[a]=b&settings[c][d]=1", json!({ "settings": { "a": "b", "c": { "d": 1 } } })),
        (
            "owner={\"name\":\"a\",\"extra\":{\"a\":[1,2]},\"settings\":{\"b\":true}}",
            json!({ "owner": { "name": "a", "extra": { "a": [1, 2] }, "settings": { "b": true } } }),
        ),
        ("lines={\"extra\":\"a\"}&lines={\"extra\":1}", json!({ "lines": [{ "extra": "a" }, { "extra": 1 }] })),
    ] {
        let (detail, pointers) = send(form).await;
        assert_eq!(serde_json::from_str(&detail).ok(), Some(read), "{form}: {detail} {pointers:?}");
    }
    assert_eq!(send("strict=l").await.1, ["/strict"]);
    assert_eq!(send("settings=l").await.1, ["/settings"]);
}

#[tokio::test]
async fn parts_are_written_as_encoding_says() {
    let address = serve(encodings::router(Service, &Options::default())).await;
    let client = Client::builder(&address).and_then(ClientBuilder::build).expect("it is a URL");
    let header = |name: &'static str, value: &'static str| {
        HeaderMap::from_iter([(HeaderName::from_static(name), HeaderValue::from_static(value))])
    };
    let tag = |value: &str| WithHeaders { value: value.to_owned(), headers: header("x-rank", "1") };
    let body = || SendEncodedPartsBody {
        bars: vec![1, 2],
        joined: Some(place("a")),
        title: WithHeaders { value: "t".to_owned(), headers: header("x-language", "en") },
        place: place("b").into(),
        tags: vec![tag("c"), "d".to_owned().into()],
        tree: Some(Part::bytes("tree.xml", "<a/>")),
        scan: Some(Part::bytes("scan.png", "12").header("X-Page", "3")),
    };
    let error = client.encodings().send_encoded_parts(SentParts { body: body() }).await;
    let expected = [
        "[1, 2]",
        "Place { name: \"a\", latitude: Some(0.5), longitude: None }",
        "t en",
        "b -",
        "c 1",
        "d -",
        "application/xml 4",
        "application/octet-stream 2",
    ];
    assert_eq!(detail(&error.expect_err("the service refuses")), expected.join("|"));

    let without = [
        SendEncodedPartsBody { title: "t".to_owned().into(), ..body() },
        SendEncodedPartsBody { scan: Some(Part::bytes("scan.png", "12")), ..body() },
    ];
    for (body, pointer) in without.into_iter().zip(["/title", "/scan"]) {
        let error = client.encodings().send_encoded_parts(SentParts { body }).await.expect_err("a header is missing");
        let problem = String::from_utf8_lossy(error.bytes().expect("a response")).into_owned();
        assert!(problem.contains(pointer) && problem.contains("has no header"), "{problem}");
    }
    let body = SendEncodedPartsBody { joined: Some(place("a,b")), ..body() };
    let error = client.encodings().send_encoded_parts(SentParts { body }).await.expect_err("it would be two texts");
    assert!(error.to_string().contains("`joined`"), "{error}");

    let part =
        |name: &str, text: &str| format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n");
    let send = async |parts: &[String]| {
        let request = reqwest::Client::new().put(format!("{address}/encodings")).body(parts.concat() + "--x--\r\n");
        answer(request.header("content-type", "multipart/form-data; boundary=x")).await.1
    };
    assert_eq!(send(&[part("bars", "1|x")]).await, ["/bars/1"]);
    assert_eq!(send(&[part("bars", "")]).await, ["/bars"]);
    assert_eq!(send(&[part("bars", "1|2"), part("joined", "latitude,1")]).await, ["/joined/name"]);
}

#[tokio::test]
async fn parameters_of_media_types_tell_bodies_apart() {
    let address = serve(encodings::router(Service, &Options::default())).await;
    let client = Client::builder(&address).and_then(ClientBuilder::build).expect("it is a URL");
    let body = SentVersionBody::JsonVersion2(seen::SendVersionBodyJsonVersion2 {
        first: "a".to_owned(),
        last: "b".to_owned(),
    });
    let answer = client.encodings().send_version(SentVersion { body }).await.expect("a version");
    assert!(matches!(answer, SentVersionOkBody::JsonVersion2(body) if body.first == "a" && body.last == "b"));

    let send = async |content_type: &str, body: &str| {
        let request = reqwest::Client::new().post(format!("{address}/versions")).body(body.to_owned());
        let response = request.header("content-type", content_type).send().await.expect("a response");
        let content_type = response.headers().get("content-type").and_then(|value| value.to_str().ok());
        (response.status().as_u16(), content_type.unwrap_or_default().to_owned())
    };
    let (one, two) = ("{\"name\":\"a\"}", "{\"first\":\"a\",\"last\":\"b\"}");
    let ok = |version| (200, format!("application/json;version={version}"));
    assert_eq!(send("application/json; charset=utf-8; version=2", two).await, ok(2));
    assert_eq!(send("application/json;version=\"1\"", one).await, ok(1));
    assert_eq!(send("application/json", one).await, ok(1));
    assert_eq!(send("application/json;version=2", one).await.0, 422);
    assert_eq!(send("application/json;version=3", two).await.0, 415);
}
