//! The time of a refusal does not depend on how much of a token is correct.

use std::time::Instant;

use anyhow::Result;

use super::{Form, target::Target};
use crate::{
    connection::{Connection, get},
    figure::{Figure, Outcome},
    store::Store,
};

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let pairs = form.pick(1_000, 20_000);
    // Otherwise most attempts would be refused before the lookup.
    let target = Target::start(store, &store.start().with("SERVICE_LIMITS__FAILED_AUTHENTICATIONS_PER_MINUTE", 0))?;
    let mut connection = Connection::open(target.service.address)?;
    let mut samples: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    let mut others = 0;
    let digits = |count: usize| (0..count).map(|_| fastrand::char('a'..='f')).collect::<String>();
    for _ in 0..pairs {
        let known = &target.token[..target.token.len() - 8];
        let tokens = [format!("{known}{}", digits(8)), format!("bms_{}", digits(target.token.len() - 4))];
        let first = fastrand::usize(..2);
        for index in [first, 1 - first] {
            let request = get("/v2/hr/assignees/count", &tokens[index]);
            let begin = Instant::now();
            let answer = connection.exchange(&request)?;
            samples[index].push(begin.elapsed().as_secs_f64() * 1e6);
            others += u64::from(answer.status != 401);
        }
    }
    // Drop the slowest twentieth, by one bound for both samples: other work on the machine causes it.
    let mut all: Vec<f64> = samples.iter().flatten().copied().collect();
    all.sort_by(f64::total_cmp);
    let bound = all[all.len() * 19 / 20];
    let [near, far] = samples.map(|times| Moments::of(times.into_iter().filter(|time| *time <= bound)));
    let welch = (near.mean - far.mean) / (near.variance / near.count + far.variance / far.count).sqrt();
    Ok(Outcome::Measured(vec![
        Figure::plain("pairs of a token that is wrong at its end, and one that is all wrong", pairs),
        Figure::exactly("answers other than 401", 0, others),
        Figure::plain("mean of the two", format!("{:.2} µs, {:.2} µs", near.mean, far.mean)),
        Figure::at_most("Welch's t", 4.5, welch.abs(), ""),
    ]))
}

struct Moments {
    count: f64,
    mean: f64,
    variance: f64,
}

impl Moments {
    fn of(times: impl Iterator<Item = f64> + Clone) -> Self {
        let count = times.clone().map(|_| 1.0).sum::<f64>();
        let mean = times.clone().sum::<f64>() / count;
        let variance = times.map(|time| (time - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Self { count, mean, variance }
    }
}
