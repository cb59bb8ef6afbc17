//! The cost of reads, and how it grows with the number of accounts.

use std::{
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};

use super::{
    TIME, floor,
    load::{self, Request},
    place::{Place, Settings},
    process::{self, Peer, Service},
    program, row,
};

/// The number of accounts that growth is compared with.
const FEW: u32 = 1000;
const LIST: &str = "/v2/crm/accounts/summary?PageSize=25";
const ONE: &str = "/v2/crm/accounts/summary/101";
/// The reads that are handwritten, too, with their names.
const HANDWRITTEN: [(&str, &str); 2] = [("account list of 25", LIST), ("one account", ONE)];
/// The measured reads: name, address, and whether the cost must not grow with the number of accounts.
const READS: [(&str, &str, bool); 5] = [
    ("account list of 25", LIST, true),
    ("account lookup of 25", "/v2/crm/accounts/lookup?PageSize=25", true),
    ("one account", ONE, true),
    ("account list of 25, in the middle", "/v2/crm/accounts/summary?PageSize=25&PageNumber={page}", false),
    (
        "account list of 25, filtered by a part of the name",
        "/v2/crm/accounts/summary?PageSize=25&Filter.AccountName=account%2099",
        false,
    ),
];

/// Processor time of one request.
#[derive(Clone, Copy)]
struct Cost {
    /// In µs, of the service.
    service: f64,
    /// In µs, of the database server.
    server: f64,
}

pub(super) fn measure(place: &Place, peer: &Path, accounts: u32) -> Result<()> {
    let few = filled(place, FEW)?;
    let service = Service::start(&few)?;
    let before = READS.iter().map(|read| cost(place, &service, &path(read.1, FEW))).collect::<Result<Vec<_>>>()?;
    service.stop()?;

    let begin = Instant::now();
    let many = filled(place, accounts)?;
    let rate = f64::from(accounts) / begin.elapsed().as_secs_f64();
    row(&format!("import of {accounts} accounts"), &format!("{rate:.0}/s"), "");
    let service = Service::start(&many)?;
    let list = Request::get(LIST, &service.token);
    let bytes = load::answer(service.address, &list)?.len();
    let floor = floor::Floor::start(&program("xtask")?, bytes)?;
    let spent = load(place, floor.address, floor.id, &Request::get("/", ""))?;
    let floor_cpu = spent.service;
    row(&format!("HTTP floor: {bytes} fixed bytes"), &format!("{floor_cpu:.1} µs CPU"), "the machine's own");
    drop(floor);

    for ((what, address, is_to_stay), before) in READS.into_iter().zip(before) {
        let cost = cost(place, &service, &path(address, accounts))?;
        let growth = cost.sum() / before.sum();
        let goal = if is_to_stay { "; goal: ≤ 1.5 ×" } else { "" };
        let note = format!("{:.1} × the floor; {growth:.2} × of {FEW} accounts{goal}", cost.service / floor_cpu);
        row(what, &cost.shown(place), &note);
    }
    let handwritten = Peer::start(peer, &many)?;
    for (what, address) in HANDWRITTEN {
        compare(place, &service, &handwritten, what, &Request::get(address, &service.token))?;
    }
    service.stop()?;
    if place.has_server() {
        by_driver(&many, peer)?;
    }
    Ok(())
}

/// The same read by the handwritten service, which must give the same response.
fn compare(place: &Place, service: &Service, peer: &Peer, what: &str, request: &Request) -> Result<()> {
    let json = |address| anyhow::Ok(serde_json::from_slice::<serde_json::Value>(&load::answer(address, request)?)?);
    ensure!(json(peer.address)? == json(service.address)?, "the handwritten service answers something else");
    // In turns, so that other load on the machine affects both.
    let before = load(place, service.address, service.id(), request)?;
    let its = load(place, peer.address, peer.id(), request)?;
    let after = load(place, service.address, service.id(), request)?;
    let own = f64::midpoint(before.sum(), after.sum());
    let note = format!("the service takes {:.2} × of it; goal: ≤ 0.35 ×", own / its.sum());
    row(&format!("{what}, by hand with axum and sqlx"), &its.shown(place), &note);
    Ok(())
}

/// The statements of the handwritten list with each driver, without HTTP.
fn by_driver(settings: &Settings, peer: &Path) -> Result<()> {
    let output = Command::new(peer).args([&settings.address(), "drivers"]).output()?;
    ensure!(output.status.success(), "the drivers fail: {}", String::from_utf8_lossy(&output.stderr));
    for line in String::from_utf8(output.stdout)?.lines() {
        let mut columns = line.split('\t');
        let mut column = || columns.next().unwrap_or_default();
        let (driver, cpu, rate) = (column(), column(), column());
        row(&format!("its statements by {driver}"), &format!("{cpu} µs CPU"), &format!("{rate} lists a second"));
    }
    Ok(())
}

/// A store with this many accounts.
fn filled(place: &Place, accounts: u32) -> Result<Settings> {
    let settings = place.fresh()?;
    Service::start(&settings)?.stop()?;
    let file = settings.data.join("accounts.json");
    std::fs::write(&file, load::accounts(accounts))?;
    let mut import: Command = settings.service()?;
    let import = import.arg("import").arg(&file).arg("--quiet").output()?;
    ensure!(import.status.success(), "the import failed: {}", String::from_utf8_lossy(&import.stderr));
    std::fs::remove_file(file)?;
    settings.settle();
    Ok(settings)
}

fn path(address: &str, accounts: u32) -> String {
    address.replace("{page}", &(accounts / 50).to_string())
}

fn cost(place: &Place, service: &Service, path: &str) -> Result<Cost> {
    load(place, service.address, service.id(), &Request::get(path, &service.token))
}

/// The cost of one request under load from 16 connections.
fn load(place: &Place, address: std::net::SocketAddr, process: u32, request: &Request) -> Result<Cost> {
    load::run(&[address], request, 16, Duration::from_millis(500))?;
    let before = (process::cpu(process)?, place.spent()?);
    let outcome = load::run(&[address], request, 16, TIME)?;
    let after = (process::cpu(process)?, place.spent()?);
    ensure!(outcome.failures == 0, "{} of {} requests failed", outcome.failures, outcome.answers);
    let of_one = |before: Duration, after: Duration| {
        after.saturating_sub(before).as_secs_f64() * 1e6 / f64::from(outcome.answers)
    };
    Ok(Cost { service: of_one(before.0, after.0), server: of_one(before.1, after.1) })
}

impl Cost {
    fn sum(self) -> f64 {
        self.service + self.server
    }

    fn shown(self, place: &Place) -> String {
        if place.has_server() {
            format!("{:.1} + {:.1} µs CPU", self.service, self.server)
        } else {
            format!("{:.1} µs CPU", self.service)
        }
    }
}
