//! Bodies of every media type, and multipart forms.

use std::collections::BTreeMap;

use bytes::Bytes;
use compiled_client::bodies as sent;
use compiled_client::models as seen;
use compiled_client::multipart::{
    SendConsignment as SentConsignment, SendConsignmentBody, SendLetter as SentLetter, SendLetterBody,
    SendPicture as SentPicture, SendPictureBody, UploadFiles as SentFiles, UploadFilesBody,
};
use compiled_client::runtime::json;
use compiled_client::{Body, Client, Part};
use compiled_server::bodies::{
    Bodies, SendAnything, SendBytes, SendDeepForm, SendForm, SendFreeForm, SendJson, SendList, SendListForm,
    SendSeveral, SendSeveralBody, SendSeveralOkBody, SendText,
};
use compiled_server::models::Note;
use compiled_server::multipart::{
    Multipart, SendConsignment, SendConsignmentPart, SendLetter, SendLetterPart, SendPicture, SendPicturePart,
    UploadFiles, UploadFilesPart,
};
use compiled_server::runtime::json::Value;
use compiled_server::runtime::server::{Call, Download, Failure, Options};
use futures_util::{TryStreamExt, stream};

use crate::echo::{client_of, serve};

struct Echo;

impl Bodies for Echo {
    async fn send_json(&self, _: Call<()>, request: SendJson) -> Result<Note, Failure<SendJson>> {
        Ok(request.body.unwrap_or(Note { title: "none".to_owned(), stars: None }))
    }

    async fn send_list(&self, _: Call<()>, request: SendList) -> Result<i32, Failure<SendList>> {
        Ok(i32::try_from(request.body.len())?)
    }

    async fn send_text(&self, _: Call<()>, request: SendText) -> Result<String, Failure<SendText>> {
        Ok(request.body)
    }

    async fn send_bytes(&self, _: Call<()>, request: SendBytes) -> Result<Download, Failure<SendBytes>> {
        Ok(Download::stream(request.body.map_err(|_| std::io::Error::other("the body broke off"))))
    }

    async fn send_free_form(&self, _: Call<()>, request: SendFreeForm) -> Result<(), Failure<SendFreeForm>> {
        Err(Failure::bad_request(format!("{:?}", request.body)).into())
    }

    async fn send_deep_form(&self, _: Call<()>, request: SendDeepForm) -> Result<(), Failure<SendDeepForm>> {
        Err(Failure::bad_request(format!("{:?}", request.body)).into())
    }

    async fn send_list_form(&self, _: Call<()>, request: SendListForm) -> Result<(), Failure<SendListForm>> {
        Err(Failure::bad_request(format!("{:?}", request.body)).into())
    }

    async fn send_form(&self, _: Call<()>, request: SendForm) -> Result<(), Failure<SendForm>> {
        Err(Failure::bad_request(format!("{:?}", request.body)).into())
    }

    async fn send_several(&self, _: Call<()>, request: SendSeveral) -> Result<SendSeveralOkBody, Failure<SendSeveral>> {
        Ok(match request.body {
            SendSeveralBody::Json(note) | SendSeveralBody::Form(note) => SendSeveralOkBody::Json(note),
            SendSeveralBody::Text(text) => SendSeveralOkBody::Text(text),
            SendSeveralBody::Bytes(body) => SendSeveralOkBody::Bytes(Download::bytes(body.bytes().await?)),
        })
    }

    async fn send_anything(&self, _: Call<()>, request: SendAnything) -> Result<Value, Failure<SendAnything>> {
        Ok(request.body.unwrap_or(Value::Null))
    }
}

fn note() -> seen::Note {
    seen::Note { title: "a=b&c ü".to_owned(), stars: Some(-1) }
}

