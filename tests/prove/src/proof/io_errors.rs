//! The n-th call to the disk fails, for every n of a script of 40 requests: every acknowledged write is
//! stored.

use anyhow::Result;

use super::Form;
use crate::{
    faults::{Faults, errno},
    figure::{Figure, Outcome},
    inside::Inside,
    script::{Tally, recovers, round},
    service::Start,
};

/// Runs it.
pub(super) fn run(form: Form) -> Result<Outcome> {
    let faults = match Faults::build()? {
        Ok(faults) => faults,
        Err(missing) => return Ok(Outcome::LeftOut(missing)),
    };
    let folder = tempfile::tempdir()?;
    let start = Start::new().with("SERVICE_LIMITS__RESERVE_BYTES", 0);
    let mut service = faults.start(start.clone(), folder.path())?.run(folder.path())?;
    let token = start.token(folder.path())?;

    let mut tally = Tally::default();
    let before = faults.calls()?;
    round(&service, &token, "0", &mut tally)?;
    let calls = faults.calls()? - before;
    let step = usize::try_from(form.pick((calls / 6).max(1), 1))?;
    let mut rounds = 0;
    // The number of calls varies a little from round to round.
    for n in (1..=calls + calls / 10).step_by(step) {
        faults.fail(n, errno::EIO)?;
        let name = n.to_string();
        round(&service, &token, &name, &mut tally)?;
        faults.fail(0, 0)?;
        if !recovers(&service, &token, &name)? {
            tally.unrecovered += 1;
        }
        rounds += 1;
    }
    let panics = service.log().iter().filter(|line| line.contains("panicked")).count();
    let is_alive = service.is_alive();
    service.kill()?;

    let service = start.run(folder.path())?;
    let inside = Inside::open(folder.path())?;
    let broken = inside.problems()?;
    drop(service);
    for problem in broken.iter().take(5) {
        println!("  {problem}");
    }
    println!("  {}", tally.answers.seen);
    Ok(Outcome::Measured(vec![
        Figure::plain("calls to the disk in the script of 40 requests", calls),
        Figure::plain("rounds, each with another call failed", rounds),
        Figure::plain("calls that have failed", faults.failed()?),
        Figure::exactly("panics", 0, panics as u64),
        Figure::exactly("processes that ended", 0, u64::from(!is_alive)),
        Figure::exactly("requests that hung for 20 s", 0, tally.answers.hangs),
        Figure::plain("uploads refused and cut off while they were sent", tally.answers.cut),
        Figure::exactly("writes answered 200 that are not there", 0, tally.lost),
        Figure::exactly("writes answered with an error that are there", 0, tally.ghosts),
        Figure::exactly("creations that repeating with the same key did not make one", 0, tally.unrepeated),
        Figure::exactly("rounds after which a write failed without a fault", 0, tally.unrecovered),
        Figure::exactly("problems of the store and its files after a kill", 0, broken.len() as u64),
    ]))
}
