//! The disk fills up during uploads and commits: the response is 507, nothing is half-written, and the same
//! process continues once there is space.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};

use super::Form;
use crate::{
    callers::Seen,
    connection::{Answer, Connection, get, send_json},
    data,
    faults::Faults,
    figure::{Figure, Outcome},
    files::upload,
    inside::Inside,
    service::{Service, Start},
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

    let mut seen = Seen::default();
    let mut unclear = 0;
    let mut stored = Vec::new();
    let mut refused = Vec::new();
    let mut note = |name: String, answer: Answer, time: Duration| {
        seen.answered(answer.status, time);
        match answer.status {
            200 => stored.push(name),
            507 | 503 => {
                let is_clear =
                    answer.header("content-type") == Some("application/problem+json") && !answer.body.is_empty();
                unclear += u64::from(!is_clear);
                refused.push(name);
            }
            _ => refused.push(name),
        }
    };

    // Files small enough for one chunk, and files that are written while they arrive.
    for (round, room) in [3_u64 << 20, 1 << 20, 64 << 10, 8 << 10, 0].into_iter().enumerate() {
        faults.room(Some(room))?;
        for size in [100_usize, 200_000, 8_000_000] {
            let name = format!("{round}-{size}.bin");
            let bytes = name.repeat(size / name.len());
            let request = upload(
                "/v2/system/attachments/1/101",
                &token,
                "formFile",
                name.as_bytes(),
                "text/plain",
                bytes.as_bytes(),
            );
            let begin = Instant::now();
            note(name, send(&service, &request)?, begin.elapsed());
        }
    }
    // Records, with space for a few more pages each time.
    for pages in 0..form.pick(12, 200) {
        faults.room(Some(pages % 50 * 4096))?;
        let name = format!("Full {pages}");
        let request = send_json("POST", "/v2/crm/accounts", &token, PROBLEM, &data::account(&name));
        let begin = Instant::now();
        note(name, send(&service, &request)?, begin.elapsed());
    }
    faults.room(Some(0))?;
    let reading = send(&service, &get("/v2/crm/accounts/summary?PageSize=5", &token))?.status;
    let partial = partial_files(&folder.path().join("attachments"))?;

    faults.room(None)?;
    let begin = Instant::now();
    let recovered = loop {
        let request = send_json("POST", "/v2/crm/accounts", &token, "", &data::account("After"));
        if send(&service, &request)?.status == 200 {
            break begin.elapsed();
        }
        if begin.elapsed() > Duration::from_secs(30) {
            break Duration::MAX;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let panics = service.log().iter().filter(|line| line.contains("panicked")).count();
    let is_alive = service.is_alive();
    service.kill()?;

    let inside = Inside::open(folder.path())?;
    let problems = inside.problems()?;
    let there: Vec<String> = inside.accounts()?.into_iter().chain(inside.attachments()?).collect();
    let lost = stored.iter().filter(|name| !there.contains(name)).count();
    let ghosts = refused.iter().filter(|name| there.contains(name)).count();
    println!("  {seen}");
    Ok(Outcome::Measured(vec![
        Figure::plain("writes answered 200 and refused", format!("{} and {}", stored.len(), refused.len())),
        Figure::plain("calls that found no room", faults.refused()?),
        Figure::exactly("answers other than 200, 507 and 503", 0, seen.other_than(&[200, 507, 503])),
        Figure::exactly("refusals without a problem document", 0, unclear),
        Figure::exactly("status of a read on the full disk", 200, u64::from(reading)),
        Figure::exactly("files left half-written", 0, partial),
        Figure::at_most("until a write succeeds once there is room", 5.0, recovered.as_secs_f64(), " s"),
        Figure::exactly("writes answered 200 that are not there", 0, lost as u64),
        Figure::exactly("writes refused that are there", 0, ghosts as u64),
        Figure::exactly("problems of the store and its files", 0, problems.len() as u64),
        Figure::exactly("panics, or processes that ended", 0, panics as u64 + u64::from(!is_alive)),
    ]))
}

/// Accepts a problem document.
const PROBLEM: &str = "accept: application/json, application/problem+json\r\n";

fn send(service: &Service, request: &[u8]) -> Result<Answer> {
    // An upload accepts a problem document, too.
    let head = request.windows(2).position(|window| window == b"\r\n").context("a request line")? + 2;
    let mut request = request.to_vec();
    if !request.windows(8).any(|window| window == b"accept: ") {
        request.splice(head..head, PROBLEM.bytes());
    }
    Connection::open(service.address)?.exchange(&request)
}

/// The number of files that are neither complete nor removed.
fn partial_files(folder: &Path) -> Result<u64> {
    let mut count = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let is_partial = entry.file_name().to_string_lossy().contains('#');
        count += if entry.file_type()?.is_dir() { partial_files(&entry.path())? } else { u64::from(is_partial) };
    }
    Ok(count)
}
