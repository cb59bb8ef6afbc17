//! The database server is killed, stopped or replaced by its standby while the service writes: acknowledged
//! writes survive, and the service continues without a restart.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use tests_postgres::{Durability, Server};

use super::Form;
use crate::{
    callers::{Seen, call},
    connection::{Connection, get, send_json},
    data,
    figure::{Figure, Outcome},
    service::{Service, Start},
    written::{Writers, Written, checked},
};

/// Number of writing and of reading connections.
const CALLERS: usize = 8;

/// The server is killed repeatedly, and restarted at once.
pub(super) fn kills(form: Form) -> Result<Outcome> {
    let server = Server::start(Durability::Full);
    let url = server.database();
    let rounds = form.pick(4, 200);
    let trial = Trial::start(Start::new().on(&url))?;
    trial.run(|token| {
        let mut slowest = Duration::ZERO;
        for _ in 0..rounds {
            std::thread::sleep(Duration::from_millis(fastrand::u64(5..=500)));
            server.kill();
            server.restart();
            slowest = slowest.max(until_written(&trial.service, token)?);
        }
        Ok(vec![
            Figure::plain("kills of the database server", rounds),
            Figure::at_most("until a write is done, after the server's start", 5.0, slowest.as_secs_f64(), " s"),
            connections(&url),
        ])
    })
}

/// The server is stopped for long once, and briefly many times.
pub(super) fn stopped(form: Form) -> Result<Outcome> {
    let server = Server::start(Durability::Full);
    let url = server.database();
    let trial = Trial::start(Start::new().on(&url))?;
    let (pause, rounds) = (form.pick(Duration::from_secs(3), Duration::from_secs(30)), form.pick(3, 50));
    trial.run(|token| {
        let mut slowest = Duration::ZERO;
        for round in 0..=rounds {
            server.stop();
            let unready = status(&trial.service, "/readyz")?;
            let alive = status(&trial.service, "/healthz")?;
            ensure!((unready, alive) == (503, 200), "/readyz answers {unready}, /healthz {alive}");
            std::thread::sleep(if round == 0 { pause } else { Duration::from_millis(100) });
            server.restart();
            slowest = slowest.max(until_written(&trial.service, token)?);
            std::thread::sleep(Duration::from_millis(fastrand::u64(100..=500)));
        }
        Ok(vec![
            Figure::plain("stops of the database server", rounds + 1),
            Figure::at_most("until a write is done, after the server's start", 5.0, slowest.as_secs_f64(), " s"),
            connections(&url),
        ])
    })
}

/// The server is killed, and its standby takes over.
pub(super) fn failover(form: Form) -> Result<Outcome> {
    let mut all = Vec::new();
    for _ in 0..form.pick(1, 10) {
        let primary = Server::start(Durability::Full);
        let name = primary.database().rsplit('/').next().unwrap_or_default().to_owned();
        let standby = primary.standby();
        let url = primary.url_with(&standby, &name);
        let trial = Trial::start(Start::new().on(&url))?;
        let outcome = trial.run(|token| {
            std::thread::sleep(Duration::from_secs(1));
            primary.kill();
            standby.promote();
            let recovered = until_written(&trial.service, token)?;
            std::thread::sleep(Duration::from_secs(1));
            let name = "until a write is done, after the promotion";
            Ok(vec![Figure::at_most(name, 5.0, recovered.as_secs_f64(), " s")])
        })?;
        if let Outcome::Measured(figures) = outcome {
            all.extend(figures);
        }
    }
    Ok(Outcome::Measured(all))
}

/// A service on a database, for tests with disturbances.
pub(super) struct Trial {
    start: Start,
    pub(super) service: Service,
    token: String,
    folder: tempfile::TempDir,
}

impl Trial {
    pub(super) fn start(start: Start) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let service = start.run(folder.path())?;
        let token = start.token(folder.path())?;
        Ok(Self { start, service, token, folder })
    }

    /// Runs `work` while others write and read; reports what they saw and the final state.
    pub(super) fn run(&self, work: impl FnOnce(&str) -> Result<Vec<Figure>>) -> Result<Outcome> {
        self.run_answering(&[200, 503], work)
    }

    /// The same, with other statuses than 200 and 503 allowed.
    pub(super) fn run_answering(
        &self,
        allowed: &[u16],
        work: impl FnOnce(&str) -> Result<Vec<Figure>>,
    ) -> Result<Outcome> {
        let (address, token) = (self.service.address, self.token.as_str());
        let writers = Writers::new(address, token)?;
        let reads = [get("/v2/crm/accounts/summary/101", token), get("/v2/crm/accounts/summary?PageSize=25", token)];
        let end = AtomicBool::new(false);
        let (worked, written, read) = std::thread::scope(|scope| {
            let writing = scope.spawn(|| writers.run(CALLERS, &end));
            let reading = scope.spawn(|| call(address, &reads, CALLERS, Duration::from_millis(20), &end));
            let worked = {
                let _end = AtEnd(&end);
                work(token)
            };
            let written: Written = writing.join().unwrap_or_default();
            let read: Seen = reading.join().unwrap_or_default();
            (worked, written, read)
        });
        println!("  reads  {read}");
        println!("  writes {}", written.seen);
        let mut figures = worked?;
        figures.extend([
            Figure::exactly("reads: answers other than 200 and 503", 0, read.other_than(&[200, 503])),
            Figure::exactly(format!("writes: answers other than {allowed:?}"), 0, written.seen.other_than(allowed)),
            Figure::exactly("reads answered 503 without `Retry-After`", 0, read.without_retry_after),
            Figure::exactly("writes answered 503 without `Retry-After`", 0, written.without_retry_after),
        ]);
        figures.extend(written.compare(address, token)?);
        figures.push(checked(&self.start, self.folder.path())?);
        Ok(Outcome::Measured(figures))
    }
}

/// Sets the flag when dropped, also by a panic.
struct AtEnd<'a>(&'a AtomicBool);

impl Drop for AtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The time until a write succeeds.
pub(super) fn until_written(service: &Service, token: &str) -> Result<Duration> {
    let begin = Instant::now();
    let mut connection = Connection::open(service.address)?;
    let request = send_json("POST", "/v2/crm/accounts", token, "", &data::account("Gone"));
    while connection.exchange(&request)?.status != 200 {
        ensure!(begin.elapsed() < Duration::from_mins(1), "nothing is written any more");
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(begin.elapsed())
}

fn status(service: &Service, path: &str) -> Result<u16> {
    Ok(Connection::open(service.address)?.exchange(&get(path, ""))?.status)
}

/// The number of the service's connections.
fn connections(url: &str) -> Figure {
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'service'";
    let count: f64 = tests_postgres::execute(url, sql).trim().parse().unwrap_or(f64::INFINITY);
    Figure::at_most("connections to the server in the end", 16.0, count, "")
}
