//! Careless and hostile clients. Each attack runs until `end` is set, and returns what it saw.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use crate::{
    callers::{Seen, call, together},
    connection::{Connection, get, send_json},
};

/// Interval of checking the flag.
const LOOK: Duration = Duration::from_millis(20);

/// Opens this many connections, sends nothing, and keeps them open; returns how many could be opened.
pub fn hold_idle(address: SocketAddr, count: usize, end: &AtomicBool) -> usize {
    let held: Vec<TcpStream> = (0..count)
        .take_while(|_| !end.load(Ordering::Relaxed))
        .filter_map(|_| TcpStream::connect(address).ok())
        .collect();
    wait(end);
    held.len()
}

/// Sends the start of this many uploads and then nothing; starts again when refused.
pub fn stall_bodies(address: SocketAddr, token: &str, count: usize, end: &AtomicBool) -> Seen {
    let request = format!(
        "POST /v2/system/attachments/1 HTTP/1.1\r\nhost: prove\r\nauthorization: Bearer {token}\r\n\
         content-type: multipart/form-data; boundary=b\r\ncontent-length: 1000000\r\n\r\n\
         --b\r\nContent-Disposition: form-data; name=\"File\"; filename=\"a.txt\"\r\n\r\nbeginning"
    );
    let open = || {
        let mut stream = TcpStream::connect(address).ok()?;
        stream.write_all(request.as_bytes()).ok()?;
        stream.set_nonblocking(true).ok()?;
        Some(stream)
    };
    let mut seen = Seen::default();
    let mut stalled: Vec<Option<TcpStream>> = (0..count).map(|_| open()).collect();
    let mut head = [0; 4096];
    while !end.load(Ordering::Relaxed) {
        for slot in &mut stalled {
            let answered = match slot.as_mut().map(|stream| stream.read(&mut head)) {
                // It is still waiting.
                Some(Err(error)) if error.kind() == std::io::ErrorKind::WouldBlock => continue,
                Some(Ok(read)) => status(&head[..read]),
                Some(Err(_)) | None => None,
            };
            match answered {
                Some(status) => *seen.statuses.entry(status).or_default() += 1,
                None => seen.broken += 1,
            }
            *slot = open();
        }
        std::thread::sleep(LOOK);
    }
    seen
}

/// Requests large responses on this many connections, repeatedly, and reads nothing; returns how often the
/// service closed a connection.
pub fn never_read(address: SocketAddr, path: &str, token: &str, count: usize, end: &AtomicBool) -> u64 {
    let request = get(path, token);
    let open = || {
        let stream = TcpStream::connect(address).ok()?;
        stream.set_nonblocking(true).ok()?;
        Some(stream)
    };
    let mut streams: Vec<Option<TcpStream>> = (0..count).map(|_| open()).collect();
    let mut ended = 0;
    while !end.load(Ordering::Relaxed) {
        for slot in &mut streams {
            let written = slot.as_mut().map(|stream| stream.write(&request));
            match written {
                Some(Ok(_)) => {}
                Some(Err(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Some(Err(_)) | None => {
                    ended += 1;
                    *slot = open();
                }
            }
        }
        std::thread::sleep(LOOK);
    }
    ended
}

/// Searches accounts by a part of the name, a full scan, on this many connections.
pub fn search(address: SocketAddr, token: &str, connections: usize, end: &AtomicBool) -> Seen {
    let requests = [get("/v2/crm/accounts/summary?PageSize=25&Filter.AccountName=9", token)];
    call(address, &requests, connections, Duration::ZERO, end)
}

/// Sends these requests in turn from this many threads and disconnects within 10 ms; returns the number of
/// requests.
pub fn hang_up(address: SocketAddr, requests: &[Vec<u8>], threads: usize, end: &AtomicBool) -> u64 {
    let caller = |first: usize| {
        let mut sent = 0;
        for request in requests.iter().cycle().skip(first) {
            if end.load(Ordering::Relaxed) {
                break;
            }
            if let Ok(mut stream) = TcpStream::connect(address) {
                sent += u64::from(stream.write_all(request).is_ok());
                std::thread::sleep(Duration::from_micros(fastrand::u64(..10_000)));
            }
        }
        sent
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|first| scope.spawn(move || caller(first))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).sum()
    })
}

/// Guesses tokens on this many connections, each with guesses of its own.
pub fn guess_tokens(address: SocketAddr, connections: usize, end: &AtomicBool) -> Seen {
    let guess = || {
        let token: String = std::iter::repeat_with(fastrand::alphanumeric).take(43).collect();
        get("/v2/crm/accounts/summary/101", &format!("bms_{token}"))
    };
    together(connections, |_| {
        let requests: Vec<Vec<u8>> = std::iter::repeat_with(guess).take(1000).collect();
        call(address, &requests, 1, Duration::ZERO, end)
    })
}

/// Creates accounts on this many connections.
pub fn write(address: SocketAddr, token: &str, connections: usize, end: &AtomicBool) -> Seen {
    let requests = [send_json("POST", "/v2/crm/accounts", token, "", &crate::data::account("Written under attack"))];
    call(address, &requests, connections, Duration::from_millis(2), end)
}

/// Uploads a file for an object and returns its download path.
pub fn upload(address: SocketAddr, token: &str, name: &str, bytes: &[u8]) -> anyhow::Result<String> {
    let mut body =
        format!("--b\r\nContent-Disposition: form-data; name=\"formFile\"; filename=\"{name}\"\r\n\r\n").into_bytes();
    body.extend_from_slice(bytes);
    body.extend_from_slice(b"\r\n--b--\r\n");
    let mut request = format!(
        "POST /v2/system/attachments/1/101 HTTP/1.1\r\nhost: prove\r\nauthorization: Bearer {token}\r\n\
         content-type: multipart/form-data; boundary=b\r\ncontent-length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    request.extend(body);
    let answer = Connection::open(address)?.exchange(&request)?;
    let url = answer.json()?.pointer("/Result/0/Url").and_then(|url| url.as_str().map(str::to_owned));
    url.ok_or_else(|| anyhow::anyhow!("the upload was answered {}", answer.status))
}

fn status(head: &[u8]) -> Option<u16> {
    std::str::from_utf8(head.get(9..12)?).ok()?.parse().ok()
}

fn wait(end: &AtomicBool) {
    while !end.load(Ordering::Relaxed) {
        std::thread::sleep(LOOK);
    }
}