#[tokio::test]
async fn bodies_of_one_type_come_back() {
    let client = client_of(compiled_server::bodies::router(Echo, &Options::default())).await;
    let bodies = client.bodies();
    assert_eq!(bodies.send_json(sent::SendJson { body: Some(note()) }).await.expect("JSON"), note());
    assert_eq!(bodies.send_json(sent::SendJson { body: None }).await.expect("no body").title, "none");
    assert_eq!(bodies.send_list(sent::SendList { body: vec![note(), note()] }).await.expect("a list"), 2);
    for text in ["", " ", "ü\r\n\0🦀"] {
        assert_eq!(bodies.send_text(sent::SendText { body: text.to_owned() }).await.expect("text"), text);
    }
    for text in ["null", "[1,{\"a\":-0.5}]", "\"\""] {
        let body: json::Value = json::from_slice(text.as_bytes()).expect(text);
        let answer = bodies.send_anything(sent::SendAnything { body: Some(body.clone()) }).await;
        assert_eq!(answer.expect(text), body);
    }
    let chunks = stream::iter((0..100u8).map(|byte| Ok::<_, std::io::Error>(Bytes::from(vec![byte; 1000]))));
    let answer = bodies.send_bytes(sent::SendBytes { body: Body::stream(chunks) }).await.expect("bytes");
    assert_eq!(answer.bytes().await.expect("all of them").len(), 100_000);
    let answer = bodies.send_bytes(sent::SendBytes { body: Body::bytes("") }).await.expect("no bytes");
    assert_eq!(answer.bytes().await.expect("none of them").len(), 0);
}

#[tokio::test]
async fn forms_arrive() {
    let client = client_of(compiled_server::bodies::router(Echo, &Options::default())).await;
    let tags = Some(vec!["a b".to_owned(), "c&d".to_owned()]);
    let body = seen::SendFormBody { title: "ü=+".to_owned(), stars: Some(3), tags, done: Some(false) };
    let expected = format!("{body:?}");
    let error = client.bodies().send_form(sent::SendForm { body }).await.expect_err("it says what came");
    let problem: serde_json::Value = serde_json::from_slice(error.bytes().expect("it was answered")).expect("JSON");
    assert_eq!(problem["detail"], expected);

    for pairs in [&[("", "="), ("a b", "ü&")][..], &[]] {
        let body: BTreeMap<_, _> = pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        let expected = format!("{body:?}");
        let error = client.bodies().send_free_form(sent::SendFreeForm { body }).await.expect_err("it says what came");
        let problem: serde_json::Value = serde_json::from_slice(error.bytes().expect("it was answered")).expect("JSON");
        assert_eq!(problem["detail"], expected);
    }
}

#[tokio::test]
async fn deep_forms_arrive() {
    let client = client_of(compiled_server::bodies::router(Echo, &Options::default())).await;
    let object = seen::SendDeepFormBodyAddressObject { city: Some("a b".to_owned()) };
    let none = seen::SendDeepFormBodyAddressString::Empty;
    let code = |code: &str| seen::SendDeepFormBodyValueCodesItem { code: Some(code.to_owned()) };
    let codes = Some(vec![code("e"), code("f")]);
    let other = seen::SendDeepFormBodyValue { city: Some("g".to_owned()), codes };
    let line = |amounts: &[i32]| seen::SendDeepFormBodyLinesItem { amounts: Some(amounts.to_vec()) };
    let no_codes = seen::SendDeepFormBodyCodes::String(seen::SendDeepFormBodyCodesString::Empty);
    let both = [
        (seen::SendDeepFormBodyAddress::Object(object), no_codes),
        (seen::SendDeepFormBodyAddress::String(none), seen::SendDeepFormBodyCodes::Array(vec!["d".to_owned()])),
    ];
    for (address, codes) in both {
        let body = seen::SendDeepFormBody {
            tags: Some(vec!["a".to_owned()]),
            lines: Some(vec![line(&[1]), line(&[2, 3])]),
            address: Some(address),
            codes: Some(codes),
            plain: Some(vec!["b".to_owned(), "c".to_owned()]),
            additional_properties: BTreeMap::from([("o p".to_owned(), other.clone()), ("q".to_owned(), other.clone())]),
        };
        let expected = format!("{body:?}");
        let error = client.bodies().send_deep_form(sent::SendDeepForm { body }).await.expect_err("it says what came");
        let problem: serde_json::Value = serde_json::from_slice(error.bytes().expect("it was answered")).expect("JSON");
        assert_eq!(problem["detail"], expected);
    }
}

