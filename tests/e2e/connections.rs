//! Connections: isolation from each other, and the responses that their clients receive.

use std::{
    process::{Command, Stdio},
    time::Duration,
};

use futures_util::{StreamExt as _, stream};
use service::config::Config;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
};

use crate::{
    app::App,
    waiting::{answered, eventually},
};

/// A body of this many MiB, sent in chunks.
fn streamed(mebibytes: usize) -> reqwest::Body {
    let pieces = stream::iter(0..mebibytes * 16).map(|_| Ok::<_, std::io::Error>(vec![b' '; 64 << 10]));
    reqwest::Body::wrap_stream(pieces)
}

/// Requests refused before their body is read, with the status of each.
const REFUSED: [(&str, &str, &str, bool, u16); 6] = [
    ("POST", "/v2/crm/accounts", "application/json", true, 413),
    ("POST", "/v2/crm/accounts", "application/json", false, 401),
    ("POST", "/v2/crm/accounts", "text/plain", true, 415),
    ("POST", "/v2/system/attachments/1", "multipart/form-data", true, 400),
    ("POST", "/v2/nowhere", "application/json", true, 404),
    ("DELETE", "/v2/crm/accounts", "application/json", true, 405),
];

#[tokio::test]
async fn clients_refused_while_sending_can_read_the_response() {
    let app = App::start().await;
    for http2 in [false, true] {
        let builder = reqwest::Client::builder().pool_max_idle_per_host(0);
        let client = if http2 { builder.http2_prior_knowledge() } else { builder }.build().expect("a client");
        for (method, path, media_type, is_known, status) in REFUSED {
            let token = if is_known { app.token() } else { "bms_unknown" };
            for attempt in 0..3 {
                let request = client
                    .request(method.parse().expect("a method"), format!("http://{}{path}", app.address))
                    .bearer_auth(token)
                    .header("content-type", media_type)
                    .body(streamed(8));
                let answer = request.send().await;
                let answer = answer.unwrap_or_else(|error| panic!("{method} {path} {http2} {attempt}: {error:?}"));
                assert_eq!(answer.status(), status, "{method} {path} {media_type}, HTTP/2: {http2}");
                let text = answer.text().await.expect("the whole answer");
                assert!(text.contains("\"Success\":false"), "{text}");
            }
        }
    }
}

/// Many clients read nothing until they have sent everything.
#[tokio::test]
async fn clients_that_send_everything_first_can_read_the_response() {
    let app = App::start().await;
    for (method, path, media_type, is_known, status) in REFUSED {
        let token = if is_known { app.token() } else { "bms_unknown" };
        let mut stream = TcpStream::connect(app.address).await.expect("connected");
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\ncontent-type: {media_type}\r\n\
             content-length: {}\r\n\r\n",
            8 << 20
        );
        stream.write_all(head.as_bytes()).await.expect("the head is sent");
        for _ in 0..128 {
            stream.write_all(&vec![b' '; 64 << 10]).await.unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        }
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{method} {path}: {answer}");
        assert!(answer.contains("\r\nconnection: close\r\n"), "{answer}");
    }
}

#[tokio::test]
async fn curl_reads_the_answer_and_sends_nothing_when_it_asked_first() {
    let app = App::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("body");
    std::fs::write(&file, vec![b' '; 8 << 20]).expect("written");
    let run = async |expect: &str| {
        let mut command = Command::new("curl");
        command
            .args(["--silent", "--show-error", "--max-time", "20", "--write-out", "\n%{http_code} %{size_upload}"])
            .args(["--header", &format!("Authorization: Bearer {}", app.token())])
            .args(["--header", "Content-Type: application/json", "--header", expect])
            .args(["--data-binary", &format!("@{}", file.display())])
            .arg(format!("http://{}/v2/crm/accounts", app.address))
            .stdin(Stdio::null());
        let output = tokio::task::spawn_blocking(move || command.output()).await.expect("no panic");
        output.map(|output| (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned()))
    };
    let Ok((is_well, text)) = run("Expect:").await else {
        eprintln!("left out: there is no curl");
        return;
    };
    assert!(is_well && text.contains("\n413 ") && text.contains("\"Success\":false"), "{text}");
    let (is_well, text) = run("Expect: 100-continue").await.expect("curl runs");
    assert!(is_well && text.ends_with("\n413 0"), "nothing is sent: {text}");
}

#[tokio::test]
async fn a_small_unread_body_keeps_the_connection_open() {
    let app = App::start().await;
    let mut stream = TcpStream::connect(app.address).await.expect("connected");
    for _ in 0..3 {
        let request = "POST /v2/nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nhello";
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut buffer = [0; 4096];
        let read = stream.read(&mut buffer).await.expect("an answer");
        let answer = String::from_utf8_lossy(&buffer[..read]);
        assert!(answer.starts_with("HTTP/1.1 404") && !answer.contains("connection: close"), "{answer}");
    }
}

