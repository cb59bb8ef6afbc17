//! The processor time of checks and release builds of generated crates, compared with those of another generator's crate.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context as _, Result, ensure};

use super::{calls, peers::lines, process, row};
use crate::corpus::document::Document;

/// Rounds, in which the crates take turns.
const ROUNDS: usize = 5;

/// The generator whose client is compared: it lists the dependencies of what it writes.
const PEER: &str = "openapi-to-rust";

/// Checks the crates of documents in one workspace, which is kept below `peers` for its dependencies, and builds programs that
/// call every operation of the clients.
pub(super) fn measure(own: &Path, peers: &Path, documents: &[&Document]) -> Result<()> {
    let workspace = peers.join("checks");
    fs::create_dir_all(&workspace)?;
    let names = |document: &Document| ["peer", "client", "server"].map(|side| format!("{}-{side}", document.name));
    let program = |client: &str| format!("{client}-calls");
    let mut members = Vec::new();
    for document in documents {
        let folders = names(document).map(|name| workspace.join(name));
        generate(own, peers, &document.folder.join(&document.entry), &folders)
            .with_context(|| format!("{} cannot be compiled", document.name))?;
        members.extend(names(document));
        for client in &names(document)[..2] {
            let called = calls::write(&workspace.join(client), &workspace.join(program(client)))?;
            println!("{client}: {called} calls");
            members.push(program(client));
        }
    }
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n\n[profile.dev]\ndebug = false\n");
    fs::write(workspace.join("Cargo.toml"), manifest)?;
    for document in documents {
        let [peer, client, _] = names(document);
        println!("\n{}, processor time of a release build of a program that calls every operation", document.name);
        let mut of_peer = None;
        for (side, name) in [(PEER, peer), ("specwright", client)] {
            let program = program(&name);
            // The first build compiles the dependencies.
            cargo(&workspace, &name, &["build", "--release", "--package", &program])?;
            let time = cargo(&workspace, &name, &["build", "--release", "--package", &program])?.as_secs_f64();
            let note = format!("{:.2} ×", time / *of_peer.get_or_insert(time));
            row(side, &format!("{time:.1} s"), &note);
        }
    }
    for document in documents {
        println!("\n{}, processor time of `cargo check`", document.name);
        let names = names(document);
        let mut times = names.each_ref().map(|_| Vec::new());
        for round in 0..=ROUNDS {
            for (name, times) in names.iter().zip(&mut times) {
                let time = cargo(&workspace, name, &["check", "--package", name])?;
                // The first round compiles the dependencies.
                if round > 0 {
                    times.push(time);
                }
            }
        }
        let medians = times.map(|mut times| {
            times.sort_unstable();
            times[times.len() / 2].as_secs_f64()
        });
        let of_peer = lines(&workspace.join(&names[0]).join("src"))?;
        let sides = [PEER, "specwright, client", "specwright, server"];
        for ((side, name), time) in sides.iter().zip(&names).zip(medians) {
            let lines = lines(&workspace.join(name).join("src"))?;
            #[expect(clippy::cast_precision_loss, reason = "numbers of lines are small")]
            let ratio = lines as f64 / of_peer as f64;
            let note = format!("{:.2} ×, {lines} lines, {ratio:.2} ×", time / medians[0]);
            row(side, &format!("{time:.2} s"), &note);
        }
    }
    Ok(())
}

/// Writes the three crates of a document.
fn generate(own: &Path, peers: &Path, document: &Path, [peer, client, server]: &[PathBuf; 3]) -> Result<()> {
    let generated = peer.join("src").join("generated");
    run(Command::new(peers.join("bin").join(PEER)).arg("generate").arg(document).arg("--output-dir").arg(&generated))?;
    fs::write(peer.join("src").join("lib.rs"), "pub mod generated;\n")?;
    let dependencies = fs::read_to_string(generated.join("REQUIRED_DEPS.toml"))?;
    let name = |folder: &Path| folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let package = format!("[package]\nname = \"{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n", name(peer));
    fs::write(peer.join("Cargo.toml"), package + &dependencies)?;
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("runtime");
    let runtime = format!("path={}", runtime.display());
    let mut command = Command::new(own);
    command.arg("generate").arg(document).arg("--server").arg(server).arg("--client").arg(client);
    run(command.args(["--name", &name(client).replace("-client", ""), "--runtime", &runtime]))
}

/// The processor time of cargo after a change of a crate.
fn cargo(workspace: &Path, changed: &str, arguments: &[&str]) -> Result<Duration> {
    let begin = process::cpu_of_ended()?;
    let library = workspace.join(changed).join("src").join("lib.rs");
    fs::File::options().append(true).open(library)?.set_modified(std::time::SystemTime::now())?;
    let mut cargo = Command::new("cargo");
    cargo.args(arguments).arg("--quiet").current_dir(workspace).env("CARGO_INCREMENTAL", "0");
    run(cargo.env("CARGO_TARGET_DIR", workspace.join("target")))?;
    Ok(process::cpu_of_ended()?.saturating_sub(begin))
}

fn run(command: &mut Command) -> Result<()> {
    let output = command.stdin(Stdio::null()).output()?;
    ensure!(output.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}
