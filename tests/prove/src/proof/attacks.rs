//! Isolation of callers: whatever an attacker does, other callers get timely responses.

use std::{iter, net::SocketAddr, sync::atomic::AtomicBool, time::Duration};

use anyhow::Result;

use super::{Form, target::percentile};
use crate::{
    attack,
    callers::{PAUSE, Seen, call_for, during_attack, good_callers},
    connection::{get, send_json},
    data,
    figure::{Figure, Outcome},
    store::Store,
};

/// An attack: its name, and what it runs until the flag is set.
type Attack<'a> = (&'static str, Box<dyn FnOnce(&AtomicBool) -> String + Send + 'a>);

pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let folder = tempfile::tempdir()?;
    let start = store.start();
    let service = start.run(folder.path())?;
    let good = start.token(folder.path())?;
    // The attacker has a valid token, as a misbehaving client would.
    let bad = start.token(folder.path())?;
    data::import_accounts(&start, folder.path(), form.pick(5_000, 49_000))?;
    let address = service.address;
    let picture = attack::upload(address, &bad, "picture.png", &data::picture(form.pick(500, 4000))?)?;
    let good = Good::new(address, &good)?;
    let thumbnails: Vec<_> = (0..200).map(|size| get(&format!("{picture}?width={}", 16 + size), &bad)).collect();
    let searches = [
        get("/v2/crm/accounts/summary?PageSize=25&Filter.AccountName=9", &bad),
        get("/v2/crm/accounts/lookup?Filter.Name=9", &bad),
    ];
    let large = "/v2/crm/accounts/summary?PageSize=1000";
    let (bad, thumbnails, searches) = (bad.as_str(), thumbnails.as_slice(), searches.as_slice());
    let attacks: Vec<Attack<'_>> = vec![
        ("16 callers who search by name", Box::new(move |end| attack::search(address, bad, 16, end).to_string())),
        (
            "searches that are aborted",
            Box::new(move |end| format!("{} sent", attack::hang_up(address, searches, 8, end))),
        ),
        (
            "thumbnails that are aborted",
            Box::new(move |end| format!("{} sent", attack::hang_up(address, thumbnails, 8, end))),
        ),
        ("500 bodies that stall", Box::new(move |end| attack::stall_bodies(address, bad, 500, end).to_string())),
        (
            "64 callers who never read",
            Box::new(move |end| format!("{} ended", attack::never_read(address, large, bad, 64, end))),
        ),
        ("tokens that are guessed", Box::new(move |end| attack::guess_tokens(address, 64, end).to_string())),
        ("8 callers who write", Box::new(move |end| attack::write(address, bad, 8, end).to_string())),
        (
            "connections without a request",
            Box::new(move |end| format!("{} held", attack::hold_idle(address, form.pick(500, 10_000), end))),
        ),
    ];

    let time = form.pick(Duration::from_millis(700), Duration::from_secs(10));
    let mut figures = Vec::new();
    for (name, attack) in attacks {
        let (idle, busy, seen) = during_attack(|time| good.call(time), time, attack);
        println!("  {name}: {}", seen.unwrap_or_else(|| "panicked".into()));
        let wrong = busy.iter().map(|(_, seen)| seen.other_than(&[200])).sum();
        figures.push(Figure::exactly(format!("{name}: good callers not answered 200"), 0, wrong));
        for ((kind, idle), (_, busy)) in idle.iter().zip(&busy) {
            let what = format!("{name}: p99 of good {kind}, idle {:.1} ms", idle.percentile(99).as_secs_f64() * 1e3);
            figures.push(percentile(what, form, store, busy));
        }
    }
    figures.push(Figure::plain("memory afterwards", format!("{} MiB", service.memory()? >> 20)));
    Ok(Outcome::Measured(figures))
}

/// Requests of well-behaved callers, by kind.
struct Good {
    address: SocketAddr,
    reads: Vec<Vec<u8>>,
    others: [(&'static str, Vec<Vec<u8>>); 3],
}

impl Good {
    fn new(address: SocketAddr, token: &str) -> Result<Self> {
        let reads = ["/v2/crm/accounts/summary?PageSize=25", "/v2/crm/accounts/summary/101", "/v2/hr/assignees/count"];
        let account = send_json("POST", "/v2/crm/accounts", token, "", &data::account("Written by a good caller"));
        let picture = attack::upload(address, token, "small.png", &data::picture(200)?)?;
        let thumbnails = (1..200).map(|width| get(&format!("{picture}?width={width}"), token)).collect();
        Ok(Self {
            address,
            reads: reads.map(|path| get(path, token)).to_vec(),
            others: [
                ("writes", vec![account]),
                ("uploads", vec![data::attachment("good", 101, token)]),
                ("thumbnails", thumbnails),
            ],
        })
    }

    /// Reads on 4 connections, and every other kind on one.
    fn call(&self, time: Duration) -> Vec<(&'static str, Seen)> {
        std::thread::scope(|scope| {
            let reads = scope.spawn(|| good_callers(self.address, &self.reads, time));
            let others = self.others.iter().map(|(kind, requests)| {
                let caller = scope.spawn(move || call_for(self.address, requests, 1, PAUSE, time));
                (*kind, caller)
            });
            let callers: Vec<_> = iter::once(("reads", reads)).chain(others).collect();
            callers.into_iter().map(|(kind, caller)| (kind, caller.join().unwrap_or_default())).collect()
        })
    }
}
