//! Everything CI runs, in order.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use crate::regenerate;

/// Runs every step, also after one has failed, and says at the end which did.
pub(crate) fn run(root: &Path) -> ExitCode {
    let mut steps: Vec<(&str, Outcome)> = Vec::new();
    let mut step = |name: &'static str, act: &dyn Fn() -> bool| {
        println!("\n── {name}");
        let start = Instant::now();
        let passed = act();
        steps.push((name, Outcome { passed, time: start.elapsed() }));
    };

    step("formatting", &|| cargo(root, &["fmt", "--all", "--check"]));
    step("generated code", &|| regenerate::check(root) == ExitCode::SUCCESS);
    step("lints", &|| cargo(root, &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]));
    step("fuzz targets", &|| {
        let targets = ["codegen/fuzz/Cargo.toml", "service/fuzz/Cargo.toml"];
        targets.iter().all(|manifest| cargo(root, &["check", "--manifest-path", manifest, "--target-dir", "target"]))
    });
    step("tests", &|| cargo(root, &["test", "--workspace"]));
    let prove = ["run", "--quiet", "--package", "xtask", "--", "prove", "--short", "--store"];
    step("proofs", &|| cargo(root, &[&prove[..], &["sqlite"]].concat()));
    step("proofs on PostgreSQL", &|| cargo(root, &[&prove[..], &["postgres"]].concat()));
    step("documentation", &|| cargo(root, &["doc", "--workspace", "--no-deps"]));
    if has_deny() {
        step("dependencies", &|| cargo(root, &["deny", "check", "bans", "licenses", "sources"]));
    } else {
        println!("\n── dependencies: left out, `cargo install cargo-deny` makes them checked");
    }

    println!();
    for (name, outcome) in &steps {
        let verdict = if outcome.passed { "passed" } else { "FAILED" };
        println!("{verdict} {name} in {:.1} s", outcome.time.as_secs_f64());
    }
    if steps.iter().all(|(_, outcome)| outcome.passed) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// How a step ended.
struct Outcome {
    passed: bool,
    time: Duration,
}

/// Runs cargo with warnings in documentation denied. A fresh build is slower and larger with incremental compilation.
fn cargo(root: &Path, arguments: &[&str]) -> bool {
    println!("$ cargo {}", arguments.join(" "));
    Command::new("cargo")
        .args(arguments)
        .current_dir(root)
        .env("CARGO_INCREMENTAL", "0")
        .env("RUSTDOCFLAGS", "-D warnings")
        // The fuzz targets are only checked: what they are linked with would take a C++ compiler.
        .env("CUSTOM_LIBFUZZER_PATH", root.join("target/libfuzzer.a"))
        .status()
        .is_ok_and(|status| status.success())
}

fn has_deny() -> bool {
    Command::new("cargo")
        .args(["deny", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
