//! A load of HTTP/1.1 requests on kept-alive connections, cheap enough not to distort the measurement.

use std::{
    fmt::Write as _,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    ops::Range,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};

/// A request as bytes.
pub(super) struct Request(Vec<u8>);

/// The result of a load.
pub(super) struct Outcome {
    pub(super) answers: u32,
    pub(super) failures: u32,
    pub(super) time: Duration,
}

impl Request {
    pub(super) fn put(path: &str, body: &[u8]) -> Self {
        let length = body.len();
        let head = format!(
            "PUT {path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/octet-stream\r\n\
             content-length: {length}\r\n\r\n"
        );
        Self([head.as_bytes(), body].concat())
    }

    pub(super) fn get(path: &str, token: &str) -> Self {
        Self(format!("GET {path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\n\r\n").into_bytes())
    }

    pub(super) fn post(path: &str, token: &str, body: &str) -> Self {
        let length = body.len();
        Self(
            format!(
                "POST {path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\n\
                 content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
            )
            .into_bytes(),
        )
    }
}

/// Repeats the request on this many connections, a thread each, alternating between the addresses.
pub(super) fn run(addresses: &[SocketAddr], request: &Request, connections: usize, time: Duration) -> Result<Outcome> {
    let begin = Instant::now();
    let counts: Vec<Result<(u32, u32)>> = std::thread::scope(|scope| {
        let threads: Vec<_> = addresses
            .iter()
            .copied()
            .cycle()
            .take(connections)
            .map(|address| {
                scope.spawn(move || {
                    let mut connection = Connection::open(address)?;
                    let (mut answers, mut failures) = (0, 0);
                    while begin.elapsed() < time {
                        answers += 1;
                        failures += u32::from(!connection.exchange(request)?.0);
                    }
                    Ok((answers, failures))
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a thread panicked"))))
            .collect()
    });
    let counts = counts.into_iter().collect::<Result<Vec<_>>>()?;
    Ok(Outcome {
        answers: counts.iter().map(|count| count.0).sum(),
        failures: counts.iter().map(|count| count.1).sum(),
        time: begin.elapsed(),
    })
}

/// The body of one response.
pub(super) fn answer(address: SocketAddr, request: &Request) -> Result<Vec<u8>> {
    let mut connection = Connection::open(address)?;
    let (success, body) = connection.exchange(request)?;
    ensure!(success, "the request failed");
    Ok(connection.buffer[body].to_vec())
}

struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: vec![0; 11 << 20] })
    }

    /// Whether the response was successful, and where its body is in the buffer.
    fn exchange(&mut self, request: &Request) -> Result<(bool, Range<usize>)> {
        self.stream.write_all(&request.0)?;
        let mut filled = 0;
        let head = loop {
            let read = self.stream.read(&mut self.buffer[filled..])?;
            ensure!(read > 0, "the connection was closed");
            filled += read;
            if let Some(end) = self.buffer[..filled].windows(4).position(|window| window == b"\r\n\r\n") {
                break end + 4;
            }
        };
        let text = std::str::from_utf8(&self.buffer[..head])?;
        let success = text.starts_with("HTTP/1.1 2");
        let length: usize = text
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
            .context("every answer says how long it is")?
            .1
            .trim()
            .parse()?;
        ensure!(head + length <= self.buffer.len(), "the answer is larger than expected");
        while filled < head + length {
            let read = self.stream.read(&mut self.buffer[filled..])?;
            ensure!(read > 0, "the connection was closed");
            filled += read;
        }
        Ok((success, head..head + length))
    }
}

/// A file to import with this many accounts, each with a location and an address.
pub(super) fn accounts(count: u32) -> String {
    let mut text = String::from("{\"Accounts\":[");
    for number in 0..count {
        let comma = if number == 0 { "" } else { "," };
        let id = 1_000_000 + number;
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{comma}{{\"Id\":{id},{}", &account_named(&format!("Account {number}"))[1..]);
    }
    text + "]}"
}

/// The body that creates an account.
pub(super) fn account() -> String {
    account_named("Bench Account")
}

fn account_named(name: &str) -> String {
    format!(
        r#"{{"AccountName":"{name}","AccountTypeId":1,"BusinessTypeId":1,"AccountManagerId":12,"Website":"https://account.example","Description":"Measured","Locations":[{{"LocationName":"Main","IsMain":true,"Addresses":[{{"Address1":"1 High St","City":"Springfield","State":"IL","ZipCode":"62701","Phone":"+1 555 0100","IsMain":true}}]}}]}}"#
    )
}
