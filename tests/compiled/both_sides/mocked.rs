//! What `specwright mock` checks requests with refuses those that the generated server refuses.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use compiled_server::OPENAPI;
use compiled_server::runtime::server::Options;
use compiled_server::{formats, nullable_optional, parameter_styles, recursion};
use http::{HeaderName, HeaderValue, Request};
use specwright_exchange::{Document, Operation, Received, Values, status_of_refusal};
use tower::ServiceExt as _;

use crate::echo::Echo;

/// The status of valid requests.
const ACCEPTED: u16 = 200;

/// A method and a target, headers, and a body.
type Line<'l> = (&'l str, &'l [(&'l str, &'l [u8])], &'l [u8]);

/// Expects the same statuses of the server and of the mock.
async fn refused_alike(router: Router, lines: &[Line<'_>]) {
    let document = Document::read("openapi.json", |_| Ok(OPENAPI.into())).unwrap();
    let operations: &[Operation] = Vec::leak(document.operations());
    let mut values = Values::new(Arc::new(document));
    let (mut refused, mut different) = (0, Vec::new());
    for (line, headers, body) in lines {
        let (method, target) = line.split_once(' ').unwrap();
        let mut request = Request::builder().method(method).uri(target).body(Body::from(body.to_vec())).unwrap();
        for (name, value) in *headers {
            let value = HeaderValue::from_bytes(value).unwrap();
            request.headers_mut().append(name.parse::<HeaderName>().unwrap(), value);
        }
        let (uri, headers) = (request.uri().clone(), request.headers().clone());
        let operation = operations.iter().find(|found| found.is_at(uri.path()) && found.method == method).unwrap();
        let received = Received { path: uri.path(), query: uri.query(), headers: &headers, body };
        let violations = values.check_request(operation, &received);
        let mocked = if violations.is_empty() { ACCEPTED } else { status_of_refusal(&violations) };
        let answer = router.clone().oneshot(request).await.unwrap();
        let status = if answer.status().is_success() { ACCEPTED } else { answer.status().as_u16() };
        refused += usize::from(status != ACCEPTED);
        if status != mocked {
            let answer = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
            let (answer, body) = (String::from_utf8_lossy(&answer), String::from_utf8_lossy(body));
            different.push(format!("{line} {headers:?} {body}: {status} {answer}, the mock: {mocked} {violations:?}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
    assert!(refused > 0 && refused < lines.len());
}

/// GET requests of the operation at a path, with these queries.
fn queries(path: &str, queries: &[&str]) -> Vec<String> {
    queries.iter().map(|query| format!("GET {path}{query}")).collect()
}

#[tokio::test]
async fn parameters() {
    let mut targets = queries(
        "/query?required=",
        &[
            "1",
            "007",
            "-1",
            "-",
            "",
            "+1",
            "1.0",
            "1e3",
            "0x10",
            "%201",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775809",
            "100000000000000000000",
            "1&required=1",
            "1&value=",
            "1&value=%FF",
            "1&list=a&list=%FF",
            "1&listInOne=a,b",
            "1&listInOne=a&listInOne=b",
            "1&spaced=a%20b",
            "1&piped=a%7Cb",
            "1&pointInOne=x,1",
            "1&pointInOne=x",
            "1&pointInOne=x,1,x,2",
            "1&pointInOne=x,1,z,1,z,2",
            "1&pointInOne=x,1&pointInOne=x,1",
            "1&pointInOne=",
            "1&deep[x]=1",
            "1&deep[x]=1&deep[x]=2",
            "1&deep%5Bx%5D=1&deep[x]=2",
            "1&deep[x]=",
            "1&deep[x]=2147483648",
            "1&deep[x]=1&deep[z]=1&deep[z]=2",
            "1&deep[x]=1&deep[x][y]=1",
            "1&deep[y]=1",
            "1&deep[x]=1&deep[label]=%FF",
            "1&json=%7B%22x%22:1%7D",
            "1&json=%7B%22x%22:1,%22x%22:1%7D",
            "1&json=%7B%7D",
            "1&json=%7B%22x%22:1,%22z%22:1,%22z%22:1%7D",
            "1&json=%7B%22x%22:1%7D&json=%7B%22x%22:1%7D",
            "1&json=x",
            "1&oneOrMany=a&oneOrMany=b",
            "1&at=2024-02-29T12:00:00Z",
            "1&at=2024-02-29",
            "1&at=2023-02-29",
            "1&at=",
        ],
    );
    targets.extend(queries("/nested-query", &["", "?maps[0][a]=1", "?maps[0][a]=2147483648"]));
    targets.extend(queries(
        "/deep-query?",
        &[
            "expand[]=a&expand[]=b",
            "expand[0]=a&expand[1]=b",
            "expand[0]=a&expand[0]=b",
            "expand=a",
            "created=1",
            "created=x",
        ],
    ));
    let matrix = |list: &str| format!("/matrix/;value=true/;list=a/;point=x,1/{list}/;x=1");
    for list in [";listExploded=a;listExploded=b", ";listExploded", ";", ";%6CistExploded=a", ";other=a", "a"] {
        targets.extend(queries(&matrix(list), &[""]));
    }
    for (list, point, exploded) in [
        ("1,2", "x,1", "x=1"),
        ("1,", "x,1", "x=1"),
        ("2147483648", "x,1", "x=1"),
        ("1", "x", "x=1"),
        ("1", "x,1,x,2", "x=1"),
        ("1", "x,1", "x"),
        ("1", "x,1", "x=1,x=2"),
        ("1", "x,1", "x=1,"),
        ("1", "x,1", "x=1,y="),
    ] {
        targets.extend(queries(&format!("/path/a/{list}/{point}/{exploded}"), &[""]));
    }
    let lines: Vec<Line<'_>> = targets.iter().map(|target| (target.as_str(), &[][..], &b""[..])).collect();
    refused_alike(parameter_styles::router(Echo::default(), &Options::default()), &lines).await;
}

#[tokio::test]
async fn headers_and_cookies() {
    let lines: [Line<'_>; 15] = [
        ("GET /headers", &[("x-required", b"1")], b""),
        ("GET /headers", &[("x-required", b"")], b""),
        ("GET /headers", &[("x-required", b"\xff")], b""),
        ("GET /headers", &[("x-required", b"1"), ("x-value", b"\xc3\xbc")], b""),
        ("GET /headers", &[("x-required", b"1"), ("x-required", b"1")], b""),
        ("GET /headers", &[("x-required", b"1"), ("x-point", b"x,1,y")], b""),
        ("GET /headers", &[("x-required", b"1"), ("x-point-exploded", b"x=1,x=2")], b""),
        ("GET /headers", &[("x-required", b"1"), ("x-point-exploded", b"x=1")], b""),
        ("GET /cookies", &[("cookie", b"visits=1; list=a,b")], b""),
        ("GET /cookies", &[("cookie", b"visits=\"1\"")], b""),
        ("GET /cookies", &[("cookie", b"visits")], b""),
        ("GET /cookies", &[("cookie", b"visits=1; visits=2")], b""),
        ("GET /cookies", &[("cookie", b"session=a"), ("cookie", b"visits=1")], b""),
        ("GET /cookies", &[("cookie", b"visits=1; session=\xff")], b""),
        ("GET /cookies", &[("cookie", b"visits=9223372036854775808")], b""),
    ];
    refused_alike(parameter_styles::router(Echo::default(), &Options::default()), &lines).await;
}

#[tokio::test]
async fn formats_of_texts_and_numbers() {
    let mut bodies = Vec::new();
    for (member, values) in [
        ("date", "2024-02-29 2023-02-29 2024-2-9 20240229"),
        ("time", "12:00:00 12:00:00.5Z 12:00 24:00:00 12:00:60 12:00:00+01:00 T12:00:00 12:00:00.1234567890"),
        (
            "dateTime",
            "2024-02-29T12:00:00Z 2024-02-29T12:00 2024-02-29T12:00:00+0130 2024-02-30T00:00:00Z 2024-02-29T24:00:00Z",
        ),
        ("dateTimeLocal", "2024-02-29T12:00:00 2024-02-29T12:00 2024-02-29T12:00:00Z 2024-02-29"),
        ("duration", "P1D PT1.5S P1W P P1 PT -P1D P1H P1.5D P1DT 1h"),
        ("uuid", "01890a5d-ac96-774b-bcce-b302099a8057 01890a5dac96774bbcceb302099a8057 x"),
        ("hostname", "a.b a_b -a a..b"),
        ("email", "a@b.c a@b @b.c a..b@c.d ü@b.c"),
        ("ipv4", "1.1.1.1 256.1.1.1 01.1.1.1"),
        ("ipv6", "::1 1::2::3 1.1.1.1"),
        ("byte", "YQ== YQ YW-_ YR== Y YQ=== !!!"),
        ("decimal", "1.50 +1 .5 1e5 1_0 - 1e400 123456789012345678901234567890"),
    ] {
        bodies.extend(values.split(' ').chain([""]).map(|value| format!(r#"{{"{member}":"{value}"}}"#)));
    }
    for (members, values) in [
        ("int8", "-128 -129 127 128 1.0 1e3"),
        ("uint8 uint16 uint32 uint64", "-1 0 255 256 65536 4294967296 18446744073709551615 18446744073709551616"),
        ("int16 int32", "-32769 32768 2147483647 2147483648 -2147483649 1e10"),
        ("integer int64", "9223372036854775807 9223372036854775808 -9223372036854775809 1e18 1e19 1.0 1.5"),
        ("number double float decimalNumber", "1e38 1e39 3.4028236e38 0.1 -0 1"),
    ] {
        for member in members.split(' ') {
            bodies.extend(values.split(' ').map(|value| format!(r#"{{"{member}":{value}}}"#)));
        }
    }
    let mut lines: Vec<Line<'_>> = Vec::new();
    let json: &[(&str, &[u8])] = &[("content-type", b"application/json")];
    lines.extend(bodies.iter().map(|body| ("POST /values", json, body.as_bytes())));
    lines.extend::<[Line<'_>; 8]>([
        ("POST /values", json, b""),
        ("POST /values", json, b"\xef\xbb\xbf{}"),
        ("POST /values", &[], b"{}"),
        ("POST /values", &[], b""),
        ("POST /values", &[("content-type", b"text/plain")], b""),
        ("POST /values", &[("content-type", b"application/json; charset=\"UTF-8\"")], b"{}"),
        ("POST /values", &[("content-type", b"application/json; charset=utf-16le")], b"{\0}\0"),
        ("POST /values", &[("content-type", b"application/json; charset=none")], b"{}"),
    ]);
    refused_alike(formats::router(Echo::default(), &Options::default()), &lines).await;
}

#[tokio::test]
async fn members_that_are_given_twice() {
    let json: &[(&str, &[u8])] = &[("content-type", b"application/json")];
    let profile = |members: &str| format!(r#"{{"name":"a","nickname":null{members}}}"#);
    let profiles = [
        "",
        r#","name":"b""#,
        r#","z":1,"z":2"#,
        r#","z":{"a":1,"a":2}"#,
        r#","friend":{"name":"a","name":"b"}"#,
        r#","friend":{"name":"a","z":1,"z":2}"#,
        r#","anything":{"a":1,"a":2}"#,
        r#","anything":[{"a":{"b":1,"b":2}}]"#,
    ]
    .map(profile);
    let lines: Vec<Line<'_>> = profiles.iter().map(|body| ("PATCH /profile", json, body.as_bytes())).collect();
    refused_alike(nullable_optional::router(Echo::default(), &Options::default()), &lines).await;

    let form: &[(&str, &[u8])] = &[("content-type", b"application/x-www-form-urlencoded")];
    let forms: [&[u8]; 10] = [
        b"name=a",
        b"name=a&name=b",
        b"name=a&parent[name]=b",
        b"name=a&parent[name]=b&parent[name]=c",
        b"",
        b"name=%FF",
        b"name=a&parent[name]=%FF",
        b"name=a&z=1&z=2",
        b"name=a&parent[name]=b&parent[z]=1&parent[z]=2",
        b"name=a&children[0][name]=b&children[0][name]=c",
    ];
    let lines: Vec<Line<'_>> = forms.iter().map(|body| ("POST /trees-in-forms", form, *body)).collect();
    refused_alike(recursion::router(Echo::default(), &Options::default()), &lines).await;
}
