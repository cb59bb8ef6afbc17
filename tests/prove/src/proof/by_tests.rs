//! Promises covered by end-to-end tests of every operation.

use std::process::Command;

use anyhow::{Context as _, Result};

use super::Form;
use crate::figure::{Figure, Outcome};

/// Every operation with each of its scopes missing.
pub(super) fn scopes(form: Form) -> Result<Outcome> {
    run(form, "e2e", &["scopes::"])
}

/// Read-only members in every object of every body.
pub(super) fn properties(form: Form) -> Result<Outcome> {
    run(form, "e2e", &["properties::"])
}

/// Injection attempts in every parameter and every body.
pub(super) fn injection(form: Form) -> Result<Outcome> {
    run(form, "e2e", &["injection::"])
}

/// A month of due scans, minute by minute, with two processes.
pub(super) fn due_scans(form: Form) -> Result<Outcome> {
    run(form, "e2e-postgres", &["--", "processes::each_run_of_a_month", "--ignored"])
}

fn run(form: Form, target: &str, tests: &[&str]) -> Result<Outcome> {
    if form == Form::Short {
        return Ok(Outcome::Elsewhere(format!(
            "the tests of `cargo test --package tests --test {target}` are its short form"
        )));
    }
    let output = Command::new("cargo")
        .args(["test", "--quiet", "--package", "tests", "--test", target])
        .args(tests)
        .output()
        .context("cargo runs the tests")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let count = |what: &str| -> u64 {
        let words: Vec<&str> = text.split_whitespace().collect();
        let counts = words.windows(2).filter(|pair| pair[1].starts_with(what));
        counts.filter_map(|pair| pair[0].parse::<u64>().ok()).sum()
    };
    if !output.status.success() {
        println!("{text}");
    }
    #[expect(clippy::cast_precision_loss, reason = "a few tests")]
    let passed = count("passed") as f64;
    Ok(Outcome::Measured(vec![
        Figure::at_least("tests passed", 1.0, passed, ""),
        Figure::exactly("tests failed", 0, count("failed").max(u64::from(!output.status.success()))),
    ]))
}
