//! Durable creates per second, by one and by many clients, on one process and on two.

use std::{net::SocketAddr, path::Path, time::Duration};

use anyhow::{Result, ensure};

use super::{
    TIME, floor,
    load::{self, Request},
    place::{Place, Settings},
    process::{self, Peer, Service},
    row,
};

pub(super) fn measure(place: &Place, peer: &Path) -> Result<()> {
    let settings = place.fresh()?;
    let floor = floor::commits_per_second(&settings.data.join("floor"), Duration::from_secs(2))?;
    row("one write and fdatasync after the other", &format!("{floor:.0}/s"), "the machine's own single-commit rate");
    let service = Service::start(&settings)?;
    let create = Request::post("/v2/crm/accounts", &service.token, &load::account());
    let one = rate(place, &[service.address], &[service.id()], &create, 1)?;
    one.tell("durable creates, 1 client", &format!("{:.1} × the single-commit rate", one.rate / floor));
    let many = rate(place, &[service.address], &[service.id()], &create, 64)?;
    let note = |many: &Rate| {
        format!(
            "{:.1} × one client, {:.1} × the single-commit rate; goal: 20 ×",
            many.rate / one.rate,
            many.rate / floor
        )
    };
    many.tell("durable creates, 64 clients", &note(&many));
    if place.has_server() {
        let second = Service::start(&settings)?;
        let two = rate(place, &[service.address, second.address], &[service.id(), second.id()], &create, 64)?;
        two.tell("durable creates, 64 clients of two processes", &note(&two));
        second.stop()?;
    }
    by_hand(place, &settings, peer, &create, &many)?;
    service.stop()
}

/// The same with the handwritten service, which has no audit log.
fn by_hand(place: &Place, settings: &Settings, peer: &Path, create: &Request, service: &Rate) -> Result<()> {
    let peer = Peer::start(peer, settings)?;
    let its = rate(place, &[peer.address], &[peer.id()], create, 64)?;
    let note = format!("the service does {:.2} × as many", service.rate / its.rate);
    its.tell("durable creates, 64 clients, by hand with axum and sqlx", &note);
    Ok(())
}

struct Rate {
    /// Creates per second.
    rate: f64,
    /// Processor time of a create in µs: of the service, and of the database server.
    cost: (f64, f64),
}

fn rate(place: &Place, addresses: &[SocketAddr], processes: &[u32], create: &Request, clients: usize) -> Result<Rate> {
    let spent = || processes.iter().map(|process| process::cpu(*process)).sum::<Result<Duration>>();
    let before = (spent()?, place.spent()?);
    let outcome = load::run(addresses, create, clients, TIME)?;
    let after = (spent()?, place.spent()?);
    ensure!(outcome.failures == 0, "{} of {} creates failed", outcome.failures, outcome.answers);
    let of_one = |before: Duration, after: Duration| {
        after.saturating_sub(before).as_secs_f64() * 1e6 / f64::from(outcome.answers)
    };
    let cost = (of_one(before.0, after.0), of_one(before.1, after.1));
    Ok(Rate { rate: f64::from(outcome.answers) / outcome.time.as_secs_f64(), cost })
}

impl Rate {
    fn tell(&self, what: &str, note: &str) {
        let (service, server) = self.cost;
        row(what, &format!("{:.0}/s", self.rate), &format!("{:.0} µs CPU each; {note}", service + server));
    }
}