#[tokio::test]
async fn lists_of_a_form_stand_in_one_text() {
    let address = serve(compiled_server::bodies::router(Echo, &Options::default())).await;
    let client = Client::builder(&address).and_then(compiled_client::ClientBuilder::build).expect("it is a URL");
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let body = seen::SendListFormBody {
        commas: texts(&["a,b", "c%2Cd", "ü |"]),
        spaces: Some(vec![1, -2]),
        pipes: Some(texts(&["a,b", "c d"])),
        numbered: Some(texts(&["e", "f,g"])),
        repeated: Some(texts(&["h", "i,j"])),
    };
    let expected = format!("{body:?}");
    let error = client.bodies().send_list_form(sent::SendListForm { body: body.clone() }).await;
    let error = error.expect_err("it says what came");
    let problem: serde_json::Value = serde_json::from_slice(error.bytes().expect("it was answered")).expect("JSON");
    assert_eq!(problem["detail"], expected);

    // As other programs write it.
    let form = "commas=a%2Cb,c%252Cd,%C3%BC+%7C&spaces=1+-2&pipes=a,b|c%20d&numbered[0]=e&numbered[1]=f,g&repeated=h\
        &repeated=i,j";
    let request = reqwest::Client::new().post(format!("{address}/form/lists")).body(form);
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let answer = request.send().await.expect("it is answered").bytes().await.expect("a body");
    let problem: serde_json::Value = serde_json::from_slice(&answer).expect("JSON");
    assert_eq!(problem["detail"], expected);

    let body = seen::SendListFormBody { pipes: Some(texts(&["a|b"])), ..body };
    let error = client.bodies().send_list_form(sent::SendListForm { body }).await.expect_err("it would be two items");
    assert!(error.to_string().contains("`pipes`"), "{error}");
}

#[tokio::test]
async fn one_operation_takes_and_gives_several_types() {
    let client = client_of(compiled_server::bodies::router(Echo, &Options::default())).await;
    for (body, expected) in [
        (sent::SendSeveralBody::Json(note()), format!("Json({:?})", note())),
        (sent::SendSeveralBody::Form(note()), format!("Json({:?})", note())),
        (sent::SendSeveralBody::Text("ü".to_owned()), "Text(\"ü\")".to_owned()),
    ] {
        let answer = client.bodies().send_several(sent::SendSeveral { body }).await.expect("it is answered");
        assert_eq!(format!("{answer:?}"), expected);
    }
    let long = sent::SendSeveralBody::Text("ü".repeat(21));
    let error = client.bodies().send_several(sent::SendSeveral { body: long }).await.expect_err("it is too long");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(422));
    let body = sent::SendSeveralBody::Bytes(Body::bytes(vec![0, 255]));
    match client.bodies().send_several(sent::SendSeveral { body }).await.expect("it is answered") {
        sent::SendSeveralOkBody::Bytes(download) => assert_eq!(download.bytes().await.expect("all")[..], [0, 255]),
        other => panic!("{other:?}"),
    }
}

