//! Ambiguous requests, and HTTP/2 frames that cost the receiver more than the sender.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use anyhow::{Context as _, Result};

use super::{Form, target::Target};
use crate::{
    figure::{Figure, Outcome},
    store::Store,
};

/// The locked dependencies.
const LOCK: &str = include_str!("../../../../Cargo.lock");

/// The first version of h2 that bounds empty DATA frames (RUSTSEC-2026-0258).
const H2: (u32, u32, u32) = (0, 4, 16);

/// A request to smuggle; its response has a status that nothing else here has.
const SMUGGLED: &str = "GET /v2/smuggled HTTP/1.1\r\nhost: x\r\n\r\n";

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let target = Target::start(store, &store.start())?;
    let address = target.service.address;
    let mut figures = Vec::new();
    for (what, request, is_let_in) in ambiguous() {
        let answer = exchange(address, request.as_bytes())?;
        let answers = answer.matches("HTTP/1.1 ").count();
        let is_refused =
            answer.is_empty() || answer.starts_with("HTTP/1.1 400 ") || answer.starts_with("HTTP/1.1 505 ");
        let is_alone = answers <= 1 && !answer.contains("HTTP/1.1 404 ");
        figures.push(Figure {
            what: what.to_owned(),
            goal: if is_let_in { "one answer, then closed" } else { "400 or closed" }.into(),
            seen: answer.lines().next().unwrap_or("closed").to_owned(),
            is_kept: is_alone && (is_let_in || is_refused),
        });
    }

    let before = target.service.memory()?;
    let time = form.pick(Duration::from_secs(5), Duration::from_secs(30));
    let (ended, good) = target.attack(form, time, |end| {
        std::thread::scope(|scope| {
            let threads: Vec<_> = floods()
                .into_iter()
                .map(|(what, opening, frames)| (what, scope.spawn(move || flood(address, &opening, &frames, end))))
                .collect();
            threads.into_iter().map(|(what, thread)| (what, thread.join().unwrap_or_default())).collect::<Vec<_>>()
        })
    })?;
    figures.extend(good);
    for (what, (connections, bytes)) in ended {
        figures.push(Figure::plain(
            format!("HTTP/2, {what}"),
            format!("{connections} connections ended by the service, {} MiB sent", bytes >> 20),
        ));
    }
    #[expect(clippy::cast_precision_loss, reason = "for a measure")]
    let more = target.service.memory()?.saturating_sub(before) as f64 / f64::from(1 << 20);
    figures.push(Figure::at_most("memory on top", 32.0, more, " MiB"));
    let version = h2().context("h2 stands in the lock file")?;
    figures.push(Figure {
        what: "h2 in the lock file".into(),
        goal: format!("≥ {}.{}.{}", H2.0, H2.1, H2.2),
        seen: format!("{}.{}.{}", version.0, version.1, version.2),
        is_kept: version >= H2,
    });
    Ok(Outcome::Measured(figures))
}

/// Ambiguous requests; whether HTTP allows one response if the connection is closed after it.
fn ambiguous() -> Vec<(&'static str, String, bool)> {
    let post =
        |headers: &str, body: &str| format!("POST /healthz HTTP/1.1\r\nhost: x\r\n{headers}\r\n{body}{SMUGGLED}");
    vec![
        (
            "Content-Length and Transfer-Encoding",
            post("content-length: 4\r\ntransfer-encoding: chunked\r\n", "0\r\n\r\n"),
            true,
        ),
        (
            "Transfer-Encoding and Content-Length",
            post("transfer-encoding: chunked\r\ncontent-length: 4\r\n", "0\r\n\r\n"),
            true,
        ),
        ("two lengths that differ", post("content-length: 0\r\ncontent-length: 5\r\n", ""), false),
        ("two lengths in one line", post("content-length: 0, 5\r\n", ""), false),
        ("a length with a sign", post("content-length: +0\r\n", ""), false),
        ("a length of spaces", post("content-length: 0 5\r\n", ""), false),
        ("an unknown transfer encoding", post("transfer-encoding: xchunked\r\n", "0\r\n\r\n"), false),
        ("chunked that is not last", post("transfer-encoding: chunked, identity\r\n", "0\r\n\r\n"), false),
        ("a space before the colon", post("content-length : 0\r\n", ""), false),
        ("a folded line", post("x: a\r\n transfer-encoding: chunked\r\n", ""), false),
        ("a bare CR", post("x: a\rtransfer-encoding: chunked\r\n", ""), false),
        ("NUL in a header", post("x: a\0b\r\n", ""), false),
        (
            "Transfer-Encoding in HTTP/1.0",
            format!("POST /healthz HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n{SMUGGLED}"),
            false,
        ),
        ("a chunk size that overflows", post("transfer-encoding: chunked\r\n", "fffffffffffffffff\r\n"), true),
        (
            "a preface of HTTP/2 behind a request",
            format!(
                "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\nPRI * HTTP/2.0\r\n\r\nSM\r\n\r\n{SMUGGLED}"
            ),
            true,
        ),
        ("a preface that is cut off", format!("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n{SMUGGLED}"), false),
    ]
}

