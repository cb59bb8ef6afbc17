//! Backups during writes and uploads; each one is restored and checked.

use std::{
    collections::BTreeSet,
    net::SocketAddr,
    path::Path,
    process::Output,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::Form;
use crate::{
    connection::{Connection, get, send_json},
    data,
    figure::{Figure, Outcome},
    service::Start,
    store::Store,
};

/// Number of writing threads.
const WRITERS: usize = 3;
/// Number of attachments read from each restored backup.
const SAMPLE: usize = 60;

/// Acknowledged writes.
#[derive(Default)]
struct Acknowledged {
    accounts: Mutex<Vec<i64>>,
    attachments: AtomicU64,
    others: AtomicU64,
}

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("data");
    let start = store.start();
    let service = start.run(&data)?;
    let token = start.token(&data)?;
    data::import_accounts(&start, &data, form.pick(500, 20_000))?;
    let (rounds, kills) = (form.pick(4, 50), form.pick(4, 50));
    // Limit the writes of the long form, so that backups do not keep growing.
    let pause = form.pick(Duration::from_millis(5), Duration::from_millis(500));
    let (acknowledged, end) = (Acknowledged::default(), AtomicBool::new(false));
    let mut seen = Seen::default();
    std::thread::scope(|scope| -> Result<()> {
        for writer in 0..WRITERS {
            let (address, token, acknowledged, end) = (service.address, &token, &acknowledged, &end);
            scope.spawn(move || write(address, token, writer, pause, acknowledged, end));
        }
        std::thread::sleep(Duration::from_millis(500));
        let backups = (|| {
            for round in 0..rounds {
                let before = acknowledged.accounts.lock().unwrap_or_else(PoisonError::into_inner).clone();
                // Every second one is restored to a folder, whatever the kind of store.
                let target = if round % 2 == 0 { store.start() } else { Start::new() };
                seen.round(&start, &target, (&data, folder.path()), round, &before)?;
            }
            for round in 0..kills {
                seen.kill(&start, &data, folder.path(), round)?;
            }
            Ok(())
        })();
        end.store(true, Ordering::Relaxed);
        backups
    })?;
    let written = acknowledged.accounts.lock().unwrap_or_else(PoisonError::into_inner).len();
    let attached = acknowledged.attachments.load(Ordering::Relaxed);
    ensure!(
        written > 20 && attached > 20,
        "only {written} accounts and {attached} files were written: that proves little"
    );
    seen.times.sort_unstable();
    let slowest = seen.times.last().copied().unwrap_or_default();
    Ok(Outcome::Measured(vec![
        Figure::plain("accounts and attachments written meanwhile", format!("{written} and {attached}")),
        Figure::exactly("refused or unanswered writes", 0, acknowledged.others.load(Ordering::Relaxed)),
        Figure::exactly("backups made, verified and restored", rounds, seen.restored),
        Figure::exactly("restored copies in which the doctor finds something", 0, seen.findings),
        Figure::exactly("accounts without a location or an address", 0, seen.halves),
        Figure::exactly("accounts acknowledged before a backup that are not in it", 0, seen.lost),
        Figure::exactly("gaps in the numbers of changes in a restored copy", 0, seen.gaps),
        Figure::exactly("attachments in a restored copy with no or other bytes", 0, seen.wrong),
        Figure::plain("attachments that were read back", seen.read),
        Figure::plain("slowest backup", format!("{:.2} s", slowest.as_secs_f64())),
        Figure::exactly("backups killed that look whole and are not", 0, seen.false_backups),
        Figure::plain("backups killed, and those of them that had ended before", format!("{kills}, {}", seen.ended)),
    ]))
}

#[derive(Default)]
struct Seen {
    times: Vec<Duration>,
    restored: u64,
    findings: u64,
    halves: u64,
    lost: u64,
    gaps: u64,
    wrong: u64,
    read: u64,
    false_backups: u64,
    ended: u64,
}

impl Seen {
    /// Makes a backup, restores it, and checks the result.
    fn round(
        &mut self,
        start: &Start,
        target: &Start,
        (data, folder): (&Path, &Path),
        round: u64,
        before: &[i64],
    ) -> Result<()> {
        let backup = folder.join(format!("backup-{round}.tar"));
        let begin = Instant::now();
        done(start.command(data, &["backup", "-o"])?.arg(&backup).output()?)?;
        self.times.push(begin.elapsed());
        done(start.command(data, &["restore", "--verify"])?.arg(&backup).output()?)?;
        let restored = folder.join(format!("restored-{round}"));
        done(target.command(&restored, &["restore"])?.arg(&backup).output()?)?;
        self.restored += 1;
        let doctor = target.command(&restored, &["doctor", "--full"])?.output()?;
        if !doctor.status.success() {
            println!("  {}", String::from_utf8_lossy(&doctor.stdout));
            self.findings += 1;
        }
        let export: Value = serde_json::from_slice(&done(target.command(&restored, &["export"])?.output()?)?)?;
        let accounts = export["Accounts"].as_array().context("accounts")?;
        let is_whole = |account: &&Value| {
            let locations = account["Locations"].as_array().map_or(&[][..], Vec::as_slice);
            !locations.is_empty() && locations.iter().all(|location| location["Addresses"][0].is_object())
        };
        let new = accounts.iter().filter(|account| account["Description"] == "Proved");
        self.halves += new.filter(|account| !is_whole(account)).count() as u64;
        let ids: BTreeSet<i64> = accounts.iter().filter_map(|account| account["Id"].as_i64()).collect();
        self.lost += before.iter().filter(|id| !ids.contains(id)).count() as u64;
        let audit = done(target.command(&restored, &["audit"])?.output()?)?;
        let numbers = serde_json::Deserializer::from_slice(&audit).into_iter::<Value>();
        let numbers: Vec<_> =
            numbers.map(|entry| entry?["Sequence"].as_i64().context("a number")).collect::<Result<_>>()?;
        self.gaps += numbers.windows(2).filter(|pair| pair[1] != pair[0] + 1).count() as u64;
        self.read_back(target, &restored)?;
        std::fs::remove_dir_all(&restored)?;
        std::fs::remove_file(&backup)?;
        Ok(())
    }

