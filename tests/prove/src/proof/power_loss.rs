//! Power loss at any moment, with none, some or all of the unflushed data left: acknowledged writes survive.

use std::{path::Path, time::Duration};

use anyhow::{Context as _, Result};

use super::Form;
use crate::{
    changes::{self, Disk, Left},
    connection::{Connection, get, send_json},
    data,
    faults::Faults,
    figure::{Figure, Outcome},
    files::upload,
    inside::Inside,
    service::{Service, Start},
};

/// A write answered 200, and the length of the log of changes at that time.
struct Acknowledged {
    name: String,
    log: u64,
}

/// Runs it.
pub(super) fn run(form: Form) -> Result<Outcome> {
    let faults = match Faults::build()? {
        Ok(faults) => faults,
        Err(missing) => return Ok(Outcome::LeftOut(missing)),
    };
    let folder = tempfile::tempdir()?;
    let start = Start::new();
    // The initial state counts as flushed.
    start.clone().run(folder.path())?.stop()?;
    let token = start.token(folder.path())?;
    let mut disk = Disk::of(folder.path())?;

    let service = faults.start_logged(start.clone(), folder.path())?.run(folder.path())?;
    let count = form.pick(8, 60);
    let acknowledged = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                scope.spawn({
                    let (service, token, log) = (&service, &token, faults.log());
                    move || write(service, token, writer, count, &log)
                })
            })
            .collect();
        let all = writers.into_iter().map(|writer| writer.join().ok().context("a writer panicked")?);
        all.collect::<Result<Vec<_>>>()
    })?;
    // The log is checkpointed while there are no writes.
    std::thread::sleep(Duration::from_millis(600));
    service.kill()?;
    let acknowledged: Vec<Acknowledged> = acknowledged.into_iter().flatten().collect();

    let log = std::fs::read(faults.log())?;
    let changes = changes::read(&log)?;
    let points = form.pick(16, 1_000);
    let mut random = fastrand::Rng::with_seed(20);
    let mut moments: Vec<usize> = (0..points).map(|_| random.usize(..=changes.len())).collect();
    moments.sort_unstable();
    let (mut lost, mut problems, mut refused, mut tried) = (0, 0, 0, 0);
    let mut done = 0;
    let mut length = 0;
    for (point, moment) in moments.iter().enumerate() {
        for (end, change) in &changes[done..*moment] {
            disk.apply(change.clone());
            length = *end as u64;
        }
        done = *moment;
        let left = [Left::Nothing, Left::Some, Left::Everything][point % 3];
        let after = tempfile::tempdir()?;
        disk.lose_power(left, &mut random, after.path())?;
        // Start the service itself on a few of them; it rebuilds the index of the log.
        let is_tried = point % (points / form.pick(2, 20)) == 0;
        if is_tried {
            tried += 1;
            refused += u64::from(!serves(&start, after.path(), &token)?);
        }
        let inside = Inside::open(after.path())?;
        let there = [inside.accounts()?, inside.attachments()?];
        let is_there = |name: &String| there.iter().any(|names| names.contains(name));
        let missing = acknowledged.iter().filter(|write| write.log <= length && !is_there(&write.name)).count();
        let broken = inside.problems()?;
        for problem in broken.iter().take(2) {
            println!("  change {moment} of {}, {left:?} left: {problem}", changes.len());
        }
        if missing > 0 {
            println!("  change {moment} of {}, {left:?} left: {missing} acknowledged writes are lost", changes.len());
        }
        lost += missing as u64;
        problems += broken.len() as u64;
    }
    Ok(Outcome::Measured(vec![
        Figure::plain("writes acknowledged, half of them files", acknowledged.len()),
        Figure::plain("changes to files, and bytes of them", format!("{} and {}", changes.len(), log.len())),
        Figure::plain("moments at which the power failed", points),
        Figure::exactly("acknowledged writes that are not there", 0, lost),
        Figure::exactly("problems of the store and its files", 0, problems),
        Figure::exactly("crashed folders that the service does not serve", 0, refused),
        Figure::plain("folders given to the service", tried),
    ]))
}

/// Accounts and files in turn; some files are written while they arrive.
fn write(service: &Service, token: &str, writer: u32, count: u32, log: &Path) -> Result<Vec<Acknowledged>> {
    let mut connection = Connection::open(service.address)?;
    let mut acknowledged = Vec::new();
    for number in 0..count {
        let name = format!("Power {writer}-{number}");
        let request = if number % 2 == 0 {
            send_json("POST", "/v2/crm/accounts", token, "", &data::account(&name))
        } else {
            let bytes = name.repeat(if number % 20 == 1 { 500_000 } else { 50 });
            upload("/v2/system/attachments/1/101", token, "formFile", name.as_bytes(), "text/plain", bytes.as_bytes())
        };
        if connection.exchange(&request)?.status == 200 {
            acknowledged.push(Acknowledged { name, log: std::fs::metadata(log)?.len() });
        }
    }
    Ok(acknowledged)
}

fn serves(start: &Start, data: &Path, token: &str) -> Result<bool> {
    let service = start.run(data)?;
    let mut connection = Connection::open(service.address)?;
    Ok(connection.exchange(&get("/v2/crm/accounts/summary?PageSize=1", token))?.status == 200)
}
