//! Stalling bodies, and callers that read no responses: both lose their connection, and memory stays flat.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{self, TryRecvError},
    },
    time::{Duration, Instant},
};

use anyhow::{Result, anyhow};

use super::{Form, target::Target};
use crate::{
    connection::get,
    figure::{Figure, Outcome},
    store::Store,
};

/// Seconds that a body may stall.
const LIMIT: u32 = 10;
/// How long a client may read nothing.
const IDLE: Duration = Duration::from_mins(1);
/// How long a slow store may need to fill the buffers of clients that read nothing.
const FILLING: Duration = Duration::from_mins(5);
/// Polling interval.
const LOOK: Duration = Duration::from_millis(20);

/// The results of stalling bodies.
#[derive(Default)]
struct Stalled {
    /// 408, for JSON and for files.
    timed_out: [u64; 2],
    /// 503 for files above the limit of concurrent uploads.
    refused: u64,
    otherwise: u64,
    longest: Duration,
    open: usize,
}

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let (bodies, readers) = form.pick((100, 40), (500, 200));
    let target = Target::start(store, &store.start())?;
    let (address, token) = (target.service.address, target.token.clone());
    let time = Duration::from_secs(u64::from(LIMIT) * 2 + 3);
    let before = (target.service.memory()?, target.service.open_files()?);
    let highest = AtomicU64::new(0);
    let (starting, started) = mpsc::channel();
    let (stalled, attacked) = std::thread::scope(|scope| {
        // Not part of the attack, which has idle priority, because this one measures times.
        let stalled = scope.spawn({
            let token = &token;
            move || stall(address, token, bodies, &started)
        });
        let attacked = target.attack(form, time, |end| {
            let result = std::thread::scope(|scope| {
                scope.spawn(|| {
                    while !end.load(Ordering::Relaxed) {
                        highest.fetch_max(target.service.memory().unwrap_or(u64::MAX), Ordering::Relaxed);
                        std::thread::sleep(Duration::from_millis(50));
                    }
                });
                read_nothing(address, &token, readers, &starting, end)
            });
            drop(starting); // the attack has ended
            result
        });
        (stalled.join(), attacked)
    });
    let (read_nothing, mut figures) = attacked?;
    read_nothing?;
    let seen = stalled.map_err(|_| anyhow!("the thread of stalled bodies has panicked"))??;
    let (patience, begin) = (IDLE + FILLING, Instant::now());
    let left = || Ok::<_, anyhow::Error>(target.service.open_files()?.saturating_sub(before.1 + 16));
    while left()? > 0 && begin.elapsed() < patience {
        std::thread::sleep(Duration::from_millis(100));
    }
    #[expect(clippy::cast_precision_loss, reason = "for a measure")]
    let more = highest.load(Ordering::Relaxed).saturating_sub(before.0) as f64 / f64::from(1 << 20);
    figures.push(Figure::plain("bodies of 1 byte a second, callers who read nothing", format!("{bodies}, {readers}")));
    figures.push(Figure::exactly("such bodies of JSON answered 408", bodies as u64 / 2, seen.timed_out[0]));
    figures.push(Figure::exactly(
        "such files answered 408, or 503 when too many are sent at once",
        bodies as u64 / 2,
        seen.timed_out[1] + seen.refused,
    ));
    figures.push(Figure::exactly("such bodies answered otherwise, or not", 0, seen.otherwise + seen.open as u64));
    // A file may wait for earlier ones. In the short form the machine may be busy for seconds.
    let goal = f64::from(LIMIT) * 2.0 + form.pick(13.0, 2.0);
    figures.push(Figure::at_most("the longest such body", goal, seen.longest.as_secs_f64(), " s"));
    figures.push(Figure::exactly("their connections that the service still has at the end", 0, left()? as u64));
    figures.push(Figure::at_most("memory on top", 64.0, more, " MiB"));
    Ok(Outcome::Measured(figures))
}

/// Requests more than fits into the buffers on this many connections, and reads nothing.
fn read_nothing(
    address: SocketAddr,
    token: &str,
    count: usize,
    starting: &mpsc::Sender<()>,
    end: &AtomicBool,
) -> Result<()> {
    let mut silent = Vec::new();
    for _ in 0..count {
        let mut stream = TcpStream::connect(address)?;
        stream.set_nonblocking(true)?;
        let request = get("/v2/crm/accounts/summary?PageSize=100", token).repeat(400);
        // As much as the socket accepts.
        let _ = stream.write(&request);
        silent.push(stream);
    }
    starting.send(())?;
    while !end.load(Ordering::Relaxed) {
        std::thread::sleep(LOOK);
    }
    // The service must close these connections; open ones are counted.
    std::mem::forget(silent);
    Ok(())
}

/// Sends bodies at one byte a second while the attack runs.
fn stall(address: SocketAddr, token: &str, count: usize, started: &mpsc::Receiver<()>) -> Result<Stalled> {
    started.recv()?;
    let mut sending = Vec::new();
    for number in 0..count {
        let mut stream = TcpStream::connect(address)?;
        let (path, media_type) = match number % 2 {
            0 => ("/v2/crm/accounts", "application/json"),
            _ => ("/v2/system/attachments/1", "multipart/form-data; boundary=x"),
        };
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\ncontent-type: {media_type}\r\n\
             content-length: 100000\r\n\r\n"
        );
        stream.write_all(head.as_bytes())?;
        stream.set_nonblocking(true)?;
        sending.push((stream, Instant::now(), number % 2));
    }
    let mut seen = Stalled::default();
    let mut last_byte = Instant::now();
    while started.try_recv() != Err(TryRecvError::Disconnected) {
        let is_due = last_byte.elapsed() >= Duration::from_secs(1);
        if is_due {
            last_byte = Instant::now();
        }
        sending.retain_mut(|(stream, begin, kind)| {
            let mut buffer = [0; 512];
            match stream.read(&mut buffer) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if is_due {
                        let _ = stream.write(b" ");
                    }
                    true
                }
                read => {
                    let answer = &buffer[..read.unwrap_or(0)];
                    *match (answer.get(9..12), *kind) {
                        (Some(b"408"), kind) => &mut seen.timed_out[kind],
                        (Some(b"503"), 1) => &mut seen.refused,
                        _ => &mut seen.otherwise,
                    } += 1;
                    seen.longest = seen.longest.max(begin.elapsed());
                    false
                }
            }
        });
        std::thread::sleep(LOOK);
    }
    seen.open = sending.len();
    Ok(seen)
}
