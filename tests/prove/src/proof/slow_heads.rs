//! Heads that arrive byte by byte: each connection is closed in time.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use anyhow::Result;

use super::{Form, target::Target};
use crate::{
    connection::Connection,
    figure::{Figure, Outcome},
    store::Store,
};

/// Seconds that a head may take, and an HTTP/1 connection wait for one.
const HEAD: u64 = 30;
/// Seconds that a connection may be silent before anything is known of it.
const SILENT: u64 = 60;

/// The first bytes of each connection; the rest follows byte by byte.
const BEGINNINGS: [&[u8]; 4] = [b"", b"G", b"GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: ", b"PRI * HTTP/2.0\r\n"];

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let count = form.pick(200, 1000);
    let target = Target::start(store, &store.start())?;
    let address = target.service.address;
    let time = Duration::from_secs(SILENT + 3);
    let (times, mut figures) = target.attack(form, time, |end| attack(address, count, end))?;
    let times = times?;
    #[expect(clippy::cast_precision_loss, reason = "a number of seconds")]
    let [head, silent] = [HEAD, SILENT].map(|limit| limit as f64 + 1.0);
    let open = times.iter().filter(|time| time.is_none()).count();
    let longest = |kind: usize| {
        let of_kind = times.iter().enumerate().filter(|(number, _)| usize::from(number % 4 == 0) == kind);
        of_kind.filter_map(|(_, time)| *time).max().unwrap_or_default().as_secs_f64()
    };
    figures.push(Figure::plain("connections, a quarter of each kind", times.len()));
    figures.push(Figure::exactly("connections that are open at the end", 0, open as u64));
    figures.push(Figure::at_most("the longest time that one with a slow head was open", head, longest(0), " s"));
    figures.push(Figure::at_most("the longest time that a silent one was open", silent, longest(1), " s"));
    Ok(Outcome::Measured(figures))
}

/// How long each connection stayed open; `None` if it still is.
fn attack(address: SocketAddr, count: usize, end: &AtomicBool) -> Result<Vec<Option<Duration>>> {
    let mut connections = Vec::new();
    for number in 0..count {
        let mut stream = if number % 8 == 7 {
            // The second request of a connection.
            let mut connection = Connection::open(address)?;
            connection.exchange(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")?;
            connection.stream
        } else {
            TcpStream::connect(address)?
        };
        let beginning = if number % 8 == 7 { BEGINNINGS[2] } else { BEGINNINGS[number % 4] };
        stream.write_all(beginning)?;
        stream.set_nonblocking(true)?;
        connections.push((stream, Instant::now(), None, beginning.is_empty()));
    }
    let mut next_byte = Instant::now();
    while !end.load(Ordering::Relaxed) {
        let sends = Instant::now() >= next_byte;
        if sends {
            next_byte += Duration::from_secs(HEAD / 6);
        }
        for (stream, begin, closed, is_silent) in &mut connections {
            if closed.is_some() {
                continue;
            }
            let is_closed = match stream.read(&mut [0; 256]) {
                Ok(read) => read == 0,
                Err(error) => error.kind() != ErrorKind::WouldBlock,
            };
            if is_closed {
                *closed = Some(begin.elapsed());
            } else if sends && !*is_silent {
                // It may have just been closed.
                let _ = stream.write(b"x");
            }
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(connections.into_iter().map(|(_, _, closed, _)| closed).collect())
}
