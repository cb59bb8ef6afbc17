//! Thousands of idle connections next to thousands of active ones, and the response to one too many.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};

use super::{Form, target::Target};
use crate::{
    callers::Seen,
    connection::{Connection, get},
    figure::{Figure, Outcome},
    store::Store,
};

/// Number of connections above the limit.
const TOO_MANY: usize = 20;

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let (idle, active) = form.pick((500, 50), (10_000, 1_000));
    let files = files()?;
    // The service reserves 512 descriptors for other files.
    if files < idle + active + 600 {
        return Ok(Outcome::LeftOut(format!("{} open files, of {files} (`ulimit -n`)", idle + active + 600)));
    }
    // There are 4 well-behaved callers.
    let start = store.start().with("SERVICE_LIMITS__CONNECTIONS", idle + active + 4);
    let target = Target::start(store, &start)?;
    let (address, token) = (target.service.address, target.token.clone());
    let time = form.pick(Duration::from_secs(4), Duration::from_secs(20));

    let (seen, mut figures) = target.attack(form, time, |end| -> Result<_> {
        let mut held = Vec::new();
        let (before, begin) = (target.service.memory()?, Instant::now());
        for _ in 0..idle {
            let mut connection = Connection::open(address)?;
            connection.exchange(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")?;
            held.push(connection);
        }
        let (memory, opened) = (target.service.memory()?.saturating_sub(before), begin.elapsed());
        let request = get("/v2/crm/accounts/summary/101", &token);
        let (mut at_work, mut busy) = (Vec::new(), Seen::default());
        for _ in 0..active {
            let (begin, mut connection) = (Instant::now(), Connection::open(address)?);
            busy.answered(connection.exchange(&request)?.status, begin.elapsed());
            at_work.push(connection);
        }
        let (mut refused, mut slowest) = (Seen::default(), Duration::ZERO);
        std::thread::scope(|scope| {
            let callers: Vec<_> =
                at_work.into_iter().map(|connection| scope.spawn(|| work(connection, &request, end))).collect();
            // Wait until the well-behaved callers are connected, too.
            std::thread::sleep(Duration::from_secs(1));
            for _ in 0..TOO_MANY {
                let begin = Instant::now();
                match Connection::open(address)
                    .and_then(|mut one| one.exchange(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"))
                {
                    Ok(answer) if answer.header("retry-after").is_some() => {
                        refused.answered(answer.status, begin.elapsed());
                    }
                    _ => refused.broken += 1,
                }
                slowest = slowest.max(begin.elapsed());
            }
            for seen in callers.into_iter().filter_map(|caller| caller.join().ok()) {
                busy.add(seen);
            }
        });
        let highest = target.service.memory()?;
        // The idle connections must still work.
        let broken = held.iter_mut().filter_map(|one| one.exchange(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").err());
        Ok((memory, opened, highest, busy, refused, slowest, broken.count()))
    })?;
    let (memory, opened, highest, busy, refused, slowest, broken) = seen?;
    #[expect(clippy::cast_precision_loss, reason = "for a measure")]
    let (each, all) = (memory as f64 / idle as f64 / 1024.0, highest as f64 / f64::from(1 << 20));
    figures.push(Figure::plain("idle connections, and such at work", format!("{idle}, {active}")));
    figures.push(Figure::at_most(
        "until the idle ones were open",
        form.pick(f64::INFINITY, 20.0),
        opened.as_secs_f64(),
        " s",
    ));
    figures.push(Figure::exactly("idle connections that were no longer good", 0, broken as u64));
    figures.push(Figure::plain("answers to those at work", &busy));
    figures.push(Figure::exactly("answers to those at work other than 200", 0, busy.other_than(&[200])));
    figures.push(Figure::at_most("memory of an idle connection", 24.0, each, " KiB"));
    figures.push(Figure::at_most("memory of the service", 300.0, all, " MiB"));
    let told = refused.statuses.get(&503).copied().unwrap_or_default();
    figures.push(Figure::exactly(
        "connections too many that are told 503 and when to come again",
        TOO_MANY as u64,
        told,
    ));
    figures.push(Figure::at_most("until one is told", form.pick(f64::INFINITY, 1.0), slowest.as_secs_f64(), " s"));
    Ok(Outcome::Measured(figures))
}

/// Repeats a request on a connection, with a pause after each response.
fn work(mut connection: Connection, request: &[u8], end: &AtomicBool) -> Seen {
    let mut seen = Seen::default();
    let mut next = Instant::now();
    while !end.load(Ordering::Relaxed) {
        if Instant::now() < next {
            std::thread::sleep(Duration::from_millis(50));
            continue;
        }
        let begin = Instant::now();
        match connection.exchange(request) {
            Ok(answer) => seen.answered(answer.status, begin.elapsed()),
            Err(_) => seen.broken += 1,
        }
        next = Instant::now() + Duration::from_secs(2);
    }
    seen
}

/// The limit of open files on this machine.
fn files() -> Result<usize> {
    let limits =
        std::fs::read_to_string("/proc/self/limits").context("limits are read from /proc, which only Linux has")?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).context("a limit of open files")?;
    let soft = line.split_whitespace().next().context("a number")?;
    Ok(soft.parse().unwrap_or(usize::MAX))
}
