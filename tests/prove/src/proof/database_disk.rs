//! The database server's disk fills up, and then fails call by call, while the service writes.

use std::time::{Duration, Instant};

use anyhow::Result;
use tests_postgres::{Durability, Server};

use super::{
    Form,
    database_gone::{Trial, until_written},
};
use crate::{
    faults::{Faults, errno},
    figure::{Figure, Outcome},
    service::Start,
};

/// Number of calls until the next one fails.
const NEXT: u64 = 60;

/// Runs it.
pub(super) fn run(form: Form) -> Result<Outcome> {
    let faults = match Faults::build()? {
        Ok(faults) => faults,
        Err(missing) => return Ok(Outcome::LeftOut(missing)),
    };
    faults.share()?;
    let server = Server::start(Durability::Full);
    let url = server.database();
    let variables = faults.variables(&server.data())?;
    server.stop();
    server.restart_with(&variables);
    let trial = Trial::start(Start::new().on(&url))?;
    trial.run_answering(&[200, 503, 507], |token| {
        let mut slowest = Duration::ZERO;
        let mut ended = 0_u64;
        // A server that cannot continue exits, and its supervisor starts it again.
        let mut recover = || -> Result<()> {
            let begin = Instant::now();
            ended += u64::from(!server.runs());
            server.restart_with(&variables);
            until_written(&trial.service, token)?;
            slowest = slowest.max(begin.elapsed());
            Ok(())
        };
        for _ in 0..form.pick(2, 20) {
            faults.room(Some(fastrand::u64(..128 << 10)))?;
            std::thread::sleep(form.pick(Duration::from_secs(1), Duration::from_secs(5)));
            faults.room(None)?;
            recover()?;
        }
        let rounds = form.pick(6, 300);
        for _ in 0..rounds {
            let before = faults.failed()?;
            faults.fail(fastrand::u64(1..=NEXT), errno::EIO)?;
            let begin = Instant::now();
            while faults.failed()? == before && begin.elapsed() < Duration::from_secs(2) {
                std::thread::sleep(Duration::from_millis(5));
            }
            faults.fail(0, 0)?;
            recover()?;
        }
        Ok(vec![
            Figure::plain("calls of the database server that found no room", faults.refused()?),
            Figure::plain("calls of the database server that have failed", faults.failed()?),
            Figure::plain("times that it had ended and was started again", ended),
            Figure::at_most("until a write is done, once the disk is well", 30.0, slowest.as_secs_f64(), " s"),
        ])
    })
}