/// Everything received until the connection closes, or for two seconds.
fn exchange(address: SocketAddr, request: &[u8]) -> Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_millis(700)))?;
    stream.write_all(request)?;
    let mut answer = Vec::new();
    let mut buffer = [0; 4096];
    // End, reset and silence all mean that there are no more responses.
    while let Ok(read @ 1..) = stream.read(&mut buffer) {
        answer.extend_from_slice(&buffer[..read]);
    }
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap_or_default().to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend_from_slice(payload);
    frame
}

/// A flood: the opening bytes, and the frames for a number, sent repeatedly.
type Frames = Box<dyn Fn(u32) -> Vec<u8> + Send>;

fn floods() -> Vec<(&'static str, Vec<u8>, Frames)> {
    // GET or POST, http, /, :authority x.
    let (get, post): ([u8; 6], [u8; 6]) = ([0x82, 0x86, 0x84, 0x41, 1, b'x'], [0x83, 0x86, 0x84, 0x41, 1, b'x']);
    let open = [&b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..], &frame(4, 0, 0, &[])].concat();
    let with_post = [&open[..], &frame(1, 4, 1, &post)].concat();
    let with_head = [&open[..], &frame(1, 0, 1, &post)].concat();
    vec![
        ("empty DATA", with_post, Box::new(|_| frame(0, 0, 1, &[]))),
        (
            "streams that are opened and reset",
            open.clone(),
            Box::new(move |number| {
                [frame(1, 5, number * 2 + 1, &get), frame(3, 0, number * 2 + 1, &8_u32.to_be_bytes())].concat()
            }),
        ),
        ("CONTINUATION without end", with_head, Box::new(|_| frame(9, 0, 1, &[0x40, 1, b'a', 1, b'b']))),
        ("SETTINGS", open.clone(), Box::new(|_| frame(4, 0, 0, &[]))),
        ("PING", open, Box::new(|_| frame(6, 0, 0, &[0; 8]))),
    ]
}

/// The number of connections closed by the service, and the number of bytes sent.
fn flood(address: SocketAddr, opening: &[u8], frames: &Frames, end: &AtomicBool) -> (u64, u64) {
    let (mut ended, mut sent) = (0, 0);
    'connections: while !end.load(Ordering::Relaxed) {
        let Ok(mut stream) = TcpStream::connect(address) else { continue };
        let _ = stream.set_write_timeout(Some(Duration::from_secs(1)));
        let _ = stream.set_nodelay(true);
        let _ = stream.write_all(opening);
        let mut number = 0;
        while !end.load(Ordering::Relaxed) {
            let batch: Vec<u8> = (number..number + 100).flat_map(frames).collect();
            number += 100;
            if stream.write_all(&batch).is_err() {
                ended += 1;
                continue 'connections;
            }
            sent += batch.len() as u64;
            // Limit the rate: the cost of a frame counts, not the throughput.
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    (ended, sent)
}

fn h2() -> Option<(u32, u32, u32)> {
    let version = LOCK.split("name = \"h2\"\nversion = \"").nth(1)?.split('"').next()?;
    let mut numbers = version.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?))
}
