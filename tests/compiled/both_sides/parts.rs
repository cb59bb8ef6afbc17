//! Multipart bodies of parts without names.

use axum::routing::post;
use compiled_client::positional::{
    SendBundle as SentBundle, SendBundleBody, SendFrames as SentFrames, SendMeasure as SentMeasure, SendMeasureBody,
    SendNotes as SentNotes,
};
use compiled_client::runtime::client::RequestProblem;
use compiled_client::{Error, Part, models as seen};
use compiled_server::positional::{
    Positional, SendBundle, SendBundlePart, SendFrames, SendMeasure, SendMeasurePart, SendNotes, router,
};
use compiled_server::runtime::server::{Call, Failure, FilePart, Options};

use crate::echo::{client_of, serve};

struct Echo;

async fn file(file: FilePart) -> Result<String, Failure<compiled_server::runtime::server::Common>> {
    let name = file.file_name().unwrap_or("-").to_owned();
    let media_type = file.content_type().unwrap_or("-").to_owned();
    Ok(format!("{name} {media_type} {}", file.bytes(1 << 20).await?.len()))
}

impl Positional for Echo {
    async fn send_notes(&self, _: Call<()>, mut request: SendNotes) -> Result<(), Failure<SendNotes>> {
        let mut seen = Vec::new();
        while let Some(note) = request.body.next().await? {
            seen.push(note.title);
        }
        Err(Failure::bad_request(seen.join("|")).into())
    }

    async fn send_bundle(&self, _: Call<()>, mut request: SendBundle) -> Result<(), Failure<SendBundle>> {
        let mut seen = Vec::new();
        while let Some(part) = request.body.next().await? {
            seen.push(match part {
                SendBundlePart::First(note) => note.title,
                SendBundlePart::Second(text) => text,
                SendBundlePart::Rest(picture) => file(picture).await?,
            });
        }
        Err(Failure::bad_request(seen.join("|")).into())
    }

    async fn send_frames(&self, _: Call<()>, mut request: SendFrames) -> Result<(), Failure<SendFrames>> {
        let mut seen = Vec::new();
        while let Some(frame) = request.body.next().await? {
            let at = frame.headers()["X-At"].to_str()?.to_owned();
            seen.push(format!("{at} {}", file(frame).await?));
        }
        Err(Failure::bad_request(seen.join("|")).into())
    }

    async fn send_measure(&self, _: Call<()>, mut request: SendMeasure) -> Result<(), Failure<SendMeasure>> {
        let mut seen = Vec::new();
        while let Some(part) = request.body.next().await? {
            seen.push(match part {
                SendMeasurePart::First(number) => number.to_string(),
                SendMeasurePart::Second(numbers) => format!("{numbers:?}"),
            });
        }
        Err(Failure::bad_request(seen.join("|")).into())
    }
}

fn note(title: &str) -> seen::Note {
    seen::Note { title: title.to_owned(), stars: None }
}

fn detail<E>(error: &Error<E>) -> String {
    let problem: serde_json::Value = serde_json::from_slice(error.bytes().expect("a response")).expect("JSON");
    problem["detail"].as_str().unwrap_or_default().to_owned()
}

/// The violations of a body of these parts: pointers and codes.
async fn refused(path: &str, media_type: &str, parts: &[&str]) -> Vec<String> {
    let url = serve(router(Echo, &Options::default())).await;
    let body = parts.iter().map(|part| format!("--x\r\n{part}\r\n")).collect::<Vec<_>>().concat();
    let request = reqwest::Client::new().post(format!("{url}{path}")).body(body + "--x--\r\n");
    let answer = request.header("content-type", format!("{media_type}; boundary=x")).send().await.expect("a response");
    let problem: serde_json::Value = serde_json::from_slice(&answer.bytes().await.expect("a body")).expect("JSON");
    let errors = problem["errors"].as_array().unwrap_or_else(|| panic!("{problem}")).iter();
    errors.map(|error| format!("{} {}", error["pointer"], error["code"]).replace('"', "")).collect()
}

#[tokio::test]
async fn a_list_of_parts_arrives_item_by_item() {
    let client = client_of(router(Echo, &Options::default())).await;
    let body = vec![note("one"), note("ü\r\n--")].into();
    let error = client.positional().send_notes(SentNotes { body }).await.expect_err("it says what came");
    assert_eq!(detail(&error), "one|ü\r\n--");

    let (good, bad) = ("\r\n{\"title\":\"a\"}", "\r\n{\"title\":1}");
    let refused = async |parts: &[&str]| refused("/notes", "multipart/mixed", parts).await;
    assert_eq!(refused(&[good, bad]).await, ["/1/title type"]);
    assert_eq!(refused(&[good, "\r\n?"]).await, ["/1 syntax"]);
    assert_eq!(refused(&[good, "\r\n{}"]).await, ["/1/title required"]);
    assert_eq!(refused(&[]).await, [" minItems"]);
    assert_eq!(refused(&[good; 4]).await, [" maxItems"]);
}

