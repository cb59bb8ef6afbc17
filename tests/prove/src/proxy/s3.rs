//! Between the service and a server of S3: a request is a call.

use std::{
    io::Write as _,
    net::{SocketAddr, TcpStream},
    sync::Arc,
};

use anyhow::Result;

use super::{Calls, Proxy};
use crate::connection::Connection;

/// What happens to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The server never sees it, and the connection is closed.
    Call,
    /// The server has done it, and the connection is closed in place of an answer.
    Reply,
    /// The same, in the middle of the answer.
    HalfReply,
    /// It is answered 503, and not done.
    Refusal,
    /// The server never sees it, and the connection stays open.
    Silence,
}

/// What S3 answers when it has too much to do.
const REFUSAL: &[u8] = b"HTTP/1.1 503 Slow Down\r\ncontent-type: application/xml\r\ncontent-length: 36\r\n\r\n\
    <Error><Code>SlowDown</Code></Error>";

impl Proxy<Fault> {
    /// Stands before a server of S3.
    pub fn before_s3(server: SocketAddr) -> Result<Self> {
        Self::start(move |service, calls| {
            let calls = Arc::clone(calls);
            std::thread::spawn(move || serve(service, server, &calls));
        })
    }
}

/// Passes on requests and answers, each whole, until the service has ended or something happens.
fn serve(service: TcpStream, server: SocketAddr, calls: &Calls<Fault>) -> Result<()> {
    let mut service = Connection::on(service)?;
    loop {
        let request = service.request()?;
        let fault = calls.next();
        match fault {
            Some(Fault::Call) => return Ok(()),
            // Until the service closes it.
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