    /// Serves a restored copy and reads attachments, whose names imply their content.
    fn read_back(&mut self, start: &Start, restored: &Path) -> Result<()> {
        let service = start.run(restored)?;
        let token = start.token(restored)?;
        let mut connection = Connection::open(service.address)?;
        let list = connection.exchange(&get("/v2/system/attachments/1/101?PageSize=100&Sort=Id%20desc", &token))?;
        let list = list.json()?;
        for attachment in list["Result"].as_array().context("attachments")?.iter().take(SAMPLE) {
            let path = format!("/v2/system/attachments/1/101/{}/download", attachment["Id"]);
            let answer = connection.exchange(&get(&path, &token))?;
            let name = attachment["OriginalFileName"].as_str().context("a name")?;
            self.read += 1;
            self.wrong += u64::from(answer.status != 200 || answer.body != bytes(name));
        }
        Ok(())
    }

    /// Kills a running backup; a finished file must be complete.
    fn kill(&mut self, start: &Start, data: &Path, folder: &Path, round: u64) -> Result<()> {
        let backup = folder.join(format!("killed-{round}.tar"));
        let slowest = self.times.iter().max().copied().unwrap_or_default();
        let mut child =
            start.command(data, &["backup", "-o"])?.arg(&backup).stderr(std::process::Stdio::null()).spawn()?;
        std::thread::sleep(slowest.mul_f64(fastrand::f64()));
        child.kill()?;
        child.wait()?;
        if backup.exists() {
            self.ended += 1;
            let verified = start.command(data, &["restore", "--verify"])?.arg(&backup).output()?;
            self.false_backups += u64::from(!verified.status.success());
        }
        Ok(())
    }
}

/// The content of the attachment with this name.
fn bytes(name: &str) -> Vec<u8> {
    name.repeat(200).into_bytes()
}

/// Creates accounts, attaches files and deletes some, until the end.
fn write(
    address: SocketAddr,
    token: &str,
    writer: usize,
    pause: Duration,
    acknowledged: &Acknowledged,
    end: &AtomicBool,
) {
    let mut number = 0;
    let mut connection = None;
    while !end.load(Ordering::Relaxed) {
        number += 1;
        let mut exchange = |request: &[u8]| -> Option<Value> {
            let mut open = connection.take().or_else(|| Connection::open(address).ok())?;
            let answer = open.exchange(request).ok().filter(|answer| answer.status == 200)?;
            connection = Some(open);
            answer.json().ok()
        };
        let account =
            send_json("POST", "/v2/crm/accounts", token, "", &data::account(&format!("Backup {writer}-{number}")));
        match exchange(&account).and_then(|answer| answer["Result"]["Id"].as_i64()) {
            Some(id) => acknowledged.accounts.lock().unwrap_or_else(PoisonError::into_inner).push(id),
            None => drop(acknowledged.others.fetch_add(1, Ordering::Relaxed)),
        }
        let name = format!("{writer}-{number}.txt");
        match exchange(&attachment(token, &name)).and_then(|answer| answer["Result"][0]["Id"].as_i64()) {
            Some(id) => {
                acknowledged.attachments.fetch_add(1, Ordering::Relaxed);
                if number % 3 == 0 {
                    exchange(&delete(&format!("/v2/system/attachments?attachmentIds={id}"), token));
                }
            }
            None => drop(acknowledged.others.fetch_add(1, Ordering::Relaxed)),
        }
        std::thread::sleep(pause);
    }
}

fn attachment(token: &str, name: &str) -> Vec<u8> {
    let mut body = format!(
        "--prove\r\ncontent-disposition: form-data; name=\"formFile\"; filename=\"{name}\"\r\ncontent-type: text/plain\r\n\r\n"
    )
    .into_bytes();
    body.extend(bytes(name));
    body.extend(b"\r\n--prove--\r\n");
    let mut request = format!(
        "POST /v2/system/attachments/1/101 HTTP/1.1\r\nhost: prove\r\nauthorization: Bearer {token}\r\n\
         content-type: multipart/form-data; boundary=prove\r\ncontent-length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    request.extend(body);
    request
}

fn delete(path: &str, token: &str) -> Vec<u8> {
    format!("DELETE {path} HTTP/1.1\r\nhost: prove\r\nauthorization: Bearer {token}\r\n\r\n").into_bytes()
}

/// The standard output of a command that must succeed.
fn done(output: Output) -> Result<Vec<u8>> {
    ensure!(output.status.success(), "a command failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}