#[tokio::test]
async fn heads_have_a_bound() {
    let app = App::start().await;
    let long = |bytes: usize| "x".repeat(bytes);
    for (target, header, status) in [
        (format!("/healthz?{}", long(8000)), String::new(), 200),
        (format!("/healthz?{}", long(9000)), String::new(), 414),
        (format!("/v2/crm/accounts/lookup?Filter.Name={}", long(9000)), String::new(), 414),
        ("/healthz".to_owned(), long(15_000), 200),
        ("/healthz".to_owned(), long(20_000), 431),
        ("/healthz".to_owned(), long(5_000_000), 431),
    ] {
        let mut stream = TcpStream::connect(app.address).await.expect("connected");
        let request = format!("GET {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-long: {header}\r\n\r\n");
        let what = request.len();
        stream.write_all(request.as_bytes()).await.unwrap_or_else(|error| panic!("{what} bytes: {error}"));
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap_or_else(|error| panic!("{what} bytes: {error}"));
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{what} bytes: {answer}");
    }
}

/// Sets how long a connection may be without traffic; it stays open for as long as a request may take.
fn idle(config: &mut Config, seconds: u64) {
    config.bounds.idle = Duration::from_secs(seconds);
    config.limits.request_seconds = 1;
}

#[tokio::test]
async fn a_caller_that_reads_nothing_is_disconnected() {
    let app = App::start_with(|config| idle(config, 1)).await;
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let mut stream = socket.connect(app.address).await.expect("connected");
    let request = "GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(64);
    stream.write_all(request.as_bytes()).await.expect("sent");
    // Only a closed connection makes a write fail.
    eventually("the connection is closed", async || stream.write_all(b"x").await.is_err()).await;
    // Data in transit can be read, but not all 64 responses.
    let mut read = Vec::new();
    let _ = answered(stream.read_to_end(&mut read)).await;
    let answers = read.windows(15).filter(|window| window == b"HTTP/1.1 200 OK").count();
    assert!(answers < 64, "all answers came");
}

#[tokio::test]
async fn an_idle_connection_and_a_head_that_does_not_end_are_closed_at_last() {
    const NEVER: u64 = 3600;
    let connect = async |header_seconds, idle_seconds| {
        let app = App::start_with(|config| {
            config.bounds.head = Duration::from_secs(header_seconds);
            idle(config, idle_seconds);
        })
        .await;
        let mut stream = TcpStream::connect(app.address).await.expect("connected");
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.expect("sent");
        assert!(stream.read(&mut [0; 4096]).await.expect("an answer") > 0);
        (app, stream)
    };
    let (_app, mut idle) = connect(NEVER, 1).await;
    assert_eq!(answered(idle.read(&mut [0; 4096])).await.expect("closed in order"), 0);

    let (_app, mut begun) = connect(1, NEVER).await;
    begun.write_all(b"GET /heal").await.expect("sent");
    let _ = answered(begun.read_to_end(&mut Vec::new())).await;
}

/// An HTTP/2 connection that opens no window and reads nothing, after it sent the preface, its settings, and
/// a GET for each path.
async fn http2(app: &App, paths: &[&str]) -> TcpStream {
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0".to_vec();
    for (path, stream) in paths.iter().zip((1u8..).step_by(2)) {
        let length = |text: &str| u8::try_from(text.len()).expect("short");
        // `:method: GET`, `:scheme: http`, `:path`, `:authority`
        let block = [&[0x82, 0x86, 0x04, length(path)], path.as_bytes(), b"\x01\x01x"].concat();
        bytes.extend([0, 0, length(path) + 7, 0x01, 0x05, 0, 0, 0, stream]);
        bytes.extend(block);
    }
    let mut connection = TcpStream::connect(app.address).await.expect("connected");
    connection.write_all(&bytes).await.expect("sent");
    connection
}

/// The frames received until the connection closes: type, flags and length of each.
async fn frames(mut connection: TcpStream) -> Vec<(u8, u8, usize)> {
    let mut bytes = Vec::new();
    answered(connection.read_to_end(&mut bytes)).await.expect("in order");
    let (mut frames, mut rest) = (Vec::new(), bytes.as_slice());
    while let [high, middle, low, kind, flags, _, _, _, _, behind @ ..] = rest {
        let length = usize::from(*high) << 16 | usize::from(*middle) << 8 | usize::from(*low);
        frames.push((*kind, *flags, length));
        rest = behind.get(length..).expect("a whole frame");
    }
    frames
}

