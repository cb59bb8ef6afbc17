//! Multipart bodies of responses.

use std::time::Duration;

use axum::response::IntoResponse;
use axum::routing::get;
use bytes::Bytes;
use compiled_client::albums::{
    GetAlbum as AskAlbum, GetAlbumOkPart, GetCover as AskCover, GetCoverOkBody as SeenCover, GetCoverOkPart,
    ListPictures as AskPictures, ListPicturesDefaultPart, ListPicturesError as SeenFailure, WatchAlbum as Watch,
};
use compiled_client::runtime::multipart::ReadError;
use compiled_client::{Client, Error};
use compiled_server::albums::{
    Albums, GetAlbum, GetAlbumOkBody, GetCover, GetCoverOkBody, GetCoverOkBodyMultipart, GetCoverResponse,
    ListPictures, ListPicturesDefaultBody, ListPicturesError, ListPicturesOkBody, WatchAlbum, WatchAlbumOkBody, router,
};
use compiled_server::models::{Mistake, Picture};
use compiled_server::runtime::multipart::{Part, WithHeaders};
use compiled_server::runtime::server::{Call, Failure, Options};
use futures_util::StreamExt as _;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use crate::echo::client_of;

fn picture(title: &str) -> Picture {
    Picture { title: title.to_owned(), width: None }
}

struct Shelf;

impl Albums for Shelf {
    async fn get_album(&self, _: Call<()>, request: GetAlbum) -> Result<GetAlbumOkBody, Failure<GetAlbum>> {
        if request.id == 0 {
            return Err(Failure::not_found("album", 0).with_body(&Mistake { title: "none".to_owned() }));
        }
        let chunks = futures_util::stream::iter(["1", "2"].map(|chunk| Ok::<_, std::io::Error>(Bytes::from(chunk))));
        Ok(GetAlbumOkBody {
            words: vec!["ü\r\n--".to_owned(), String::new()],
            place: Some(vec![1, 2]),
            pictures: vec![Part::bytes("ä.png", "\r\n--"), Part::stream("b.jpg", chunks).content_type("image/jpeg")],
            ..GetAlbumOkBody::new(picture("one"), 7)
        })
    }

    async fn get_cover(&self, _: Call<()>, request: GetCover) -> Result<GetCoverResponse, Failure<GetCover>> {
        let parts = GetCoverOkBodyMultipart {
            picture: Some(Part::bytes("a.png", "123").header("X-Source", "camera")),
            ..GetCoverOkBodyMultipart::new(picture("one"))
        };
        let body = match request.id {
            1 => GetCoverOkBody::Json(picture("one")),
            _ => GetCoverOkBody::Multipart(parts),
        };
        Ok(GetCoverResponse { x_version: 3, body })
    }

    async fn list_pictures(&self, _: Call<()>, _: ListPictures) -> Result<ListPicturesOkBody, Failure<ListPictures>> {
        Ok(vec![picture("one"), picture("two")].into())
    }

    async fn watch_album(&self, _: Call<()>, _: WatchAlbum) -> Result<WatchAlbumOkBody, Failure<WatchAlbum>> {
        let first = Part::bytes("1.jpg", "1");
        // It never ends.
        let chunk = futures_util::stream::iter([Ok::<_, std::io::Error>(Bytes::from("2"))]);
        let second = Part::stream("2.jpg", chunk.chain(futures_util::stream::pending()));
        Ok(vec![first, second].into())
    }
}

/// The parts of an album as text.
async fn album(client: &Client, id: i32) -> Result<Vec<String>, ReadError> {
    let mut body = client.albums().get_album(AskAlbum { id }).await.expect("parts");
    let mut seen = Vec::new();
    while let Some(part) = body.next().await? {
        seen.push(match part {
            GetAlbumOkPart::About(picture) => picture.title,
            GetAlbumOkPart::Pages(pages) => pages.to_string(),
            GetAlbumOkPart::Words(word) => word,
            GetAlbumOkPart::Place(place) => format!("{place:?}"),
            GetAlbumOkPart::Pictures(file) => {
                let name = file.file_name().unwrap_or("-").to_owned();
                let media_type = file.content_type().unwrap_or("-").to_owned();
                format!("{name} {media_type} {:?}", file.bytes(1 << 20).await?)
            }
        });
    }
    Ok(seen)
}

#[tokio::test]
async fn parts_of_an_answer_arrive_one_by_one() {
    let client = client_of(router(Shelf, &Options::default())).await;
    let expected = ["one", "7", "ü\r\n--", "", "[1, 2]", "ä.png image/png b\"\\r\\n--\"", "b.jpg image/jpeg b\"12\""];
    assert_eq!(album(&client, 1).await.expect("all of them"), expected);
    let error = client.albums().get_album(AskAlbum { id: 0 }).await.expect_err("there is none");
    assert_eq!(error.status(), Some(StatusCode::NOT_FOUND));

    let mut body = client.albums().list_pictures(AskPictures {}).await.expect("parts");
    let mut titles = Vec::new();
    while let Some(picture) = body.next().await.expect("a picture") {
        titles.push(picture.title);
    }
    assert_eq!(titles, ["one", "two"]);
}