#[tokio::test]
async fn parts_have_the_types_of_their_positions() {
    let client = client_of(router(Echo, &Options::default())).await;
    let pictures = || vec![Part::bytes("ä.png", "12"), Part::bytes("b", "123").content_type("image/jpeg")];
    let body = SendBundleBody { rest: pictures(), ..SendBundleBody::new(note("one"), "T") };
    let error = client.positional().send_bundle(SentBundle { body }).await.expect_err("it says what came");
    assert_eq!(detail(&error), "one|T|ä.png image/png 2|b image/jpeg 3");

    let (note, text) = ("Content-Type: application/vnd.note+json\r\n\r\n{\"title\":\"a\"}", "\r\nT");
    let refused = async |parts: &[&str]| refused("/bundles", "multipart/related", parts).await;
    assert_eq!(refused(&[note]).await, ["/1 required"]);
    assert_eq!(refused(&[text, note]).await, ["/0 syntax"]);
    assert_eq!(refused(&["Content-Type: text/plain\r\n\r\nT", text]).await, ["/0 contentType"]);
    assert_eq!(refused(&[note, "\r\n"]).await, ["/1 minLength"]);
    let pictures = ["Content-Type: image/png\r\n\r\n1", "Content-Type: image/gif\r\n\r\n1"];
    assert_eq!(refused(&[note, text, pictures[0], pictures[1]]).await, ["/3 contentType"]);
}

/// The `Content-Type` and the body that a client sent, with the boundary `X`.
fn sent<E>(error: &Error<E>) -> String {
    let sent = String::from_utf8_lossy(error.bytes().expect("it was answered")).into_owned();
    let boundary = sent.split("boundary=").nth(1).and_then(|rest| rest.split([';', '\r']).next()).expect("a boundary");
    sent.replace(boundary, "X")
}

#[tokio::test]
async fn parts_are_sent_without_names() {
    let answer = async |headers: http::HeaderMap, body: String| {
        (http::StatusCode::BAD_REQUEST, format!("{}\r\n\r\n{body}", headers["content-type"].to_str().expect("ASCII")))
    };
    let routes = axum::Router::new().route("/bundles", post(answer)).route("/parts/measures", post(answer));
    let client = client_of(routes).await;
    let body = SendBundleBody { rest: vec![Part::bytes("b.png", "12")], ..SendBundleBody::new(note("one"), "T") };
    let error = client.positional().send_bundle(SentBundle { body }).await.expect_err("it says what came");
    let expected = "multipart/related; boundary=X; type=\"application/vnd.note+json\"\r\n\r\n\
        --X\r\nContent-Type: application/vnd.note+json\r\n\r\n{\"title\":\"one\"}\r\n\
        --X\r\nContent-Type: text/plain\r\n\r\nT\r\n\
        --X\r\nContent-Disposition: attachment; filename=\"b.png\"\r\nContent-Type: image/png\r\n\r\n12\r\n--X--\r\n";
    assert_eq!(sent(&error), expected);
    let body = SendMeasureBody { first: Some(1), second: None };
    let error = client.positional().send_measure(SentMeasure { body }).await.expect_err("it says what came");
    let expected =
        "multipart/mixed; boundary=X\r\n\r\n--X\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n1\r\n--X--\r\n";
    assert_eq!(sent(&error), expected);
}

#[tokio::test]
async fn items_without_a_schema_are_files() {
    let client = client_of(router(Echo, &Options::default())).await;
    let frame = |at: &str| Part::bytes("f.jpg", "123").header("X-At", at);
    let body = vec![frame("1"), frame("2")].into();
    let error = client.positional().send_frames(SentFrames { body }).await.expect_err("it says what came");
    assert_eq!(detail(&error), "1 f.jpg image/jpeg 3|2 f.jpg image/jpeg 3");
    let body = Vec::new().into();
    let error = client.positional().send_frames(SentFrames { body }).await.expect_err("it says what came");
    assert_eq!(detail(&error), "", "a body of no parts");

    let frames = ["X-At: 1\r\n\r\n1", "\r\n2"];
    assert_eq!(refused("/frames", "multipart/mixed", &frames).await, ["/1 required"]);
}

#[tokio::test]
async fn only_the_last_parts_may_be_left_out() {
    let client = client_of(router(Echo, &Options::default())).await;
    let send = async |first, second| {
        let body = SendMeasureBody { first, second };
        client.positional().send_measure(SentMeasure { body }).await.expect_err("it says what came")
    };
    assert_eq!(detail(&send(Some(1), Some(vec![2, 3])).await), "1|[2, 3]");
    assert_eq!(detail(&send(Some(1), None).await), "1");
    assert_eq!(detail(&send(None, None).await), "");
    let error = send(None, Some(vec![2])).await;
    let Error::Request(error) = &error else { panic!("{error}") };
    assert!(matches!(error.problem(), RequestProblem::Gap { position: 1 }), "{error}");

    let parts = ["\r\n1", "\r\n[2]", "\r\n3"];
    assert_eq!(refused("/parts/measures", "multipart/mixed", &parts).await, ["/2 unknown"]);
}
