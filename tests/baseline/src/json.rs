//! The speed of reading and writing JSON, compared with serde_json and sonic-rs.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use anyhow::Result;

use crate::{
    generated::server::{models, runtime::json},
    handwritten, sample,
};

/// Rounds, in which the libraries take turns.
const ROUNDS: usize = 41;

/// Repetitions of a round.
const TIMES: u32 = 20;

/// Prints the median time of each library for a list of orders, and the ratios.
pub fn compare() -> Result<()> {
    let text = sample::orders();
    let strict: Vec<models::Order> = json::from_slice(text.as_bytes())?;
    let plain: Vec<handwritten::Order> = serde_json::from_str(&text)?;
    println!("{} KiB of JSON", text.len() >> 10);
    turns(
        "reading",
        [
            &|| drop(black_box(json::from_slice::<Vec<models::Order>>(text.as_bytes()))),
            &|| drop(black_box(serde_json::from_slice::<Vec<handwritten::Order>>(text.as_bytes()))),
            &|| drop(black_box(sonic_rs::from_slice::<Vec<handwritten::Order>>(text.as_bytes()))),
        ],
    );
    turns(
        "writing",
        [&|| drop(black_box(json::to_vec(&strict))), &|| drop(black_box(serde_json::to_vec(&plain))), &|| {
            drop(black_box(sonic_rs::to_vec(&plain)))
        }],
    );
    Ok(())
}

fn turns(what: &str, work: [&dyn Fn(); 3]) {
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        for (work, times) in work.iter().zip(&mut times) {
            let begin = Instant::now();
            (0..TIMES).for_each(|_| work());
            times.push(begin.elapsed() / TIMES);
        }
    }
    let [own, serde, sonic] = times.map(|mut times| {
        times.sort();
        times.get(ROUNDS / 2).copied().unwrap_or_default()
    });
    let ratio = |other: Duration| own.as_secs_f64() / other.as_secs_f64();
    println!("{what}: {own:?}, {:.2} × serde_json, {:.2} × sonic-rs", ratio(serde), ratio(sonic));
}
