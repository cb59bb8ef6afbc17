//! The generator compared with other generators, on real documents and on documents of growing size.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};

use super::{checks, growing, row};
use crate::corpus::document;

/// Rounds, in which the generators take turns.
const ROUNDS: usize = 7;

/// The measured documents, by their names in the manifest of the corpus.
const DOCUMENTS: [&str; 5] = ["petstore-v3", "progenitor-buildomat", "box", "plaid", "cloudflare-2023"];

/// The numbers of operations of the documents of growing size.
const OPERATIONS: [u32; 4] = [10, 100, 1000, 5000];

/// The documents whose crates are compiled.
const CHECKED: [&str; 4] = ["progenitor-buildomat", "petstore-v3", "adyen-checkout-v71", "plaid"];

/// The other generators: package and version. Each writes a client only.
const PEERS: [(&str, &str); 2] = [("oas3-gen", "0.29.0"), ("openapi-to-rust", "0.23.0")];

/// What a generator does with a document.
struct Outcome {
    time: Duration,
    memory_mib: u64,
    lines: usize,
}

/// Measures the documents of a corpus, and documents of growing size; installs the other generators below `target`.
pub(super) fn measure(own: &Path, target: &Path, corpus: &Path, output: &Path) -> Result<()> {
    let peers = target.join("peers");
    for (package, version) in PEERS {
        install(&peers, package, version)?;
    }
    let documents = document::list(corpus)?;
    let find = |name: &str| documents.iter().find(|document| document.name == name);
    for document in DOCUMENTS.into_iter().filter_map(find) {
        println!("\n{}", document.name);
        compare(own, &peers, &document.folder.join(&document.entry), output, |_| String::new())?;
    }
    let folder = peers.join("growing");
    fs::create_dir_all(&folder)?;
    for operations in OPERATIONS {
        println!("\n{operations} operations");
        let document = folder.join(format!("{operations}.json"));
        fs::write(&document, growing::document(operations).to_string())?;
        let each =
            |time: Duration| format!(", {:.0} µs an operation", time.as_secs_f64() * 1e6 / f64::from(operations));
        compare(own, &peers, &document, output, each)?;
    }
    let checked: Vec<_> = CHECKED.into_iter().filter_map(find).collect();
    checks::measure(own, &peers, &checked)
}

/// Generates from a document with each generator, in turns, and prints the medians.
fn compare(own: &Path, peers: &Path, document: &Path, output: &Path, note: impl Fn(Duration) -> String) -> Result<()> {
    let commands: Vec<(&str, Vec<String>)> = std::iter::once(("specwright", own_command(own, document, output)))
        .chain(PEERS.map(|(package, _)| (package, peer_command(peers, package, document, output))))
        .collect();
    let mut outcomes: Vec<Vec<Outcome>> = commands.iter().map(|_| Vec::new()).collect();
    for _ in 0..ROUNDS {
        for ((_, command), outcomes) in commands.iter().zip(&mut outcomes) {
            outcomes.extend(run(command, output)?);
        }
    }
    for ((generator, _), mut outcomes) in commands.iter().zip(outcomes) {
        outcomes.sort_by_key(|outcome| outcome.time);
        match outcomes.get(outcomes.len() / 2) {
            Some(median) => row(
                generator,
                &format!("{:.3} s", median.time.as_secs_f64()),
                &format!("{} MiB, {} lines{}", median.memory_mib, median.lines, note(median.time)),
            ),
            None => row(generator, "fails", ""),
        }
    }
    Ok(())
}

fn install(folder: &Path, package: &str, version: &str) -> Result<()> {
    // cargo may compile a package that is installed already again.
    let installed = fs::read_to_string(folder.join(".crates.toml")).unwrap_or_default();
    if installed.contains(&format!("\"{package} {version} ")) {
        return Ok(());
    }
    let status = Command::new(env!("CARGO"))
        .args(["install", "--quiet", "--locked", "--root"])
        .arg(folder)
        .args(["--version", version, package])
        .status()?;
    ensure!(status.success(), "{package} {version} could not be installed");
    Ok(())
}

fn own_command(program: &Path, document: &Path, output: &Path) -> Vec<String> {
    let [program, document] = [program, document].map(|path| path.display().to_string());
    let [server, client] = ["server", "client"].map(|side| output.join(side).display().to_string());
    [program, "generate".into(), document, "--server".into(), server, "--client".into(), client].into()
}

fn peer_command(peers: &Path, package: &str, document: &Path, output: &Path) -> Vec<String> {
    let program = peers.join("bin").join(package).display().to_string();
    let [document, output] = [document, &output.join("client")].map(|path| path.display().to_string());
    match package {
        "oas3-gen" => {
            [program, "generate".into(), "client-mod".into(), "-i".into(), document, "-o".into(), output].into()
        }
        _ => [program, "generate".into(), document, "--output-dir".into(), output].into(),
    }
}

/// Runs a generator into an empty folder; `None` if it fails.
fn run(command: &[String], output: &Path) -> Result<Option<Outcome>> {
    if output.exists() {
        fs::remove_dir_all(output)?;
    }
    fs::create_dir_all(output)?;
    let (program, arguments) = command.split_first().context("a command has a program")?;
    let begin = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let mut memory_mib = 0;
    let status = loop {
        if let Some(peak) = super::process::peak_memory_mib(child.id()) {
            memory_mib = peak;
        }
        match child.try_wait()? {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    let time = begin.elapsed();
    let lines = lines(output)?;
    Ok((status.success() && lines > 0).then_some(Outcome { time, memory_mib, lines }))
}

/// The number of lines of Rust below a folder.
pub(super) fn lines(folder: &Path) -> Result<usize> {
    let mut sum = 0;
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                sum += fs::read_to_string(path)?.lines().count();
            }
        }
    }
    Ok(sum)
}