const DATA: u8 = 0;
const END_STREAM: u8 = 1;

#[tokio::test]
async fn an_http2_caller_that_opens_no_window_is_disconnected() {
    let app = App::start_with(|config| idle(config, 1)).await;
    let frames = frames(http2(&app, &["/openapi.json"; 3]).await).await;
    let data = frames.iter().filter(|(kind, ..)| *kind == DATA);
    let sent: usize = data.clone().map(|(_, _, length)| length).sum();
    assert!((1..=65_535).contains(&sent), "{sent} bytes fit into the window");
    assert!(data.clone().all(|(_, flags, _)| flags & END_STREAM == 0), "no answer is whole");
}

#[tokio::test]
async fn an_idle_connection_of_http2_is_told_that_it_ends() {
    const GO_AWAY: u8 = 7;
    let app = App::start_with(|config| idle(config, 1)).await;
    let asked = frames(http2(&app, &["/healthz"]).await).await;
    assert!(asked.iter().any(|(kind, flags, _)| *kind == DATA && flags & END_STREAM != 0), "{asked:?}");
    assert!(asked.iter().any(|(kind, ..)| *kind == GO_AWAY), "{asked:?}");
    frames(http2(&app, &[]).await).await;
}

#[tokio::test]
async fn a_connection_above_the_limit_gets_an_error() {
    let app = App::start_with(|config| config.limits.connections = 2).await;
    let open = async || TcpStream::connect(app.address).await.expect("connected");
    let first = open().await;
    let _second = open().await;
    // Connections are accepted in order.
    let mut third = open().await;
    third.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.expect("sent");
    let mut answer = String::new();
    answered(third.read_to_string(&mut answer)).await.expect("readable");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    assert!(head.starts_with("HTTP/1.1 503 ") && head.contains("\r\nretry-after: 1\r\n"), "{head}");
    assert!(head.contains("\r\nconnection: close\r\n") && head.ends_with(&format!("content-length: {}", body.len())));

    drop(first);
    eventually("there is room for another", async || {
        app.raw("GET /healthz HTTP/1.1\nhost: x\nconnection: close\n\n").await.starts_with("HTTP/1.1 200 ")
    })
    .await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn one_address_does_not_take_the_connections_of_the_others() {
    let app = App::start_with(|config| config.limits.connections_per_address = 2).await;
    let open = async |address: &str| {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(format!("{address}:0").parse().expect("an address")).expect("bound");
        let mut stream = socket.connect(app.address).await.expect("connected");
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.expect("sent");
        let mut buffer = [0; 12];
        stream.read_exact(&mut buffer).await.expect("an answer");
        (String::from_utf8_lossy(&buffer).into_owned(), stream)
    };
    let (_one, _two) = (open("127.0.0.2").await, open("127.0.0.2").await);
    assert_eq!(open("127.0.0.2").await.0, "HTTP/1.1 503");
    assert_eq!(open("127.0.0.3").await.0, "HTTP/1.1 200");
    let mut proxied = Vec::new();
    for _ in 0..5 {
        proxied.push(open("127.0.0.1").await);
    }
    assert!(proxied.iter().all(|(status, _)| status == "HTTP/1.1 200"));
}

#[tokio::test]
async fn token_guesses_are_limited_without_affecting_callers_at_the_same_address() {
    let app = App::start_with(|config| {
        config.limits.failed_authentications_per_minute = 5;
        config.trusted_proxies = vec!["127.0.0.1/32".parse().expect("a network")];
    })
    .await;
    let client = reqwest::Client::new();
    let ask = async |token: &str, address: &str| {
        let url = format!("http://{}/v2/crm/accounts/lookup?PageSize=1", app.address);
        let answer = client.get(url).bearer_auth(token).header("x-forwarded-for", address).send().await;
        let answer = answer.expect("an answer");
        (answer.status().as_u16(), answer.headers().get("retry-after").cloned())
    };
    assert_eq!(ask(app.token(), "192.0.2.1").await.0, 200);
    for number in 0..4 {
        assert_eq!(ask(&format!("bms_{number}"), "192.0.2.1").await.0, 401);
    }
    let (status, wait) = ask("bms_next", "192.0.2.1").await;
    assert_eq!(status, 429);
    let seconds: u32 = wait.expect("Retry-After").to_str().expect("text").parse().expect("seconds");
    assert!((1..=12).contains(&seconds), "{seconds}");
    assert_eq!(ask(app.token(), "192.0.2.1").await.0, 200, "it was good a moment ago");
    assert_eq!(ask("bms_next", "192.0.2.2").await.0, 401, "another address");
}

#[tokio::test]
async fn a_stopping_service_answers_open_connections() {
    let app = App::start().await;
    let mut open = Vec::new();
    for _ in 0..20 {
        open.push(TcpStream::connect(app.address).await.expect("connected"));
    }
    let ask = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
    let mut buffer = [0; 4096];
    for stream in &mut open {
        stream.write_all(ask).await.expect("sent");
        assert!(stream.read(&mut buffer).await.expect("an answer") > 0);
    }
    let address = app.address;
    let stopping = tokio::spawn(app.stop());
    eventually("no new connection is taken", async || TcpStream::connect(address).await.is_err()).await;
    for stream in &mut open {
        stream.write_all(ask).await.expect("sent");
        let read = stream.read(&mut buffer).await.expect("an answer");
        let answer = String::from_utf8_lossy(&buffer[..read]);
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("connection: close"), "{answer}");
    }
    answered(stopping).await.expect("stopped");
}

