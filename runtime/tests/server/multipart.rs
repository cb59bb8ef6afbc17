//! Multipart bodies, read while they arrive.

use http::StatusCode;

use crate::bodies::pieces;
use crate::runtime::server::{Limits, Options};
use crate::service::{Answer, Doorkeeper, Service, app, request, send_to};

const HEADERS: [&str; 2] = ["Authorization: Bearer secret", "Content-Type: multipart/form-data; boundary=X"];
const FILE: &str = "--X\r\nContent-Disposition: form-data; name=\"formFile\"; filename=\"a.txt\"\r\n\
                    Content-Type: text/plain\r\n\r\nabc\r\n-- X in the text\r\n";
const TAG: &str = "--X\r\nContent-Disposition: form-data; name=\"Tags\"\r\n\r\nblue\r\n";
const LONG_TAG: &str = "--X\r\nContent-Disposition: form-data; name=\"Tags\"\r\n\r\nblueish\r\n";
const OWNER: &str = "--X\r\nContent-Disposition: form-data; name=\"Owner\"\r\n\r\n{\"name\":\"Ann\"}\r\n";
const NAMELESS: &str = "--X\r\nContent-Disposition: form-data; name=\"Owner\"\r\n\r\n{\"Employees\":1}\r\n";
const UNKNOWN: &str = "--X\r\nContent-Disposition: form-data; name=\"Colour\"\r\n\r\nblue\r\n";
const DROPPED: &str = "--X\r\nContent-Disposition: form-data; name=\"formFile\"; filename=\"dropped.txt\"\r\n\r\n";
const END: &str = "--X--\r\n";

async fn attach(parts: &[&'static str]) -> Answer {
    send_to(app(), request("POST /accounts/7/attachments", &HEADERS, pieces(parts.to_vec()))).await
}

#[tokio::test]
async fn parts_arrive_with_their_types() {
    let answer = attach(&[TAG, FILE, OWNER, TAG, END]).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert_eq!(answer.text, r#"7: blue, Some("a.txt") Some("text/plain") 21, Ann, blue"#);
}

#[tokio::test]
async fn the_extended_file_name_wins() {
    const BOTH: &str = "--X\r\nContent-Disposition: form-data; name=formFile; \
        filename=\"=?utf-8?B?w4RyZ2VyLnR4dA==?=\"; filename*=utf-8''%C3%84rger.txt\r\n\r\nabc\r\n";
    const ALONE: &str =
        "--X\r\nContent-Disposition: form-data; name=\"formFile\"; filename*=UTF-8''%C3%84rger.txt\r\n\r\nabc\r\n";
    const WORD: &str = "--X\r\nContent-Disposition: form-data; name=\"formFile\"; filename=\"=?utf-8?Q?=C3=84rger.txt?=\"\r\n\r\nabc\r\n";
    for file in [BOTH, ALONE, WORD] {
        let answer = attach(&[TAG, file, END]).await;
        assert_eq!(answer.text, r#"7: blue, Some("Ärger.txt") None 3"#, "{file}");
    }
}

#[tokio::test]
async fn parts_that_break_rules_are_refused() {
    for (parts, violation) in [
        (&[TAG, END][..], "body  /formFile required is missing"),
        (&[FILE, FILE, END], "body  /formFile duplicate is there more than once"),
        (&[FILE, END], "body   minProperties has 1 of the parts `formFile`, `Tags`, `Owner`, at least 2"),
        (&[TAG, FILE, TAG, TAG, END], "body  /Tags maxItems has 3 items, at most 2"),
        (&[FILE, UNKNOWN, END], "body  /Colour unknown is not a part of this body"),
        (&[LONG_TAG, FILE, END], "body  /Tags maxLength "),
        (&[NAMELESS, FILE, END], "body  /Owner/Name required is missing"),
    ] {
        let answer = attach(parts).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", answer.text);
        assert!(answer.violations()[0].starts_with(violation), "{}", answer.text);
    }
}

#[tokio::test]
async fn what_stands_between_parts_is_bounded_and_what_is_dropped_is_not() {
    let long: &'static str = "x".repeat(20 << 10).leak();
    let halves = || [&long[..10 << 10], &long[10 << 10..]];
    let of = |before: &[&'static str], after: &[&'static str]| [before, &halves(), after].concat();
    for (parts, status) in [
        // Before the first part, in the headers of a part, and after a boundary.
        (of(&[], &["\r\n", TAG, FILE, END]), 413),
        (of(&["--X\r\nX-Long: "], &["\r\n", &TAG[5..], FILE, END]), 413),
        (of(&[TAG, "--X\r\nX-Long: "], &["\r\n", &FILE[5..], END]), 413),
        (vec![&long[..10 << 10], "\r\n", TAG, FILE, END], 200),
        (vec!["--X\r\nX-Long: ", &long[..10 << 10], "\r\n", &TAG[5..], FILE, END], 200),
        (of(&[TAG, DROPPED], &[long, "\r\n", OWNER, END]), 200),
    ] {
        let answer = attach(&parts).await;
        assert_eq!(answer.status.as_u16(), status, "{}", answer.text);
    }
}

#[tokio::test]
async fn a_body_that_ends_early_is_a_bad_request() {
    assert_eq!(attach(&[FILE]).await.status, StatusCode::BAD_REQUEST);
    assert_eq!(attach(&[]).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn limits_hold_while_the_body_is_being_sent() {
    let limited = async |limits: Limits| {
        let app = crate::router::router(Service, Doorkeeper, &Options::default().limits(limits));
        let parts = pieces(vec![TAG, FILE, OWNER, END]);
        send_to(app, request("POST /accounts/7/attachments", &HEADERS, parts)).await.status
    };
    let limits = Limits { body: 16, upload: 1000, parts: 3 };
    assert_eq!(limited(limits).await, StatusCode::OK);
    assert_eq!(limited(Limits { body: 3, ..limits }).await, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(limited(Limits { upload: 100, ..limits }).await, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(limited(Limits { parts: 2, ..limits }).await, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn a_form_without_a_boundary_cannot_be_read() {
    let headers = ["Authorization: Bearer secret", "Content-Type: multipart/form-data"];
    let answer = send_to(app(), request("POST /accounts/7/attachments", &headers, END)).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.text);
}