impl Multipart for Echo {
    async fn upload_files(&self, _: Call<()>, mut request: UploadFiles) -> Result<i64, Failure<UploadFiles>> {
        let mut seen = Vec::new();
        while let Some(part) = request.body.next().await? {
            seen.push(match part {
                UploadFilesPart::File(file) | UploadFilesPart::More(file) | UploadFilesPart::Preview(file) => {
                    let name = file.file_name().unwrap_or_default().to_owned();
                    let media_type = file.content_type().unwrap_or_default().to_owned();
                    let source = file.headers().get("X-Source").and_then(|source| source.to_str().ok());
                    let source = source.map_or_else(String::new, |source| format!(" from {source}"));
                    format!("{name} {media_type} {}{source}", file.bytes(1 << 20).await?.len())
                }
                UploadFilesPart::Title(text) | UploadFilesPart::Tags(text) => text,
                UploadFilesPart::At(at) => at.to_string(),
                UploadFilesPart::Kind(kind) => format!("{kind:?}"),
                UploadFilesPart::Place(place) | UploadFilesPart::Places(place) => format!("{place:?}"),
            });
        }
        Err(Failure::bad_request(seen.join("|")).into())
    }

    async fn send_letter(&self, _: Call<()>, mut request: SendLetter) -> Result<(), Failure<SendLetter>> {
        let mut seen = Vec::new();
        while let Some(part) = request.body.next().await? {
            seen.push(match part {
                SendLetterPart::Text(text) => text,
                SendLetterPart::Scan(file) => file.bytes(1 << 20).await?.len().to_string(),
            });
        }
        Err(Failure::bad_request(seen.join("|")).into())
    }

    async fn send_consignment(
        &self,
        _: Call<()>,
        mut request: SendConsignment,
    ) -> Result<(), Failure<SendConsignment>> {
        while let Some(part) = request.body.next().await? {
            if let SendConsignmentPart::File(file) = part {
                file.bytes(1 << 20).await?;
            }
        }
        Ok(())
    }

    async fn send_picture(&self, _: Call<()>, mut request: SendPicture) -> Result<(), Failure<SendPicture>> {
        let mut seen = Vec::new();
        while let Some(part) = request.body.next().await? {
            seen.push(match part {
                SendPicturePart::Address(address) => address,
                SendPicturePart::File(file) => file.bytes(1 << 20).await?.len().to_string(),
            });
        }
        Err(Failure::bad_request(seen.join("|")).into())
    }
}

