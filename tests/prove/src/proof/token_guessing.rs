//! Tokens that nobody knows, as many as can be sent: limited by address, and no trouble for those at work there.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use anyhow::Result;

use super::{Form, target::Target};
use crate::{
    callers::Seen,
    connection::{Connection, get},
    figure::{Figure, Outcome},
    store::Store,
};

/// Attempts that the built-in setting allows in a minute, and at once.
const PER_MINUTE: f64 = 120.0;

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let target = Target::start(&store.start())?;
    let address = target.service.address;
    let attempts = form.pick(5_000, 100_000);
    let left = AtomicU64::new(attempts);
    let time = form.pick(Duration::from_secs(4), Duration::from_secs(45));
    let (seen, mut figures) = target.attack(form, time, |_| {
        let begin = Instant::now();
        let seen = std::thread::scope(|scope| {
            let guessers: Vec<_> = (0..2).map(|_| scope.spawn(|| guess(address, &left))).collect();
            let mut all = Seen::default();
            guessers.into_iter().filter_map(|guesser| guesser.join().ok()).for_each(|seen| all.add(seen));
            all
        });
        (seen, begin.elapsed())
    })?;
    let (seen, took) = seen;
    let allowed = PER_MINUTE + took.as_secs_f64() * PER_MINUTE / 60.0 + 2.0;
    #[expect(clippy::cast_precision_loss, reason = "a count")]
    let asked = seen.statuses.get(&401).copied().unwrap_or_default() as f64;
    figures.push(Figure::plain(format!("guesses, in {:.1} s", took.as_secs_f64()), &seen));
    figures.push(Figure::exactly("guesses without 401 or 429", 0, seen.other_than(&[401, 429])));
    figures.push(Figure::exactly("guesses that were answered", attempts, seen.statuses.values().sum()));
    figures.push(Figure::at_most("guesses that the store was asked about (401)", allowed, asked, ""));
    Ok(Outcome::Measured(figures))
}

fn guess(address: SocketAddr, left: &AtomicU64) -> Seen {
    let mut seen = Seen::default();
    let mut connection = None;
    let is_left = || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
    while is_left() {
        let token = format!("bms_{:016x}{:016x}", fastrand::u64(..), fastrand::u64(..));
        let begin = Instant::now();
        let open = connection.take().map_or_else(|| Connection::open(address), Ok);
        match open.and_then(|mut open| Ok((open.exchange(&get("/v2/hr/assignees/count", &token))?, open))) {
            Ok((answer, open)) => {
                seen.answered(answer.status, begin.elapsed());
                connection = Some(open);
            }
            Err(_) => seen.broken += 1,
        }
        // Else it would be the load of the two processors, not the guesses, that good callers feel.
        std::thread::sleep(Duration::from_micros(500));
    }
    seen
}