#[tokio::test]
async fn parts_are_one_of_several_contents() {
    let client = client_of(router(Shelf, &Options::default())).await;
    let cover = client.albums().get_cover(AskCover { id: 1 }).await.expect("JSON");
    assert!(matches!(cover.body, SeenCover::Json(picture) if picture.title == "one"));
    let cover = client.albums().get_cover(AskCover { id: 2 }).await.expect("parts");
    assert_eq!(cover.x_version, Ok(3));
    let SeenCover::Multipart(mut parts) = cover.body else { panic!("{:?}", cover.body) };
    let first = parts.next().await.expect("a part");
    assert!(matches!(&first, Some(GetCoverOkPart::About(picture)) if picture.title == "one"), "{first:?}");
    let second = parts.next().await.expect("a part");
    let Some(GetCoverOkPart::Picture(file)) = second else { panic!("{second:?}") };
    assert_eq!(
        (&file.headers()["x-source"], &file.headers()["content-id"]),
        (&HeaderValue::from_static("camera"), &HeaderValue::from_static("<picture>"),)
    );
    drop(file);
    assert!(parts.next().await.expect("the end").is_none());
}

#[tokio::test]
async fn a_part_arrives_before_the_next_one_is_sent() {
    let client = client_of(router(Shelf, &Options::default())).await;
    let mut frames = client.albums().watch_album(Watch {}).await.expect("parts");
    let mut first = frames.next().await.expect("a part").expect("a frame");
    assert_eq!(first.chunk().await.expect("bytes").as_deref(), Some(&b"1"[..]));
    let held = frames.next().await.expect_err("the first one is still here");
    assert!(matches!(held, ReadError::PartHeld), "{held}");
    drop(first);
    let mut second = frames.next().await.expect("a part").expect("a frame");
    assert_eq!(second.file_name(), Some("2.jpg"));
    assert_eq!(second.chunk().await.expect("bytes").as_deref(), Some(&b"2"[..]));
    let waits = tokio::time::timeout(Duration::from_millis(10), second.chunk()).await;
    assert!(waits.is_err(), "{waits:?}");
}

struct Refusing;

impl Albums for Refusing {
    async fn get_album(&self, _: Call<()>, _: GetAlbum) -> Result<GetAlbumOkBody, Failure<GetAlbum>> {
        let failure = futures_util::stream::once(async {
            // What was sent before arrives.
            tokio::time::sleep(Duration::from_millis(10)).await;
            Err::<Bytes, _>(std::io::Error::other("the disk is gone"))
        });
        let pictures = vec![Part::stream("a.png", failure)];
        Ok(GetAlbumOkBody { pictures, ..GetAlbumOkBody::new(picture("one"), 7) })
    }

    async fn get_cover(&self, _: Call<()>, _: GetCover) -> Result<GetCoverResponse, Failure<GetCover>> {
        Err(Failure::unavailable(1).into())
    }

    async fn list_pictures(
        &self,
        call: Call<()>,
        _: ListPictures,
    ) -> Result<ListPicturesOkBody, Failure<ListPictures>> {
        let headers = HeaderMap::from_iter([(HeaderName::from_static("x-lines"), HeaderValue::from_static("1"))]);
        let log = WithHeaders { value: "it fell".to_owned(), headers };
        let first = (!call.headers().contains_key("x-gap")).then(|| Mistake { title: "gone".to_owned() });
        let body = ListPicturesDefaultBody { first, second: Some(log) };
        Err(ListPicturesError::Default { status: StatusCode::GONE, body }.into())
    }

    async fn watch_album(&self, _: Call<()>, _: WatchAlbum) -> Result<WatchAlbumOkBody, Failure<WatchAlbum>> {
        Ok(Vec::new().into())
    }
}

#[tokio::test]
async fn failures_have_parts_too() {
    let client = client_of(router(Refusing, &Options::default())).await;
    let error = client.albums().list_pictures(AskPictures {}).await.expect_err("it refuses");
    let Error::Api(error) = error else { panic!("{error}") };
    let SeenFailure::Default { status, mut body } = error.body;
    assert_eq!(status, StatusCode::GONE);
    let first = body.next().await.expect("a part");
    assert!(matches!(&first, Some(ListPicturesDefaultPart::First(mistake)) if mistake.title == "gone"), "{first:?}");
    let second = body.next().await.expect("a part");
    let Some(ListPicturesDefaultPart::Second(log)) = second else { panic!("{second:?}") };
    assert_eq!((log.value.as_str(), &log.headers["x-lines"]), ("it fell", &HeaderValue::from_static("1")));
    assert!(body.next().await.expect("the end").is_none());

    let mut none = client.albums().watch_album(Watch {}).await.expect("a body of no parts");
    assert!(none.next().await.expect("the end").is_none());
}

