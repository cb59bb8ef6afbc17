//! Measures the project's figures, each next to the machine's own limit and a handwritten service in the same
//! run.

mod calls;
mod checks;
mod code;
mod creates;
mod floor;
mod growing;
mod lists;
mod load;
mod peers;
mod place;
mod process;

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use clap::Args;

pub(crate) use floor::serve as serve_floor;
use place::{Place, Store};
use process::Service;

/// Duration of each load.
const TIME: Duration = Duration::from_secs(5);

/// What is measured.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The kind of store; without it, every kind that the machine has.
    #[arg(long, value_enum)]
    store: Option<Store>,
    /// Accounts in the store while lists are measured; growth is relative to 1,000.
    #[arg(long, default_value_t = 100_000)]
    accounts: u32,
    /// Compares generated code with code written by hand instead.
    #[arg(long, conflicts_with_all = ["store", "accounts"])]
    code: bool,
    /// Compares generators instead, on documents of this folder, which has a `manifest.tsv` as for `corpus`.
    #[arg(long, value_name = "CORPUS", conflicts_with_all = ["store", "accounts", "code"])]
    peers: Option<PathBuf>,
}

/// Builds in release mode, then measures; writes only to a temporary folder and the target folder.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let folder = std::env::temp_dir().join(format!("bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let measured = match &arguments.peers {
        Some(corpus) => {
            build(&["--package", "specwright"])?;
            peers::measure(&program("specwright")?, &target()?, corpus, &memory(&folder))
        }
        None if arguments.code => code::measure(&build_apart(root, "baseline")?),
        None => {
            build(&["--package", "service", "--package", "xtask"])?;
            measure(&folder, &build_apart(root, "peer")?, arguments)
        }
    };
    for folder in [memory(&folder), folder] {
        let _ = std::fs::remove_dir_all(folder);
    }
    measured
}

fn measure(folder: &Path, peer: &Path, arguments: &Arguments) -> Result<()> {
    row("what", "measured", "notes");
    regenerate()?;
    start_and_idle(folder)?;
    for store in Store::wanted(arguments.store) {
        println!("\n{store}");
        let place = Place::new(store, folder)?;
        lists::measure(&place, peer, arguments.accounts)?;
        creates::measure(&place, peer)?;
    }
    Ok(())
}

fn row(what: &str, measured: &str, note: &str) {
    println!("{what:<58} {measured:>12}  {note}");
}

/// Builds packages in release mode.
fn build(arguments: &[&str]) -> Result<()> {
    let status = Command::new(env!("CARGO")).args(["build", "--release", "--quiet"]).args(arguments).status()?;
    ensure!(status.success(), "the release build failed");
    Ok(())
}

/// Builds a package in `tests` that is not in the workspace; returns the path of its program.
fn build_apart(root: &Path, name: &str) -> Result<PathBuf> {
    let target = target()?.join(name);
    let manifest = root.join("tests").join(name).join("Cargo.toml");
    build(&["--manifest-path", &manifest.to_string_lossy(), "--target-dir", &target.to_string_lossy()])?;
    Ok(target.join("release").join(name).with_extension(std::env::consts::EXE_EXTENSION))
}

/// A folder in memory where the system has one, for otherwise the disk is measured.
fn memory(folder: &Path) -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.join(folder.file_name().unwrap_or_default()) } else { folder.to_owned() }
}

/// A program of this workspace, built in release mode next to the running one.
fn program(name: &str) -> Result<PathBuf> {
    Ok(target()?.join("release").join(name).with_extension(std::env::consts::EXE_EXTENSION))
}

fn target() -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    let target = own.parent().and_then(Path::parent).context("the program stands in a target folder")?;
    Ok(target.to_owned())
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
    let place = Place::new(Store::Sqlite, &folder.join("start"))?;
    let settings = place.fresh()?;
    Service::start(&settings)?.stop()?;
    let service = Service::start(&settings)?;
    row("start to first answer", &format!("{} ms", service.start.as_millis()), "goal: under 100 ms");
    std::thread::sleep(Duration::from_secs(1));
    let memory = service.memory_kib()? / 1024;
    row("memory when idle", &format!("{memory} MiB"), "goal: under 30 MiB");
    service.stop()
}
