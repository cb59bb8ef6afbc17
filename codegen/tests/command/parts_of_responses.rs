//! `specwright mock` and `prove`: multipart bodies of responses.

use axum::Router;
use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use serde_json::Value;

use crate::folder::Folder;
use crate::prove::proved_by;
use crate::service::Mock;

const ALBUMS: &str = r"
openapi: 3.2.0
info: { title: Albums, version: '1' }
paths:
  /albums/{id}:
    get:
      operationId: getAlbum
      parameters: [{ name: id, in: path, required: true, schema: { type: integer, minimum: 1, maximum: 1000 } }]
      responses:
        '200':
          description: The album.
          content:
            multipart/related:
              example: { about: { title: Alps }, words: [high, cold], picture: pixels }
              schema:
                type: object
                required: [about]
                properties:
                  about: { type: object, required: [title], properties: { title: { type: string, maxLength: 5 } } }
                  words: { type: array, items: { type: string } }
                  picture: { type: string, format: binary }
                  secret: { type: string, writeOnly: true }
              encoding: { picture: { contentType: image/png, headers: { X-By: { required: true, schema: { type: string } } } } }
  /notes:
    get:
      operationId: listNotes
      responses:
        '200':
          description: All notes.
          content:
            multipart/mixed:
              schema: { type: array, minItems: 1, items: { type: object, required: [title], properties: { title: { type: string } } } }
              example: [{ title: one }, { title: two }]
";

/// The parts of a body without their boundary.
fn parts<'t>(content_type: &str, text: &'t str) -> Vec<&'t str> {
    let boundary = content_type.split("boundary=").nth(1).and_then(|rest| rest.split(';').next()).expect("a boundary");
    let (delimiter, end) = (format!("--{boundary}\r\n"), format!("--{boundary}--\r\n"));
    let parts = text.strip_suffix(end.as_str()).expect("the end").split(delimiter.as_str()).skip(1);
    parts.map(|part| part.strip_suffix("\r\n").expect("the end of a part")).collect()
}

#[tokio::test]
async fn a_mock_answers_parts() {
    let mock = Mock::start(&Folder::new(&[("albums.yaml", ALBUMS)]), "albums.yaml");
    let album = mock.get("/albums/7").await;
    let content_type = album.headers["content-type"].to_str().unwrap();
    assert!(content_type.ends_with("; type=\"application/json\""), "{content_type}");
    let word = "Content-Disposition: form-data; name=\"words\"\r\nContent-ID: ";
    let picture = "Content-Disposition: form-data; name=\"picture\"; filename=\"file.bin\"\r\nContent-Type: image/png";
    let expected = [
        "Content-Disposition: form-data; name=\"about\"\r\nContent-Type: application/json\r\nContent-ID: <about>\r\n\r\n{\"title\":\"Alps\"}",
        &format!("{word}<words>\r\n\r\nhigh"),
        &format!("{word}<words.2>\r\n\r\ncold"),
        &format!("{picture}\r\nContent-ID: <picture>\r\nX-By: 1\r\n\r\npixels"),
    ];
    assert_eq!(parts(content_type, &album.text), expected);
    let notes = mock.get("/notes").await;
    let note = |title: &str| format!("Content-Type: application/json\r\n\r\n{{\"title\":\"{title}\"}}");
    let found = parts(notes.headers["content-type"].to_str().unwrap(), &notes.text);
    assert_eq!(found, ["one", "two"].map(note));
    let random = mock.send("GET", "/notes", &[("prefer", "dynamic=true")], "").await;
    assert_ne!(random.text, notes.text);
}

#[tokio::test]
async fn parts_that_break_the_description_are_found() {
    let part = |head: &str, text: &str| format!("--b\r\n{head}\r\n\r\n{text}\r\n");
    let named = |name: &str| format!("Content-Disposition: form-data; name=\"{name}\"");
    let good = part(&named("about"), r#"{"title":"Alps"}"#);
    let picture = |head: &str| good.clone() + &part(&format!("{}\r\n{head}", named("picture")), "png");
    for (parts, expected) in [
        (good.clone(), None),
        (part("Content-ID: <about>", r#"{"title":"Alps"}"#) + &part(&named("more"), "1"), None),
        (picture("Content-Type: image/png\r\nX-By: a"), None),
        (
            part(&named("about"), r#"{"title":"Pyrenees"}"#),
            Some("200, body /about/title: \"Pyrenees\" is longer than 5 characters (`maxLength`)"),
        ),
        (part(&named("words"), "a"), Some("200, body: \"about\" is a required property (`required`)")),
        (
            picture("Content-Type: image/gif\r\nX-By: a"),
            Some("200, body /picture: is `image/gif`, not image/png (`contentType`)"),
        ),
        (picture("Content-Type: image/png"), Some("200, body /picture: has no header `X-By` (`required`)")),
        (good.clone() + &part(&named("secret"), "a"), Some("(`writeOnly`)")),
        ("--b\r\nA".to_owned(), Some("200, body: is not a multipart body (`syntax`)")),
    ] {
        let body = format!("{parts}--b--\r\n");
        let answer = get(async move |_: Path<i32>| ([(CONTENT_TYPE, "multipart/related; boundary=b")], body));
        let router = Router::new().route("/albums/{id}", answer);
        let run = proved_by(ALBUMS, router, "--only getAlbum --samples 1 --format json").await;
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        let found: Vec<_> = report["findings"].as_array().unwrap().iter().collect();
        let about_bodies =
            found.iter().filter(|found| ["response-body", "write-only"].contains(&found["kind"].as_str().unwrap()));
        let details: Vec<_> = about_bodies.map(|found| found["detail"].as_str().unwrap()).collect();
        match expected {
            None => assert!(details.is_empty(), "{parts}: {details:?}"),
            Some(expected) => {
                assert!(details.len() == 1 && details[0].contains(expected), "{parts}: {details:?} {report}");
            }
        }
    }
}
