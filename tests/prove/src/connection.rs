//! A raw HTTP/1.1 connection that can send what no client would.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use anyhow::{Context as _, Result, bail, ensure};

/// A connection. Reads complete responses with a `Content-Length` or chunks.
pub struct Connection {
    /// The socket.
    pub stream: TcpStream,
    buffered: Vec<u8>,
}

/// A response.
#[derive(Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// Names are lowercase.
    pub headers: Vec<(String, String)>,
    /// The body, dechunked.
    pub body: Vec<u8>,
}

impl Connection {
    /// Opens a connection; operations time out after a minute.
    pub fn open(address: SocketAddr) -> Result<Self> {
        Self::on(TcpStream::connect(address)?)
    }

    /// Uses an open stream.
    pub fn on(stream: TcpStream) -> Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_mins(1)))?;
        stream.set_write_timeout(Some(Duration::from_mins(1)))?;
        Ok(Self { stream, buffered: Vec::new() })
    }

    /// Sends a request and reads its response.
    pub fn exchange(&mut self, request: &[u8]) -> Result<Answer> {
        self.stream.write_all(request)?;
        self.read(request.starts_with(b"HEAD "))
    }

    /// Reads a response; skips interim ones (1xx).
    pub fn answer(&mut self) -> Result<Answer> {
        self.read(false)
    }

    fn read(&mut self, is_of_head: bool) -> Result<Answer> {
        loop {
            let head = self.head()?;
            let head = std::str::from_utf8(&head)?;
            let status = head.split(' ').nth(1).context("a status line")?.parse()?;
            if status < 200 {
                continue;
            }
            let headers = headers_of(head);
            let body = match (value(&headers, "content-length"), value(&headers, "transfer-encoding")) {
                _ if status == 204 || status == 304 || is_of_head => Vec::new(),
                (Some(length), _) => self.take(length.parse()?)?,
                (None, Some("chunked")) => self.chunks()?,
                (None, _) => bail!("an answer does not say how long it is"),
            };
            return Ok(Answer { status, headers, body });
        }
    }

    /// Reads a request as a server; its body has a `Content-Length`.
    pub fn request(&mut self) -> Result<Vec<u8>> {
        let mut request = self.head()?;
        let headers = headers_of(std::str::from_utf8(&request)?);
        ensure!(value(&headers, "transfer-encoding").is_none(), "a request does not say how long it is");
        let length = value(&headers, "content-length").map_or(Ok(0), str::parse)?;
        request.extend(self.take(length)?);
        Ok(request)
    }

    /// Reads up to and including the empty line.
    fn head(&mut self) -> Result<Vec<u8>> {
        let end = loop {
            if let Some(end) = self.buffered.windows(4).position(|window| window == b"\r\n\r\n") {
                break end + 4;
            }
            self.fill()?;
        };
        Ok(self.buffered.drain(..end).collect())
    }

    fn chunks(&mut self) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let end = loop {
                if let Some(end) = self.buffered.windows(2).position(|window| window == b"\r\n") {
                    break end;
                }
                self.fill()?;
            };
            let line: Vec<u8> = self.buffered.drain(..end + 2).collect();
            let size = usize::from_str_radix(std::str::from_utf8(&line)?.trim(), 16)?;
            body.extend(self.take(size)?);
            self.take(2)?;
            if size == 0 {
                return Ok(body);
            }
        }
    }

    fn take(&mut self, length: usize) -> Result<Vec<u8>> {
        while self.buffered.len() < length {
            self.fill()?;
        }
        let rest = self.buffered.split_off(length);
        Ok(std::mem::replace(&mut self.buffered, rest))
    }

    fn fill(&mut self) -> Result<()> {
        let mut buffer = [0; 16 << 10];
        let read = loop {
            match self.stream.read(&mut buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        ensure!(read > 0, "the connection was closed");
        self.buffered.extend_from_slice(&buffer[..read]);
        Ok(())
    }
}

impl Answer {
    /// The value of a header, by lowercase name.
    pub fn header(&self, name: &str) -> Option<&str> {
        value(&self.headers, name)
    }

    /// The bytes that a server sends; a chunked body gets a length.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = format!("HTTP/1.1 {} \r\n", self.status).into_bytes();
        for (name, value) in &self.headers {
            match name.as_str() {
                "transfer-encoding" => bytes.extend(format!("content-length: {}\r\n", self.body.len()).as_bytes()),
                name => bytes.extend(format!("{name}: {value}\r\n").as_bytes()),
            }
        }
        bytes.extend(b"\r\n");
        bytes.extend(&self.body);
        bytes
    }

    /// The body as JSON.
    pub fn json(&self) -> Result<serde_json::Value> {
        serde_json::from_slice(&self.body).with_context(|| String::from_utf8_lossy(&self.body).into_owned())
    }
}

/// A `GET` request with a token.
pub fn get(path: &str, token: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: prove\r\nauthorization: Bearer {token}\r\n\r\n").into_bytes()
}

/// A request with a JSON body and further header lines, each ended by `\r\n`.
pub fn send_json(method: &str, path: &str, token: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nhost: prove\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    )
    .into_bytes()
}

fn headers_of(head: &str) -> Vec<(String, String)> {
    let headers = head.split("\r\n").skip(1).filter_map(|line| line.split_once(':'));
    headers.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())).collect()
}

fn value<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
}
