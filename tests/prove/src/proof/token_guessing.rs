//! Token guessing at full speed: limited by address, without affecting valid callers at the same address.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::{Form, target::Target};
use crate::{
    attack,
    figure::{Figure, Outcome},
    store::Store,
};

/// Attempts that the default setting allows per minute, and in a burst.
const PER_MINUTE: f64 = 120.0;

/// Connections of the attackers.
const GUESSERS: usize = 256;

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let target = Target::start(store, &store.start())?;
    let address = target.service.address;
    let time = form.pick(Duration::from_secs(4), Duration::from_secs(45));
    let ((seen, took), mut figures) = target.attack(form, time, |end| {
        let begin = Instant::now();
        (attack::guess_tokens(address, GUESSERS, end), begin.elapsed())
    })?;
    let allowed = PER_MINUTE + took.as_secs_f64() * PER_MINUTE / 60.0 + 2.0;
    #[expect(clippy::cast_precision_loss, reason = "a count")]
    let asked = seen.statuses.get(&401).copied().unwrap_or_default() as f64;
    let what = format!("guesses on {GUESSERS} connections, in {:.1} s", took.as_secs_f64());
    figures.push(Figure::plain(what, &seen));
    figures.push(Figure::exactly("guesses without 401 or 429", 0, seen.other_than(&[401, 429])));
    figures.push(Figure::at_most("tokens that were looked up (401)", allowed, asked, ""));
    Ok(Outcome::Measured(figures))
}