#[tokio::test]
async fn an_ambiguous_request_is_refused_or_closes_the_connection() {
    let app = App::start().await;
    let hidden = "GET /v2/hidden HTTP/1.1\r\nhost: x\r\n\r\n";
    for (request, status) in [
        ("POST /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n", 405),
        ("POST /v2/nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\nline\nline\r\n", 404),
    ] {
        let mut stream = TcpStream::connect(app.address).await.expect("connected");
        stream.write_all(format!("{request}{hidden}").as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        answered(stream.read_to_end(&mut answer)).await.expect("closed in order");
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request:?}: {answer}");
        assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{request:?}: {answer}");
    }
}

#[tokio::test]
async fn uploads_above_the_share_of_a_token_are_refused_and_those_of_another_are_not() {
    let app = App::start_with(|config| config.bounds.uploads = 4).await;
    let other = app.client_with(&["*"], &[], service::domain::caller::Visibility::All).await;
    let upload = |client: generated_client::Client| async move {
        use generated_client::{
            attachments::{PostTempAttachment, PostTempAttachmentBody},
            runtime::multipart::Part,
        };
        let chunks = stream::iter([Ok::<_, std::io::Error>(b"text".to_vec().into())]);
        let body = PostTempAttachmentBody { file: Part::stream("a.txt", chunks) };
        client
            .attachments()
            .post_temp_attachment(PostTempAttachment { module_id: 1, idempotency_key: None, body })
            .await
    };
    let mut received = TcpStream::connect(app.address).await.expect("connected");
    let head = format!(
        "POST /v2/system/attachments/1 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\nexpect: 100-continue\r\n\
         content-type: multipart/form-data; boundary=b\r\ncontent-length: 1000\r\n\r\n",
        app.token()
    );
    received.write_all(head.as_bytes()).await.expect("sent");
    assert!(begins(&mut received).await.starts_with("HTTP/1.1 100 "));
    let error = answered(upload(app.client())).await.expect_err("one too many of one token");
    assert!(error.headers().expect("an answer").contains_key("retry-after"));
    assert_eq!(crate::records::refusal(error).0, 503);
    answered(upload(other)).await.expect("another token");
    drop(received);
    eventually("there is room again", async || upload(app.client()).await.is_ok()).await;
}

/// The start of a response of at most 1 KiB.
async fn begins(stream: &mut TcpStream) -> String {
    let mut buffer = [0; 1024];
    let read = answered(stream.read(&mut buffer)).await.expect("an answer");
    String::from_utf8_lossy(&buffer[..read]).into_owned()
}

#[tokio::test]
async fn bodies_that_are_held_have_a_bound() {
    let app = App::start_with(|config| {
        config.bounds.held_bytes = 4 << 20;
        config.bounds.body = Duration::from_hours(1);
    })
    .await;
    let send = async |bytes: usize| {
        let mut stream = TcpStream::connect(app.address).await.expect("connected");
        let head = format!(
            "POST /v2/crm/accounts HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\ncontent-length: 700000\r\n\r\n",
            app.token()
        );
        stream.write_all(head.as_bytes()).await.expect("sent");
        // A refused body may not be read.
        let _ = stream.write_all(&vec![b' '; bytes]).await;
        stream
    };
    // One token's quota (a quarter) has room for one of them, so the other gets its response before it is complete.
    let (mut one, mut other) = (send(600_000).await, send(600_000).await);
    let (refused, held) = tokio::select! {
        answer = begins(&mut one) => (answer, &mut other),
        answer = begins(&mut other) => (answer, &mut one),
    };
    assert!(refused.starts_with("HTTP/1.1 503 ") && refused.contains("retry-after: "), "{refused}");
    held.write_all(&vec![b' '; 100_000]).await.expect("sent");
    assert!(begins(held).await.starts_with("HTTP/1.1 400 "));
    assert!(begins(&mut send(700_000).await).await.starts_with("HTTP/1.1 400 "));
}
