//! The steps of CI, in order.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader};
use std::iter;
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::{features, regenerate};

/// Number of lines of a failed step that are printed again at the end.
const LAST_LINES: usize = 30;

/// A step that takes longer hangs: it is killed, so that the others run and its last output is shown.
const LIMIT: Duration = Duration::from_mins(30);

/// Runs every step, even after a failure, and summarizes the failures at the end.
pub(crate) fn run_all(root: &Path) -> ExitCode {
    let mut steps: Vec<(&str, Outcome)> = Vec::new();
    let mut step = |name: &'static str, act: &dyn Fn() -> Result<(), Vec<String>>| {
        println!("\n── {name}");
        let start = Instant::now();
        let result = act();
        steps.push((name, Outcome { result, time: start.elapsed() }));
    };

    step("formatting", &|| cargo(root, &["fmt", "--all", "--check"]));
    step("generated code", &|| {
        if regenerate::check(root) == ExitCode::SUCCESS { Ok(()) } else { Err(Vec::new()) }
    });
    step("lints", &|| cargo(root, &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]));
    step("features of the runtime", &|| {
        // Generated crates choose few features, so that each must compile without the others.
        // Only `cli` and `mcp` use `arguments`.
        let runtime = ["clippy", "--quiet", "--package", "specwright-runtime", "--no-default-features", "--features"];
        let names = features::names(root, "specwright-runtime").map_err(|error| vec![format!("{error:#}")])?;
        iter::once("")
            .chain(names.iter().map(String::as_str).filter(|name| *name != "arguments"))
            .try_for_each(|name| cargo(root, &[&runtime[..], &[name, "--", "-D", "warnings"]].concat()))
    });
    step("other workspaces", &|| {
        ["codegen/fuzz", "service/fuzz", "tests/baseline", "tests/peer"].iter().try_for_each(|folder| {
            let manifest = format!("{folder}/Cargo.toml");
            cargo(root, &["check", "--manifest-path", &manifest, "--target-dir", "target"])
        })
    });
    step("tests", &|| cargo(root, &["test", "--workspace"]));
    let prove = ["run", "--quiet", "--package", "xtask", "--", "prove", "--short", "--require", "--store"];
    step("proofs", &|| cargo(root, &[&prove[..], &["sqlite"]].concat()));
    step("proofs on PostgreSQL", &|| cargo(root, &[&prove[..], &["postgres"]].concat()));
    step("documentation", &|| cargo(root, &["doc", "--workspace", "--no-deps"]));
    if is_installed("mdbook", "--version") {
        step("book", &|| run(root, "mdbook", &["build", "docs"]));
    } else {
        println!("\n── book: left out, `cargo install mdbook` makes it built");
    }
    if is_installed("cargo", "deny --version") {
        step("dependencies", &|| cargo(root, &["deny", "check", "bans", "licenses", "sources"]));
    } else {
        println!("\n── dependencies: left out, `cargo install cargo-deny` makes them checked");
    }

    for (name, outcome) in &steps {
        if let Err(lines) = &outcome.result {
            println!("\n── {name} ended with");
            for line in lines {
                println!("{line}");
            }
        }
    }
    println!();
    for (name, outcome) in &steps {
        let verdict = if outcome.result.is_ok() { "passed" } else { "FAILED" };
        println!("{verdict} {name} in {:.1} s", outcome.time.as_secs_f64());
    }
    if steps.iter().all(|(_, outcome)| outcome.result.is_ok()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The result of a step.
struct Outcome {
    /// The last lines of output, if it failed.
    result: Result<(), Vec<String>>,
    time: Duration,
}

fn cargo(root: &Path, arguments: &[&str]) -> Result<(), Vec<String>> {
    run(root, "cargo", arguments)
}

/// Runs a program, denying warnings in documentation; on failure, returns its last lines.
///
/// A fresh build is slower and larger with incremental compilation.
fn run(root: &Path, program: &str, arguments: &[&str]) -> Result<(), Vec<String>> {
    println!("$ {program} {}", arguments.join(" "));
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(root)
        .env("CARGO_INCREMENTAL", "0")
        .env("RUSTDOCFLAGS", "-D warnings")
        // The fuzz targets are only checked: linking them needs a C++ compiler.
        .env("CUSTOM_LIBFUZZER_PATH", root.join("target/libfuzzer.a"));
    match print_and_keep(command, LIMIT) {
        Ok(Printed { is_success: true, .. }) => Ok(()),
        Ok(Printed { last_lines, .. }) => Err(last_lines),
        Err(error) => Err(vec![format!("{program} does not run: {error}")]),
    }
}

/// The last output of a command, and whether it succeeded.
struct Printed {
    last_lines: Vec<String>,
    is_success: bool,
}

/// Runs the command with a time limit, prints its output, and keeps the last lines.
fn print_and_keep(mut command: Command, limit: Duration) -> io::Result<Printed> {
    let (reader, writer) = io::pipe()?;
    let mut child = command.stdout(writer.try_clone()?).stderr(writer).spawn()?;
    drop(command); // holds the pipe open for writing, which would keep the reader waiting
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            println!("{line}");
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let status = wait(&mut child, limit)?;
    let mut last_lines = VecDeque::new();
    // A process that the command left behind may keep the pipe open, so do not wait for the end.
    while let Ok(line) = lines.recv_timeout(Duration::from_secs(1)) {
        if last_lines.len() == LAST_LINES {
            last_lines.pop_front();
        }
        last_lines.push_back(line);
    }
    if status.is_none() {
        last_lines.push_back(format!("ended after {} s", limit.as_secs()));
    }
    Ok(Printed { last_lines: last_lines.into(), is_success: status.is_some_and(|status| status.success()) })
}

/// The exit status; `None` if the process had to be killed.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(Duration::from_millis(100));
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

fn is_installed(program: &str, arguments: &str) -> bool {
    Command::new(program)
        .args(arguments.split(' '))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_failed_command_printed_last_is_kept() {
        let mut command = Command::new("sh");
        command.args(["-c", "seq 100; exit 1"]);
        let printed = print_and_keep(command, LIMIT).expect("a shell");
        assert!(!printed.is_success);
        let last: Vec<_> = (71..=100).map(|line| line.to_string()).collect();
        assert_eq!(printed.last_lines, last);
    }

    #[test]
    fn what_takes_too_long_is_ended() {
        let mut command = Command::new("sleep");
        command.arg("600");
        let printed = print_and_keep(command, Duration::ZERO).expect("a program");
        assert!(!printed.is_success);
        assert_eq!(printed.last_lines, ["ended after 0 s"]);
    }
}
