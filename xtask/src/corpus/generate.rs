//! Generates the crates of one document in a separate process, which isolates memory and panics.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use specwright::{
    CrateFolder, Diagnostics, File, Generator, Owned, Policies, Policy, Runtime, Severity, Source, Style,
};

use super::document::Document;
use super::row::{Outcome, Row};
use super::wire;

/// A longer generation is killed.
const LONGEST: Duration = Duration::from_mins(10);

/// One document, and the output folder of its crates.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    name: String,
    folder: PathBuf,
    entry: String,
    output: PathBuf,
    /// Leaves out operations with errors.
    #[arg(long)]
    skip_errors: bool,
    /// Where the crates get their runtime from.
    #[arg(long)]
    runtime: Runtime,
    /// Writes the crates of the wire proof instead.
    #[arg(long)]
    wire: bool,
}

/// Generates in a new process of `program`.
pub(super) fn in_a_process(
    program: &Path,
    document: &Document,
    output: &Path,
    arguments: &super::Arguments,
) -> Result<Row> {
    let log = output.join(format!("{}.log", document.name));
    let mut child = Command::new(program)
        .args(["corpus-one", &document.name])
        .arg(&document.folder)
        .arg(&document.entry)
        .arg(output)
        .args(["--runtime", &arguments.runtime])
        .args(arguments.skip_errors.then_some("--skip-errors"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(&log)?)
        .spawn()?;
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if begin.elapsed() > LONGEST {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let broken = |reason: String| Row { document: document.name.clone(), reason, ..Row::default() };
    Ok(match status {
        Some(status) if status.success() => {
            let mut row: Row = serde_json::from_slice(&fs::read(row_path(output, &document.name))?)?;
            if row.is_generated() {
                let missing = document.operations.map_or(0, |operations| operations.saturating_sub(row.operations));
                row.skipped = row.skipped.max(missing);
            }
            row
        }
        Some(_) => broken(fs::read_to_string(&log)?.trim().to_owned()),
        None => broken(format!("stopped after {} s", LONGEST.as_secs())),
    })
}

/// Generates in this process, and writes the row to a file.
pub(crate) fn here(arguments: &Arguments) -> Result<()> {
    let Arguments { name, folder, entry, output, skip_errors, runtime, wire } = arguments;
    let files = |path: &str| fs::read(inside(folder, path)?);
    let mut policies = Policies::default();
    if *skip_errors {
        policies.set_all(Severity::Error, Policy::Skip)?;
    }
    let generator = Generator::new()
        .name(if *wire { format!("corpus-{name}-wire") } else { format!("corpus-{name}") })
        .marker(format!("@generated from {entry}. Do not edit."))
        .policies(policies)
        .runtime(runtime.clone());
    let source = Source::files(&files, entry);
    if *wire {
        return wire::write_crates(&generator, &source, output, name);
    }
    let begin = Instant::now();
    let result = generator.generate(&source);
    let seconds = begin.elapsed().as_secs_f64();
    let mut row = Row { document: name.clone(), seconds, memory_mib: peak_memory_mib(), ..Row::default() };
    let diagnostics = match result {
        Ok(generated) => {
            row.outcome = Outcome::Generated;
            row.operations = generated.operations;
            row.skipped = generated.skipped;
            for (side, files) in [("server", generated.server), ("client", generated.client)] {
                row.lines += files.files.iter().map(|file| file.text.lines().count()).sum::<usize>();
                write(&output.join(package(name, side)), files)?;
            }
            generated.warnings
        }
        Err(diagnostics) => {
            row.outcome = Outcome::Refused;
            row.reason = diagnostics.errors().next().map(|error| error.message.clone()).unwrap_or_default();
            diagnostics
        }
    };
    row.diagnostics = count(&diagnostics);
    fs::write(output.join(format!("{name}.txt")), diagnostics.render(&files, Style::Plain))?;
    fs::write(row_path(output, name), serde_json::to_vec(&row)?)?;
    Ok(())
}

/// The crate name of a document, also its folder; names must not start with a digit.
pub(super) fn package(document: &str, side: &str) -> String {
    format!("corpus-{document}-{side}")
}

fn row_path(output: &Path, name: &str) -> PathBuf {
    output.join(format!("{name}.json"))
}

fn count(diagnostics: &Diagnostics) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for diagnostic in diagnostics.iter() {
        *counts.entry(format!("{} {}", diagnostic.code.number(), diagnostic.code.name())).or_default() += 1;
    }
    counts
}

/// Writes the files and removes others below `src`.
pub(super) fn write(folder: &Path, files: impl IntoIterator<Item = File>) -> Result<()> {
    let written = CrateFolder::new(folder, files).owned(Owned::Below("src".to_owned())).write();
    written.with_context(|| format!("cannot write {}", folder.display()))?;
    Ok(())
}

/// The file of a document, which must be in the folder.
fn inside(folder: &Path, path: &str) -> std::io::Result<PathBuf> {
    let mut depth = 0_i32;
    for component in Path::new(path).components() {
        depth += match component {
            Component::Normal(_) => 1,
            Component::CurDir => 0,
            Component::ParentDir => -1,
            Component::RootDir | Component::Prefix(_) => return Err(std::io::ErrorKind::NotFound.into()),
        };
        if depth < 0 {
            return Err(std::io::ErrorKind::NotFound.into());
        }
    }
    Ok(folder.join(path))
}

/// The peak memory of this process.
fn peak_memory_mib() -> u64 {
    let peak = || -> Result<u64> {
        let status = fs::read_to_string("/proc/self/status")?;
        let Some(line) = status.lines().find_map(|line| line.strip_prefix("VmHWM:")) else { bail!("no such line") };
        Ok(line.trim().trim_end_matches("kB").trim().parse::<u64>()? / 1024)
    };
    peak().unwrap_or(0)
}
