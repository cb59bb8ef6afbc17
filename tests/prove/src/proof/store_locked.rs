//! Another process holds the store's write lock, once for long and then often: reads continue, writes are
//! refused and not done, and everything recovers afterwards.

use std::{
    net::SocketAddr,
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use rusqlite::Connection as Database;

use super::{Form, threads};
use crate::{
    callers::{Seen, call},
    connection::{Connection, get, send_json},
    data,
    figure::{Figure, Outcome},
    service::Start,
};

/// Number of writing and of reading connections.
const CALLERS: usize = 4;

/// The results of writes.
#[derive(Default)]
struct Writes {
    seen: Seen,
    /// The account codes of acknowledged writes, and of refused ones.
    done: Vec<String>,
    refused: Vec<String>,
    without_retry_after: u64,
}

/// Runs it.
pub(super) fn run(form: Form) -> Result<Outcome> {
    let folder = tempfile::tempdir()?;
    let start = Start::new();
    let mut service = start.run(folder.path())?;
    let token = start.token(folder.path())?;
    let (address, end) = (service.address, AtomicBool::new(false));
    let reads = [get("/v2/crm/accounts/summary/101", &token), get("/v2/crm/accounts/summary?PageSize=25", &token)];
    let before = (threads(service.id()), service.open_files()?);
    let (mut unready, mut recovered) = (0, Duration::ZERO);
    let writes = Mutex::new(Writes::default());
    let read = std::thread::scope(|scope| -> Result<Seen> {
        let reading = scope.spawn(|| call(address, &reads, CALLERS, Duration::from_millis(5), &end));
        for _ in 0..CALLERS {
            scope.spawn(|| write(address, &token, &end, &writes));
        }
        let locked = (|| {
            std::thread::sleep(Duration::from_millis(300));
            // Longer than the writers wait.
            let held = lock(folder.path())?;
            std::thread::sleep(form.pick(Duration::from_secs(13), Duration::from_secs(30)));
            unready = status(address, "/readyz")?;
            ensure!(status(address, "/healthz")? == 200, "the process says that it does not live");
            drop(held);
            recovered = until_written(address, &token)?;
            for _ in 0..form.pick(10, 50) {
                let held = lock(folder.path())?;
                std::thread::sleep(form.pick(Duration::from_millis(100), Duration::from_millis(500)));
                drop(held);
                std::thread::sleep(Duration::from_millis(50));
            }
            recovered = recovered.max(until_written(address, &token)?);
            Ok(())
        })();
        end.store(true, Ordering::Relaxed);
        let read = reading.join().unwrap_or_default();
        locked.map(|()| read)
    })?;
    let writes = writes.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("  reads  {read}, p99 {:.1} ms", read.percentile(99).as_secs_f64() * 1e3);
    println!("  writes {}, p99 {:.1} ms", writes.seen, writes.seen.percentile(99).as_secs_f64() * 1e3);

    let lost = count_other_than(address, &token, &writes.done, 1)?;
    let done_all_the_same = count_other_than(address, &token, &writes.refused, 0)?;
    std::thread::sleep(Duration::from_millis(1500));
    let after = (threads(service.id()), service.open_files()?);
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let figures = vec![
        Figure::exactly("reads: answers other than 200", 0, read.other_than(&[200])),
        Figure::exactly("writes: answers other than 200 and 503", 0, writes.seen.other_than(&[200, 503])),
        Figure::at_least("writes refused meanwhile", 1.0, writes.refused.len() as f64, ""),
        Figure::exactly("503 without `Retry-After`", 0, writes.without_retry_after),
        Figure::exactly("writes answered as done and lost", 0, lost),
        Figure::exactly("writes answered 503 and done all the same", 0, done_all_the_same),
        Figure::exactly("`/readyz` meanwhile", 503, unready.into()),
        Figure::exactly("`/readyz` afterwards", 200, status(address, "/readyz")?.into()),
        Figure::at_most("until a write is done again", 5.0, recovered.as_secs_f64(), " s"),
        Figure::at_most("threads afterwards, beyond those before", 1.0, after.0 as f64 - before.0 as f64, ""),
        Figure::at_most("open files afterwards, beyond those before", 8.0, after.1 as f64 - before.1 as f64, ""),
        Figure::exactly("the process lives", 1, service.is_alive().into()),
    ];
    Ok(Outcome::Measured(figures))
}

/// Holds the write lock until dropped.
fn lock(data: &Path) -> Result<Database> {
    let database = Database::open(data.join("store.sqlite"))?;
    database.busy_timeout(Duration::from_secs(10))?;
    database.execute_batch("BEGIN IMMEDIATE").context("another process takes the write lock")?;
    Ok(database)
}

/// Creates accounts with unique codes, and records each result.
fn write(address: SocketAddr, token: &str, end: &AtomicBool, writes: &Mutex<Writes>) {
    let mut connection = None;
    while !end.load(Ordering::Relaxed) {
        let code = next_code();
        let begin = Instant::now();
        let open = connection.take().map_or_else(|| Connection::open(address), Ok);
        let answer = open.and_then(|mut open| open.exchange(&create(token, &code)).map(|answer| (answer, open)));
        let mut writes = writes.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok((answer, open)) = answer else {
            writes.seen.broken += 1;
            continue;
        };
        connection = Some(open);
        writes.seen.answered(answer.status, begin.elapsed());
        match answer.status {
            200 => writes.done.push(code),
            503 => {
                writes.without_retry_after += u64::from(answer.header("retry-after").is_none());
                writes.refused.push(code);
            }
            _ => {}
        }
        drop(writes);
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn next_code() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    format!("LOCKED-{}", NUMBER.fetch_add(1, Ordering::Relaxed))
}

fn create(token: &str, code: &str) -> Vec<u8> {
    let body = data::account("Locked").replacen('{', &format!("{{\"AccountCode\":\"{code}\","), 1);
    send_json("POST", "/v2/crm/accounts", token, "", &body)
}

/// The time until a write succeeds.
fn until_written(address: SocketAddr, token: &str) -> Result<Duration> {
    let begin = Instant::now();
    let mut connection = Connection::open(address)?;
    while connection.exchange(&create(token, &next_code()))?.status != 200 {
        ensure!(begin.elapsed() < Duration::from_mins(1), "nothing is written any more");
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(begin.elapsed())
}

/// The number of codes without exactly this many accounts.
fn count_other_than(address: SocketAddr, token: &str, codes: &[String], wanted: u64) -> Result<u64> {
    let mut connection = Connection::open(address)?;
    let mut others = 0;
    for code in codes {
        let path = format!("/v2/crm/accounts/summary?PageSize=1&Filter.AccountCode={code}");
        let found = connection.exchange(&get(&path, token))?.json()?;
        let total = found["TotalRecords"].as_u64().with_context(|| format!("no count of {code}"))?;
        others += u64::from(total != wanted);
    }
    Ok(others)
}

fn status(address: SocketAddr, path: &str) -> Result<u16> {
    Ok(Connection::open(address)?.exchange(&get(path, ""))?.status)
}
