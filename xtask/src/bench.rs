//! Measures the project's figures, each next to the machine's own limit and a handwritten service in the same
//! run.

mod creates;
mod floor;
mod lists;
mod load;
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
}

/// Builds in release mode, then measures; writes only to a temporary folder and the target folder.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let peer = build(root)?;
    let folder = std::env::temp_dir().join(format!("bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let measured = measure(&folder, &peer, arguments);
    let _ = std::fs::remove_dir_all(&folder);
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

fn row(what: &str, measured: &str, beside: &str) {
    println!("{what:<58} {measured:>12}  {beside}");
}

/// Builds the measured programs; returns the path of the handwritten service.
fn build(root: &Path) -> Result<PathBuf> {
    let cargo = |arguments: &[&str]| -> Result<()> {
        let status = Command::new(env!("CARGO")).args(["build", "--release", "--quiet"]).args(arguments).status()?;
        ensure!(status.success(), "the release build failed");
        Ok(())
    };
    cargo(&["--package", "service", "--package", "xtask"])?;
    let target = target()?.join("peer");
    let manifest = root.join("tests/peer/Cargo.toml");
    let (manifest, folder) = (manifest.to_string_lossy(), target.to_string_lossy());
    cargo(&["--manifest-path", &manifest, "--target-dir", &folder])?;
    Ok(target.join("release/peer").with_extension(std::env::consts::EXE_EXTENSION))
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
