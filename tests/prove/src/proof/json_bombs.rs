//! JSON designed to exhaust its reader: refused quickly, without a panic.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use anyhow::Result;

use super::{Form, target::Target};
use crate::{
    callers::Seen,
    connection::{Connection, send_json},
    figure::{Figure, Outcome},
    store::Store,
};

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let mut target = Target::start(store, &store.start())?;
    let bombs = bombs();
    let attack = |target: &Target, end: &AtomicBool| -> Result<Vec<Seen>> {
        let (address, token) = (target.service.address, &target.token);
        let mut all = vec![Seen::default(); bombs.len()];
        while !end.load(Ordering::Relaxed) {
            for ((_, bomb), seen) in bombs.iter().zip(&mut all) {
                let mut request = send_json("POST", "/v2/crm/accounts", token, "", "");
                let head = String::from_utf8(request)?
                    .replace("content-length: 0", &format!("content-length: {}", bomb.len()));
                request = head.into_bytes();
                request.extend_from_slice(bomb);
                let begin = Instant::now();
                match Connection::open(address).and_then(|mut open| open.exchange(&request)) {
                    Ok(answer) => seen.answered(answer.status, begin.elapsed()),
                    Err(_) => seen.broken += 1,
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        Ok(all)
    };
    let time = form.pick(Duration::from_secs(4), Duration::from_secs(20));
    let (seen, mut figures) = target.attack(form, time, |end| attack(&target, end))?;
    for ((what, _), seen) in bombs.iter().zip(seen?) {
        let median = seen.percentile(50).as_secs_f64() * 1e3;
        figures.push(Figure {
            what: (*what).to_owned(),
            goal: "400 or 422".into(),
            seen: format!("{seen}, {median:.1} ms"),
            is_kept: seen.other_than(&[400, 422]) == 0 && !seen.statuses.is_empty(),
        });
        figures.push(Figure::at_most("  until it is refused, median", form.pick(1000.0, 50.0), median, " ms"));
    }
    let panics = target.service.log().iter().filter(|line| line.contains("panicked")).count();
    figures.push(Figure::exactly("panics", 0, panics as u64));
    figures.push(Figure::exactly("ends of the service", 0, u64::from(!target.service.is_alive())));
    Ok(Outcome::Measured(figures))
}

fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    let account = |value: &str| format!(r#"{{"AccountName":{value}}}"#).into_bytes();
    let keys = (0..80_000).map(|number| format!("\"k{number}\":1")).collect::<Vec<_>>().join(",");
    vec![
        ("lists in lists, 500,000 deep", vec![b'['; 500_000]),
        ("objects in objects, 150,000 deep", br#"{"a":"#.repeat(150_000)),
        ("130 deep, and ended", account(&format!("{}{}", "[".repeat(130), "]".repeat(130)))),
        ("80,000 unknown members", format!("{{{keys},\"k\":1}}").into_bytes()),
        (
            "one member 80,000 times",
            format!("{{{}\"AccountName\":\"a\"}}", "\"AccountName\":\"a\",".repeat(50_000)).into_bytes(),
        ),
        ("a number of 900,000 digits", format!(r#"{{"AccountTypeId":{}}}"#, "9".repeat(900_000)).into_bytes()),
        ("1e999999999", br#"{"AccountTypeId":1e999999999}"#.to_vec()),
        ("half a surrogate pair", account(r#""\ud800""#)),
        ("the character NUL, raw", account("\"a\0b\"")),
        ("not UTF-8", [&br#"{"AccountName":""#[..], &[0xff, 0xfe], br#""}"#].concat()),
        ("a text of 1,000,000 escapes", account(&format!("\"{}\"", "\\n".repeat(500_000)))),
    ]
}