#[tokio::test]
async fn parts_arrive_in_order_and_typed() {
    let client = client_of(compiled_server::multipart::router(Echo, &Options::default())).await;
    let place = |name: &str| seen::Place { name: name.to_owned(), latitude: Some(0.5), longitude: None };
    let chunks = stream::iter((0..50u8).map(|byte| Ok::<_, std::io::Error>(Bytes::from(vec![byte; 1000]))));
    let body = UploadFilesBody {
        file: Part::stream("big.bin", chunks),
        more: vec![Part::bytes("a.txt", "a").content_type("text/plain"), Part::bytes("ü \"b\"\r\n%25.txt", "")],
        preview: Some(Part::bytes("p.png", vec![0; 10]).header("X-Source", "cam\r\nera 1")),
        title: "T ü".to_owned(),
        at: "2024-02-29T12:00:00Z".parse().ok(),
        kind: Some(seen::UploadFilesBodyKind::Picture),
        tags: vec!["x".to_owned(), "y\r\nz".to_owned()],
        place: Some(place("one")),
        places: vec![place("two"), place("three")],
    };
    let error = client.multipart().upload_files(SentFiles { body }).await.expect_err("it says what came");
    let problem: serde_json::Value = serde_json::from_slice(error.bytes().expect("it was answered")).expect("JSON");
    let place = |name| format!("Place {{ name: \"{name}\", latitude: Some(0.5), longitude: None }}");
    let expected = [
        "big.bin application/octet-stream 50000",
        "a.txt text/plain 1",
        "ü \"b\"\r\n%25.txt application/octet-stream 0",
        "p.png image/png 10 from camera 1",
        "T ü",
        "2024-02-29T12:00:00Z",
        "Picture",
        "x",
        "y\r\nz",
        &place("one"),
        &place("two"),
        &place("three"),
    ];
    let seen: Vec<&str> = problem["detail"].as_str().unwrap_or_default().split('|').collect();
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn parts_need_not_be_of_a_form() {
    let client = client_of(compiled_server::multipart::router(Echo, &Options::default())).await;
    let body = SendLetterBody { text: "T ü".to_owned(), scan: Some(Part::bytes("s.png", vec![0; 10])) };
    let error = client.multipart().send_letter(SentLetter { body }).await.expect_err("it says what came");
    let problem: serde_json::Value = serde_json::from_slice(error.bytes().expect("it was answered")).expect("JSON");
    assert_eq!(problem["detail"], "T ü|10");
}

#[tokio::test]
async fn related_parts_have_ids() {
    let answer = async |headers: http::HeaderMap, body: String| {
        (http::StatusCode::BAD_REQUEST, format!("{}\r\n\r\n{body}", headers["content-type"].to_str().expect("ASCII")))
    };
    let client = client_of(axum::Router::new().route("/letters", axum::routing::post(answer))).await;
    let body = SendLetterBody { text: "T".to_owned(), scan: Some(Part::bytes("s.png", "png")) };
    let error = client.multipart().send_letter(SentLetter { body }).await.expect_err("it says what came");
    let sent = String::from_utf8_lossy(error.bytes().expect("it was answered")).into_owned();
    let boundary = sent.split("boundary=").nth(1).and_then(|rest| rest.split(';').next()).expect("a boundary");
    let expected = "multipart/related; boundary=X; type=\"text/plain\"\r\n\r\n\
        --X\r\nContent-Disposition: form-data; name=\"text\"\r\nContent-ID: <text>\r\n\r\nT\r\n\
        --X\r\nContent-Disposition: form-data; name=\"scan\"; filename=\"s.png\"\r\nContent-Type: image/png\r\n\
        Content-ID: <scan>\r\n\r\npng\r\n--X--\r\n";
    assert_eq!(sent.replace(boundary, "X"), expected);
}

#[tokio::test]
async fn parts_without_names_are_found_by_their_ids_and_media_types() {
    let url = serve(compiled_server::multipart::router(Echo, &Options::default())).await;
    for (parts, status, seen) in [
        ("--X\r\nContent-ID: <text>\r\n\r\nT\r\n--X\r\nContent-Id: scan\r\n\r\n1234\r\n--X--\r\n", 400, "T|4"),
        (
            "--X\r\nContent-ID: <text>\r\n\r\nT\r\n--X\r\nContent-Type: image/png\r\nContent-Id: <n2@a>\r\n\r\n12\r\n--X--\r\n",
            400,
            "T|2",
        ),
        ("--X\r\nContent-Type: text/plain\r\n\r\nT\r\n--X--\r\n", 422, "The request is not valid"),
    ] {
        let request = reqwest::Client::new().post(format!("{url}/letters"));
        let request = request.header("content-type", "multipart/related; boundary=X; type=\"text/plain\"");
        let answer = request.body(parts).send().await.expect("an answer");
        let found = answer.status().as_u16();
        let problem: serde_json::Value = serde_json::from_slice(&answer.bytes().await.expect("a body")).expect("JSON");
        assert_eq!((found, &problem["detail"]), (status, &seen.into()), "{parts}");
    }
}

#[tokio::test]
async fn a_part_is_there_as_often_as_it_may_be() {
    let client = client_of(compiled_server::multipart::router(Echo, &Options::default())).await;
    for (tags, status) in [(0, 400), (3, 400), (4, 422)] {
        let file = Part::bytes("a.txt", "a");
        let body = UploadFilesBody { tags: vec!["x".to_owned(); tags], ..UploadFilesBody::new(file, "T") };
        let error = client.multipart().upload_files(body).await.expect_err("it is not a success");
        assert_eq!(error.status().map(|status| status.as_u16()), Some(status), "{tags}");
    }
}

#[tokio::test]
async fn a_body_has_as_many_of_its_parts_as_it_may() {
    let client = client_of(compiled_server::multipart::router(Echo, &Options::default())).await;
    let file = || Some(Part::bytes("a.png", "a"));
    let address = || Some("https://example.com/a.png".to_owned());
    let names = "of the parts `file`, `address`";
    for (file, address, expected) in [
        (file(), None, Ok("1")),
        (None, address(), Ok("https://example.com/a.png")),
        (None, None, Err(("minProperties", format!("has 0 {names}, at least 1")))),
        (file(), address(), Err(("maxProperties", format!("has 2 {names}, at most 1")))),
    ] {
        let body = SendPictureBody { file, address };
        let error = client.multipart().send_picture(SentPicture { body }).await.expect_err("it is not a success");
        let problem: serde_json::Value = serde_json::from_slice(error.bytes().expect("it was answered")).expect("JSON");
        match expected {
            Ok(seen) => assert_eq!((&problem["status"], &problem["detail"]), (&400.into(), &seen.into())),
            Err((code, detail)) => {
                let violation = &problem["errors"][0];
                assert_eq!((&problem["status"], &violation["code"]), (&422.into(), &code.into()));
                assert_eq!(violation["detail"], detail);
            }
        }
    }
}

#[tokio::test]
async fn a_body_has_the_parts_of_one_variant() {
    let client = client_of(compiled_server::multipart::router(Echo, &Options::default())).await;
    let body = |kind: &str| SendConsignmentBody { kind: kind.to_owned(), ..SendConsignmentBody::default() };
    let (file, text) = (|| Some(Part::bytes("a.png", "a")), || Some("text".to_owned()));
    for (body, is_kept) in [
        (SendConsignmentBody { file: file(), ..body("picture") }, true),
        (SendConsignmentBody { address: text(), copies: Some(9), ..body("picture") }, true),
        (SendConsignmentBody { address: text(), copies: Some(10), ..body("picture") }, false),
        (SendConsignmentBody { note: text(), ..body("picture") }, false),
        (SendConsignmentBody { note: text(), copies: Some(3), ..body("note") }, true),
        (SendConsignmentBody { note: text(), copies: Some(9), ..body("note") }, false),
        (SendConsignmentBody { file: file(), ..body("note") }, false),
        (SendConsignmentBody { note: text(), ..body("letter") }, false),
    ] {
        let shown = format!("{body:?}");
        match client.multipart().send_consignment(SentConsignment { body }).await {
            Ok(()) => assert!(is_kept, "{shown}"),
            Err(error) => {
                let problem: serde_json::Value =
                    serde_json::from_slice(error.bytes().expect("it was answered")).expect("JSON");
                let violation = &problem["errors"][0];
                assert_eq!((&problem["status"], &violation["code"]), (&422.into(), &"anyOf".into()), "{shown}");
                assert!(!is_kept, "{shown}");
            }
        }
    }
}

#[tokio::test]
async fn a_part_has_one_of_its_media_types() {
    let client = client_of(compiled_server::multipart::router(Echo, &Options::default())).await;
    for (media_type, status) in
        [("image/jpeg", 400), ("IMAGE/PNG", 400), ("application/octet-stream", 400), ("image/gif", 422)]
    {
        let file = Part::bytes("a.txt", "a").content_type("text/anything");
        let preview = Some(Part::bytes("p", "p").content_type(media_type));
        let body = UploadFilesBody { preview, ..UploadFilesBody::new(file, "T") };
        let error = client.multipart().upload_files(SentFiles { body }).await.expect_err("it is not a success");
        assert_eq!(error.status().map(|status| status.as_u16()), Some(status), "{media_type}");
        if status == 422 {
            let problem: serde_json::Value =
                serde_json::from_slice(error.bytes().expect("it was answered")).expect("JSON");
            let violation = &problem["errors"][0];
            assert_eq!((&violation["pointer"], &violation["code"]), (&"/preview".into(), &"contentType".into()));
            assert_eq!(violation["detail"], "is `image/gif`, not image/png or image/jpeg");
        }
    }
}