#[tokio::test]
async fn a_server_says_nothing_that_would_arrive_as_something_else() {
    let url = crate::echo::serve(router(Refusing, &Options::default())).await;
    let request = reqwest::Client::new().get(format!("{url}/albums/pictures")).header("x-gap", "1");
    let answer = request.send().await.expect("a response");
    assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR, "the second part would be the first");
}

#[tokio::test]
async fn a_file_that_breaks_off_is_an_error() {
    let client = client_of(router(Refusing, &Options::default())).await;
    let error = album(&client, 1).await.expect_err("the file ends early");
    assert!(matches!(error, ReadError::BrokenOff(_)), "{error}");
}

/// A client of a server that sends these parts of an album.
async fn sending(content_type: &'static str, parts: &[&str]) -> Client {
    let body = parts.iter().map(|part| format!("--x\r\n{part}\r\n")).collect::<Vec<_>>().concat() + "--x--\r\n";
    let answer = move || {
        let body = body.clone();
        async move { ([("content-type", content_type)], body).into_response() }
    };
    client_of(axum::Router::new().route("/albums/{id}", get(answer))).await
}

#[tokio::test]
async fn a_client_tolerates_what_it_can_read() {
    const TYPE: &str = "multipart/form-data; boundary=x";
    let about = "Content-Disposition: form-data; name=\"about\"\r\n\r\n{\"title\":\"one\",\"more\":1}";
    let unknown = "Content-Disposition: form-data; name=\"unknown\"\r\n\r\n1";
    let gif = "Content-Disposition: form-data; name=\"pictures\"\r\nContent-Type: image/gif\r\n\r\n1";
    let by_id = "Content-ID: <pages>\r\n\r\n700";
    let client = sending(TYPE, &[unknown, about, about, gif, by_id]).await;
    assert_eq!(album(&client, 1).await.expect("parts"), ["one", "one", "- image/gif b\"1\"", "700"]);
    let client = sending(TYPE, &[]).await;
    assert_eq!(album(&client, 1).await.expect("no parts"), Vec::<String>::new());
}

#[tokio::test]
async fn a_client_says_which_part_it_cannot_read() {
    const TYPE: &str = "multipart/form-data; boundary=x";
    let pages = "Content-Disposition: form-data; name=\"pages\"\r\n\r\nmany";
    let about = "Content-Disposition: form-data; name=\"about\"\r\n\r\n{\"title\":1}";
    for (part, pointer) in [(pages, "/pages"), (about, "/about/title")] {
        let error = album(&sending(TYPE, &[part]).await, 1).await.expect_err("it is no number");
        let pointers: Vec<_> = error.violations().iter().map(|violation| violation.pointer.as_str()).collect();
        assert_eq!(pointers, [pointer], "{error}");
    }
    let client = sending(TYPE, &[pages, about, "Content-ID: <pages>\r\n\r\n7"]).await;
    let mut body = client.albums().get_album(AskAlbum { id: 1 }).await.expect("parts");
    assert!(body.next().await.is_err() && body.next().await.is_err());
    let third = body.next().await.expect("a part after two that cannot be read");
    assert!(matches!(third, Some(GetAlbumOkPart::Pages(7))), "{third:?}");
    let client = sending("multipart/form-data", &[pages]).await;
    let error = client.albums().get_album(AskAlbum { id: 1 }).await.expect_err("there is no boundary");
    let reason = std::error::Error::source(&error).expect("a reason").to_string();
    assert!(reason.contains("boundary"), "{reason}");
    let client = sending("multipart/form-data; boundary=y", &[pages]).await;
    let error = album(&client, 1).await.expect_err("it is another boundary");
    assert!(matches!(error, ReadError::Malformed(_)), "{error}");
}

#[tokio::test]
async fn a_part_in_memory_is_bounded() {
    let long = format!("Content-Disposition: form-data; name=\"words\"\r\n\r\n{}", "a".repeat(3000));
    let url = {
        let body = format!("--x\r\n{long}\r\n--x--\r\n");
        let answer = move || {
            let body = body.clone();
            async move { ([("content-type", "multipart/form-data; boundary=x")], body).into_response() }
        };
        crate::echo::serve(axum::Router::new().route("/albums/{id}", get(answer))).await
    };
    let client = Client::builder(&url).and_then(|builder| builder.response_limit(2000).build()).expect("a URL");
    let error = album(&client, 1).await.expect_err("it is too long");
    assert!(matches!(error, ReadError::TooLarge(_)), "{error}");
}
