//! Uploads and downloads.

use bytes::Bytes;

use crate::files::{Attach, AttachBody, Files, GetFile, GetFileError, PutFile};
use crate::models::Account;
use crate::runtime::client::{Body, Credential, Error};
use crate::runtime::multipart::Part;
use crate::script::{Script, reply};
use crate::security::API_KEY;

fn get() -> GetFile {
    GetFile { name: "a".to_owned() }
}

fn keyed(script: &Script) -> Files {
    script.builder().credential(&API_KEY, Credential::api_key("k")).build().unwrap().files()
}

#[tokio::test]
async fn parts_are_sent_as_browsers_send_them() {
    let script = Script::of([reply(200).body("ok")]).await;
    let folder = std::env::temp_dir().join(format!("client-streams-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("Übersicht \"1\".txt");
    std::fs::write(&path, "from a file").unwrap();

    let body = AttachBody {
        file: Part::file(&path).await.unwrap(),
        note: Some("two\nlines".to_owned()),
        owner: Some(Account { id: 7, name: "Acme".to_owned() }),
        more: vec![Part::bytes("b.png", vec![1, 2]).content_type("image/png"), Part::bytes("c", "")],
    };
    assert_eq!(script.files().attach(Attach { name: "a".to_owned(), body }).await.unwrap(), "ok");
    std::fs::remove_dir_all(&folder).unwrap();

    let asked = script.asked().remove(0);
    let boundary = asked.header("content-type").strip_prefix("multipart/form-data; boundary=").unwrap().to_owned();
    assert_eq!(asked.header("content-length"), asked.body.len().to_string());
    let expected = [
        "--B",
        "Content-Disposition: form-data; name=\"file\"; filename=\"Übersicht %221%22.txt\"",
        "Content-Type: application/octet-stream",
        "",
        "from a file",
        "--B",
        "Content-Disposition: form-data; name=\"note\"",
        "",
        "two\nlines",
        "--B",
        "Content-Disposition: form-data; name=\"owner\"",
        "Content-Type: application/json",
        "",
        "{\"id\":7,\"name\":\"Acme\"}",
        "--B",
        "Content-Disposition: form-data; name=\"more\"; filename=\"b.png\"",
        "Content-Type: image/png",
        "",
        "\u{1}\u{2}",
        "--B",
        "Content-Disposition: form-data; name=\"more\"; filename=\"c\"",
        "Content-Type: application/octet-stream",
        "",
        "",
        "--B--",
        "",
    ];
    assert_eq!(asked.text().replace(&boundary, "B"), expected.join("\r\n"));
}

#[tokio::test]
async fn a_part_without_a_file() {
    assert_eq!(Part::file("/no/such/file").await.unwrap_err().kind(), std::io::ErrorKind::NotFound);
    assert!(Part::file(std::env::temp_dir()).await.is_err());
}

#[tokio::test]
async fn bytes_of_any_media_type() {
    let script = Script::of([reply(204), reply(204)]).await;
    let files = keyed(&script);
    files.put_file(PutFile { name: "a".to_owned(), body: Body::bytes("text").content_type("text/csv") }).await.unwrap();
    files.put_file(PutFile { name: "a".to_owned(), body: vec![1, 2, 3].into() }).await.unwrap();
    let asked = script.asked();
    assert_eq!((asked[0].header("content-type"), asked[0].text()), ("text/csv", "text"));
    assert_eq!(asked[1].header("content-type"), "application/octet-stream");
    assert_eq!(asked[1].body, [1, 2, 3]);
}

#[tokio::test]
async fn a_truncated_body_is_an_error() {
    struct Broken;

    impl futures_core::Stream for Broken {
        type Item = std::io::Result<Bytes>;

        fn poll_next(
            self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Self::Item>> {
            std::task::Poll::Ready(Some(Err(std::io::Error::other("the disk is gone"))))
        }
    }

    let script = Script::of([]).await;
    let error =
        keyed(&script).put_file(PutFile { name: "a".to_owned(), body: Body::stream(Broken) }).await.unwrap_err();
    assert!(matches!(error, Error::Transport(_)));
    let mut cause: &dyn std::error::Error = &error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    assert_eq!(cause.to_string(), "the disk is gone");
}

#[tokio::test]
async fn a_download_is_handed_on_as_it_arrives() {
    let large = vec![7_u8; 3_000_000];
    let answer = || reply(200).header("content-type", "image/png").body(large.clone());
    let script = Script::of([answer(), answer(), answer(), answer()]).await;
    let files = keyed(&script);

    let mut download = files.get_file(get()).await.unwrap();
    assert_eq!(download.content_type(), Some("image/png"));
    assert_eq!(download.content_length(), Some(3_000_000));
    let (mut length, mut chunks) = (0, 0);
    while let Some(chunk) = download.chunk().await.unwrap() {
        length += chunk.len();
        chunks += 1;
    }
    assert_eq!(length, large.len());
    assert!(chunks > 1);

    assert_eq!(files.get_file(get()).await.unwrap().bytes().await.unwrap(), large);

    let path = std::env::temp_dir().join(format!("client-download-{}", std::process::id()));
    assert_eq!(files.get_file(get()).await.unwrap().save(&path).await.unwrap(), 3_000_000);
    assert_eq!(std::fs::read(&path).unwrap(), large);
    std::fs::remove_file(&path).unwrap();

    let client = script.builder().credential(&API_KEY, Credential::api_key("k")).response_limit(10).build().unwrap();
    let error = client.files().get_file(get()).await.unwrap().bytes().await.unwrap_err();
    assert_eq!(error.to_string(), "the body is longer than the limit of 10 bytes");
}

#[tokio::test]
async fn a_download_that_fails_is_an_error_with_its_body() {
    let script = Script::of([reply(404).body("no such file")]).await;
    match keyed(&script).get_file(get()).await {
        Err(Error::Api(failure)) => assert_eq!(failure.body, GetFileError::NotFound("no such file".to_owned())),
        other => panic!("{other:?}"),
    }
}
