//! Measures the figures that the project promises, each beside the machine's own floor in the same run.

mod floor;
mod load;
mod process;

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};

use load::Request;
use process::Service;

pub(crate) use floor::serve as serve_floor;

/// Accounts in the store while lists are measured.
const ACCOUNTS: u32 = 100_000;
/// How long each load runs.
const TIME: Duration = Duration::from_secs(5);

/// Builds everything in release mode, then measures; writes only below a temporary folder.
pub(crate) fn run() -> Result<()> {
    build()?;
    let folder = std::env::temp_dir().join(format!("bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let measured = measure(&folder);
    let _ = std::fs::remove_dir_all(&folder);
    measured
}

fn measure(folder: &Path) -> Result<()> {
    row("what", "measured", "beside it");
    regenerate()?;
    start_and_idle(folder)?;
    lists(folder)?;
    creates(folder)
}

fn row(what: &str, measured: &str, beside: &str) {
    println!("{what:<58} {measured:>12}  {beside}");
}

fn build() -> Result<()> {
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--package", "service", "--package", "xtask"])
        .status()?;
    ensure!(status.success(), "the release build failed");
    Ok(())
}

/// A program of this workspace, built for release beside the program that runs.
fn program(name: &str) -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    let target = own.parent().and_then(Path::parent).context("the program stands in a target folder")?;
    Ok(target.join("release").join(name).with_extension(std::env::consts::EXE_EXTENSION))
}

fn regenerate() -> Result<()> {
    let times: Vec<Duration> = (0..5)
        .map(|_| {
            let begin = Instant::now();
            let status = Command::new(program("xtask")?).args(["regenerate", "--check"]).output()?.status;
            ensure!(status.success(), "`regenerate --check` failed");
            Ok(begin.elapsed())
        })
        .collect::<Result<_>>()?;
    let best = times.iter().min().copied().unwrap_or_default();
    row("regenerate, once built", &format!("{:.3} s", best.as_secs_f64()), "goal: under 0.3 s");
    Ok(())
}

fn start_and_idle(folder: &Path) -> Result<()> {
    let data = folder.join("start");
    Service::start(&program("service")?, &data)?.stop()?;
    let service = Service::start(&program("service")?, &data)?;
    row("start to first answer", &format!("{} ms", service.start.as_millis()), "goal: under 100 ms");
    std::thread::sleep(Duration::from_secs(1));
    let memory = service.memory_kib()? / 1024;
    row("memory when idle", &format!("{memory} MiB"), "goal: under 30 MiB");
    service.stop()
}

fn lists(folder: &Path) -> Result<()> {
    let data = folder.join("lists");
    let program_path = program("service")?;
    Service::start(&program_path, &data)?.stop()?;
    let file = folder.join("accounts.json");
    std::fs::write(&file, load::accounts(ACCOUNTS))?;
    let begin = Instant::now();
    let import =
        Command::new(&program_path).arg("--data").arg(&data).arg("import").arg(&file).arg("--quiet").output()?;
    ensure!(import.status.success(), "the import failed: {}", String::from_utf8_lossy(&import.stderr));
    let rate = f64::from(ACCOUNTS) / begin.elapsed().as_secs_f64();
    row(&format!("import of {ACCOUNTS} accounts"), &format!("{rate:.0}/s"), "");

    let service = Service::start(&program_path, &data)?;
    let list = Request::get("/v2/crm/accounts/summary?PageSize=25", &service.token);
    let bytes = load::answer_bytes(service.address, &list)?;
    let floor = floor::Floor::start(&program("xtask")?, bytes)?;
    let floor_cpu = cpu_per_request(floor.address, floor.id, &Request::get("/", ""))?;
    row(&format!("HTTP floor: {bytes} fixed bytes"), &format!("{floor_cpu:.1} µs CPU"), "the machine's own");
    drop(floor);

    for (what, path) in [
        ("account list of 25", "/v2/crm/accounts/summary?PageSize=25"),
        (
            "account list of 25, filtered by name",
            "/v2/crm/accounts/summary?PageSize=25&Filter.AccountName=account%2099",
        ),
        ("account list of 25, page 2000", "/v2/crm/accounts/summary?PageSize=25&PageNumber=2000"),
        ("account lookup of 25", "/v2/crm/accounts/lookup?PageSize=25"),
        ("one account", "/v2/crm/accounts/summary/101"),
    ] {
        let cpu = cpu_per_request(service.address, service.id(), &Request::get(path, &service.token))?;
        let goal = if what == "account list of 25" { "; goal: under 100 µs" } else { "" };
        row(what, &format!("{cpu:.1} µs CPU"), &format!("{:.1} × the floor{goal}", cpu / floor_cpu));
    }
    service.stop()
}

/// Processor time of the server for one request, under load from 16 connections.
fn cpu_per_request(address: std::net::SocketAddr, process: u32, request: &Request) -> Result<f64> {
    load::run(address, request, 16, Duration::from_millis(500))?;
    let before = process::cpu(process)?;
    let outcome = load::run(address, request, 16, TIME)?;
    let spent = process::cpu(process)?.saturating_sub(before);
    ensure!(outcome.failures == 0, "{} of {} requests failed", outcome.failures, outcome.answers);
    Ok(spent.as_secs_f64() * 1e6 / f64::from(outcome.answers))
}

fn creates(folder: &Path) -> Result<()> {
    let floor = floor::commits_per_second(&folder.join("floor"), Duration::from_secs(2))?;
    row("one write and fdatasync after the other", &format!("{floor:.0}/s"), "the machine's own single-commit rate");
    let service = Service::start(&program("service")?, &folder.join("creates"))?;
    let create = Request::post("/v2/crm/accounts", &service.token, &load::account());
    for clients in [1, 64] {
        let outcome = load::run(service.address, &create, clients, TIME)?;
        ensure!(outcome.failures == 0, "{} of {} creates failed", outcome.failures, outcome.answers);
        let rate = f64::from(outcome.answers) / outcome.time.as_secs_f64();
        let goal = if clients == 64 { "; goal: 20 ×" } else { "" };
        let beside = format!("{:.1} × the single-commit rate{goal}", rate / floor);
        row(&format!("durable creates, {clients} clients"), &format!("{rate:.0}/s"), &beside);
    }
    service.stop()
}
