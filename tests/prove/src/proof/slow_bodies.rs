//! Bodies that stall and callers who read no answer: both lose their connection, and memory stays flat.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::{Duration, Instant},
};

use anyhow::Result;

use super::{Form, target::Target};
use crate::{
    connection::get,
    figure::{Figure, Outcome},
    store::Store,
};

/// What the attack has seen.
#[derive(Default)]
struct Attack {
    /// 408, to JSON and to files.
    timed_out: [u64; 2],
    /// 503 to files: more of them than are received at once.
    refused: u64,
    otherwise: u64,
    longest: Duration,
    open: usize,
}

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let limit: u32 = form.pick(2, 10);
    let (bodies, readers) = form.pick((100, 40), (500, 200));
    let start = store
        .start()
        .with("SERVICE_LIMITS__BODY_SECONDS", limit)
        .with("SERVICE_LIMITS__ANSWER_SECONDS", limit)
        .with("SERVICE_LIMITS__DRAIN_SECONDS", 1);
    let target = Target::start(&start)?;
    let (address, token) = (target.service.address, target.token.clone());
    let time = Duration::from_secs(u64::from(limit) * 2 + 3);
    let before = (target.service.memory()?, target.service.open_files()?);
    let highest = AtomicU64::new(0);
    let (seen, mut figures) = target.attack(form, time, |end| {
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !end.load(Ordering::Relaxed) {
                    highest.fetch_max(target.service.memory().unwrap_or(u64::MAX), Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(50));
                }
            });
            attack(address, &token, bodies, readers, end)
        })
    })?;
    let seen = seen?;
    // A slow store takes a while to fill the buffers of those who do not read.
    let (patience, begin) = (form.pick(Duration::from_mins(1), Duration::from_secs(5)), Instant::now());
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
    // A file may wait for the ones before it. A development build has all processors at times, and the attack sees its answers
    // later.
    let goal = f64::from(limit) * 2.0 + form.pick(4.0, 2.0);
    figures.push(Figure::at_most("the longest such body", goal, seen.longest.as_secs_f64(), " s"));
    figures.push(Figure::exactly("their connections that the service still has at the end", 0, left()? as u64));
    figures.push(Figure::at_most("memory on top", 64.0, more, " MiB"));
    Ok(Outcome::Measured(figures))
}

fn attack(address: SocketAddr, token: &str, bodies: usize, readers: usize, end: &AtomicBool) -> Result<Attack> {
    let mut silent = Vec::new();
    for _ in 0..readers {
        let mut stream = TcpStream::connect(address)?;
        stream.set_nonblocking(true)?;
        let request = get("/v2/crm/accounts/summary?PageSize=100", token).repeat(400);
        // As much as is taken of it.
        let _ = stream.write(&request);
        silent.push(stream);
    }
    let mut sending = Vec::new();
    for number in 0..bodies {
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
    let mut seen = Attack::default();
    while !end.load(Ordering::Relaxed) {
        sending.retain_mut(|(stream, begin, kind)| {
            let mut buffer = [0; 512];
            match stream.read(&mut buffer) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let _ = stream.write(b" ");
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
        std::thread::sleep(Duration::from_secs(1));
    }
    seen.open = sending.len();
    // The connections of those who read nothing are closed by the service, or counted.
    std::thread::sleep(Duration::from_secs(1));
    std::mem::forget(silent);
    Ok(seen)
}
