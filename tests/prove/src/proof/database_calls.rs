//! The n-th call to the database or its reply is lost, for every n of a script of 40 requests: no response is
//! wrong.

use anyhow::Result;
use tests_postgres::{Durability, Server};

use super::Form;
use crate::{
    figure::{Figure, Outcome},
    proxy::{Loss, Proxy},
    script::{Tally, recovers, round},
    service::Start,
    written::checked,
};

/// Runs it.
pub(super) fn run(form: Form) -> Result<Outcome> {
    let server = Server::start(Durability::None);
    let url = server.database();
    let name = url.rsplit('/').next().unwrap_or_default();
    let proxy = Proxy::before_postgres(server.socket())?;
    let folder = tempfile::tempdir()?;
    let start = Start::new().on(&url);
    let through = start.clone().with("SERVICE_STORE", format!("postgres://service@{}/{name}", proxy.address));
    let mut service = through.run(folder.path())?;
    let token = start.token(folder.path())?;

    // Prepare the statements.
    round(&service, &token, "first", &mut Tally::default())?;
    let before = proxy.calls();
    round(&service, &token, "second", &mut Tally::default())?;
    let calls = proxy.calls() - before;
    let mut figures = vec![Figure::plain("calls to the database in the script and the look at it", calls)];
    let step = usize::try_from(form.pick((calls / 6).max(1), 1))?;
    for (loss, what) in [(Loss::Call, "a call is lost"), (Loss::Reply, "a reply is lost")] {
        let mut tally = Tally::default();
        let before = proxy.spoilt();
        for n in (1..=calls).step_by(step) {
            let name = format!("{loss:?}-{n}");
            proxy.spoil(n..=n, loss);
            round(&service, &token, &name, &mut tally)?;
            proxy.spoil_nothing();
            tally.unrecovered += u64::from(!recovers(&service, &token, &name)?);
        }
        println!("  {what}: {}", tally.answers.seen);
        let figure = |name: &str, seen| Figure::exactly(format!("{what}: {name}"), 0, seen);
        let ghosts = "writes answered with an error that are there";
        figures.extend([
            Figure::some(format!("{what}: so often"), proxy.spoilt() - before),
            figure("answers other than 200 and 503", tally.answers.seen.other_than(&[200, 503])),
            figure("requests that hung for 20 s", tally.answers.hangs),
            figure("writes answered 200 that are not there", tally.lost),
            match loss {
                Loss::Call => figure(ghosts, tally.ghosts),
                // A call without a reply may or may not have been executed.
                Loss::Reply => Figure::plain(format!("{what}: {ghosts}"), tally.ghosts),
            },
            figure("creations that repeating with the same key did not make one", tally.unrepeated),
            figure("rounds after which a write failed without a fault", tally.unrecovered),
        ]);
    }
    let panics = service.log().iter().filter(|line| line.contains("panicked")).count();
    figures.push(Figure::exactly("panics", 0, panics as u64));
    figures.push(Figure::exactly("processes that ended", 0, u64::from(!service.is_alive())));
    figures.push(checked(&start, folder.path())?);
    Ok(Outcome::Measured(figures))
}
