//! The n-th call to the disk fails, for every n of a script of 40 requests: nothing is acknowledged that is not there.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use super::Form;
use crate::{
    callers::Seen,
    connection::{Answer, Connection, get, send_json},
    data,
    faults::{Faults, errno},
    figure::{Figure, Outcome},
    files::upload,
    inside::Inside,
    service::{Service, Start},
};

/// A request that takes longer hangs.
const HANG: Duration = Duration::from_secs(20);

/// What the rounds have come to.
#[derive(Default)]
struct Tally {
    seen: Seen,
    hangs: u64,
    cut: u64,
    lost: u64,
    ghosts: u64,
    unrecovered: u64,
}

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
    round(&service, &token, 0, &mut tally)?;
    let calls = faults.calls()? - before;
    let step = usize::try_from(form.pick((calls / 6).max(1), 1))?;
    let mut rounds = 0;
    // The number of calls varies a little from round to round.
    for n in (1..=calls + calls / 10).step_by(step) {
        faults.fail(n, errno::EIO)?;
        round(&service, &token, n, &mut tally)?;
        faults.fail(0, 0)?;
        if !recovers(&service, &token, n)? {
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
    println!("  {}", tally.seen);
    Ok(Outcome::Measured(vec![
        Figure::plain("calls to the disk in the script of 40 requests", calls),
        Figure::plain("rounds, each with another call failed", rounds),
        Figure::plain("calls that have failed", faults.failed()?),
        Figure::exactly("panics", 0, panics as u64),
        Figure::exactly("processes that ended", 0, u64::from(!is_alive)),
        Figure::exactly("requests that hung for 20 s", 0, tally.hangs),
        Figure::plain("uploads refused and cut off while they were sent", tally.cut),
        Figure::exactly("writes answered 200 that are not there", 0, tally.lost),
        Figure::exactly("writes answered with an error that are there", 0, tally.ghosts),
        Figure::exactly("rounds after which a write failed without a fault", 0, tally.unrecovered),
        Figure::exactly("problems of the store and its files after a kill", 0, broken.len() as u64),
    ]))
}

/// The script: 40 requests on one connection, then a look at what is there without any fault.
fn round(service: &Service, token: &str, n: u64, tally: &mut Tally) -> Result<()> {
    let mut caller = Caller { service, connection: None };
    let mut accounts = Vec::new();
    let mut files = Vec::new();
    for part in 0..4 {
        for number in 0..3 {
            let name = format!("Round {n} account {part}.{number}");
            let request = send_json("POST", "/v2/crm/accounts", token, "", &data::account(&name));
            accounts.push((name, caller.send(&request, tally)));
        }
        let bytes = format!("content {n} {part}").repeat(if part == 0 { 600_000 } else { 10 }).into_bytes();
        let name = format!("{n}-{part}.txt");
        let request = upload("/v2/system/attachments/1/101", token, "formFile", name.as_bytes(), "text/plain", &bytes);
        files.push((bytes, caller.send(&request, tally)));
        let request = upload("/v2/system/attachments/1", token, "File", name.as_bytes(), "text/plain", name.as_bytes());
        caller.send(&request, tally);
        let settings = format!(r#"{{"ModuleId":1,"Settings":{{"Round":"{n}.{part}"}}}}"#);
        caller.send(&send_json("PUT", "/v2/admin/companysettings", token, "", &settings), tally);
        let patch = format!(r#"[{{"op":"replace","path":"/Description","value":"Round {n}.{part}"}}]"#);
        caller.send(&send_json("PATCH", "/v2/crm/accounts/102", token, "", &patch), tally);
        caller.send(&get("/v2/crm/accounts/summary/101", token), tally);
        caller.send(&get("/v2/system/attachments/1/101?PageSize=5", token), tally);
        caller.send(&get("/v2/crm/contacts/summary?PageSize=5", token), tally);
    }

    // A fault that has not come yet must not hit what follows.
    let mut unfaulted = Tally::default();
    for (name, answer) in accounts {
        let filter = name.replace(' ', "%20");
        let path = format!("/v2/crm/accounts/summary?PageSize=1&Filter.AccountName={filter}");
        let Some(listed) = retried(&mut caller, &get(&path, token), &mut unfaulted) else { continue };
        let is_there = listed.json()?["TotalRecords"].as_u64().context("a total")? > 0;
        match answer.map(|answer| answer.status) {
            Some(200) if !is_there => tally.lost += 1,
            Some(status) if status >= 400 && is_there => tally.ghosts += 1,
            _ => {}
        }
    }
    for (bytes, answer) in files {
        let Some(answer) = answer.filter(|answer| answer.status == 200) else { continue };
        let id = answer.json()?["Result"][0]["Id"].as_u64().context("an id")?;
        let path = format!("/v2/system/attachments/1/101/{id}/download");
        let Some(answer) = retried(&mut caller, &get(&path, token), &mut unfaulted) else { continue };
        if answer.status != 200 || answer.body != bytes {
            tally.lost += 1;
        }
        // The store shall not grow with the rounds.
        let delete = format!("/v2/system/attachments?attachmentIds={id}");
        caller.send(&send_json("DELETE", &delete, token, "", ""), &mut unfaulted);
    }
    tally.hangs += unfaulted.hangs;
    Ok(())
}

/// The fault may still be to come in what only looks: then it is asked once more.
fn retried(caller: &mut Caller<'_>, request: &[u8], tally: &mut Tally) -> Option<Answer> {
    let first = caller.send(request, tally)?;
    if first.status == 200 { Some(first) } else { caller.send(request, tally) }
}

fn recovers(service: &Service, token: &str, n: u64) -> Result<bool> {
    let settings = format!(r#"{{"ModuleId":1,"Settings":{{"Recovered":"{n}"}}}}"#);
    let mut connection = Connection::open(service.address)?;
    let answer = connection.exchange(&send_json("PUT", "/v2/admin/companysettings", token, "", &settings))?;
    Ok(answer.status == 200)
}

struct Caller<'a> {
    service: &'a Service,
    connection: Option<Connection>,
}

impl Caller<'_> {
    fn send(&mut self, request: &[u8], tally: &mut Tally) -> Option<Answer> {
        let begin = Instant::now();
        let open = self.connection.take().map_or_else(|| Connection::open(self.service.address), Ok);
        let answer = open.and_then(|mut open| open.exchange(request).map(|answer| (answer, open)));
        let time = begin.elapsed();
        let Ok((answer, open)) = answer else {
            tally.seen.broken += 1;
            let count = if time > HANG { &mut tally.hangs } else { &mut tally.cut };
            *count += 1;
            return None;
        };
        tally.seen.answered(answer.status, time);
        tally.hangs += u64::from(time > HANG);
        if answer.header("connection") != Some("close") {
            self.connection = Some(open);
        }
        Some(answer)
    }
}
