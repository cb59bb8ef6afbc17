//! A proxy for S3: each request is a call.

use std::{
    io::Write as _,
    net::{SocketAddr, TcpStream},
    sync::Arc,
};

use anyhow::Result;

use super::{Calls, Proxy};
use crate::connection::Connection;

/// A fault of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The server never receives it, and the connection closes.
    Call,
    /// The server executes it, and the connection closes without a response.
    Reply,
    /// The same, in the middle of the response.
    HalfReply,
    /// The response is 503, and the request is not executed.
    Refusal,
    /// The server never receives it, and the connection stays open.
    Silence,
}

/// The response of S3 when it is overloaded.
const REFUSAL: &[u8] = b"HTTP/1.1 503 Slow Down\r\ncontent-type: application/xml\r\ncontent-length: 36\r\n\r\n\
    <Error><Code>SlowDown</Code></Error>";

impl Proxy<Fault> {
    /// A proxy in front of an S3 server.
    pub fn before_s3(server: SocketAddr) -> Result<Self> {
        Self::start(move |service, calls| {
            let calls = Arc::clone(calls);
            std::thread::spawn(move || serve(service, server, &calls));
        })
    }
}

/// Forwards complete requests and responses, until the service disconnects or a fault occurs.
fn serve(service: TcpStream, server: SocketAddr, calls: &Calls<Fault>) -> Result<()> {
    let mut service = Connection::on(service)?;
    loop {
        let request = service.request()?;
        let fault = calls.next();
        match fault {
            Some(Fault::Call) => return Ok(()),
            // Wait until the service closes it.
            Some(Fault::Silence) => return service.request().map(drop),
            Some(Fault::Refusal) => {
                service.stream.write_all(REFUSAL)?;
                continue;
            }
            Some(Fault::Reply | Fault::HalfReply) | None => {}
        }
        let answer = Connection::open(server)?.exchange(&request)?;
        let bytes = answer.bytes();
        match fault {
            Some(Fault::Reply) => return Ok(()),
            Some(Fault::HalfReply) => {
                let missing = (answer.body.len() / 2).max(1);
                service.stream.write_all(&bytes[..bytes.len() - missing])?;
                return Ok(());
            }
            _ => service.stream.write_all(&bytes)?,
        }
    }
}
