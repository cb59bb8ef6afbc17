//! SIGTERM under load: every received request gets its response, no new ones are accepted, and the process
//! exits in time.

use std::{
    net::{SocketAddr, TcpStream},
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use anyhow::{Context as _, Result};

use super::{Form, target::Target};
use crate::{
    callers::Seen,
    connection::{Connection, get},
    figure::{Figure, Outcome},
    store::Store,
};

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let callers = form.pick(100, 1_000);
    let target = Target::start(store, &store.start())?;
    let (address, token) = (target.service.address, target.token.clone());
    let at_work = AtomicUsize::new(0);
    let (stopped, seen, is_refused) = std::thread::scope(|scope| -> Result<_> {
        let mut threads = Vec::new();
        for _ in 0..callers {
            let thread = std::thread::Builder::new().stack_size(256 << 10);
            threads.push(thread.spawn_scoped(scope, || call(address, &token, &at_work))?);
        }
        while at_work.load(Ordering::Relaxed) < callers {
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_secs(1));
        let late = scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            TcpStream::connect(address).is_err()
        });
        let stopped = target.service.stop()?;
        let mut all = Seen::default();
        for thread in threads {
            all.add(thread.join().ok().context("a caller has panicked")?);
        }
        Ok((stopped, all, late.join().ok() == Some(true)))
    })?;
    let (is_well, time) = stopped;
    Ok(Outcome::Measured(vec![
        Figure::plain(format!("answers to {callers} callers, until each is told that its connection ends"), &seen),
        Figure::exactly("requests that got no answer, or not all of it", 0, seen.broken),
        Figure::exactly("answers other than 200", 0, seen.other_than(&[200])),
        Figure::exactly("a connection 0.3 s later is refused", 1, u64::from(is_refused)),
        Figure::exactly("the process ends well", 1, u64::from(is_well)),
        Figure::at_most("until the process has ended", 10.0, time.as_secs_f64(), " s"),
    ]))
}

/// Repeats a request until a response closes the connection.
fn call(address: SocketAddr, token: &str, at_work: &AtomicUsize) -> Seen {
    let mut seen = Seen::default();
    let request = get("/v2/crm/accounts/summary?PageSize=25", token);
    let opened = Connection::open(address);
    at_work.fetch_add(1, Ordering::Relaxed);
    let Ok(mut connection) = opened else {
        seen.broken += 1;
        return seen;
    };
    loop {
        let begin = std::time::Instant::now();
        let Ok(answer) = connection.exchange(&request) else {
            seen.broken += 1;
            return seen;
        };
        seen.answered(answer.status, begin.elapsed());
        if answer.header("connection") == Some("close") {
            return seen;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
