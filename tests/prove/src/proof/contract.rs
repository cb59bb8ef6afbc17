//! The service conforms to its description: schemathesis sends valid and invalid requests, and judges every
//! response.

use std::{
    fs::File,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, ensure};

use super::Form;
use crate::{
    figure::{Figure, Outcome},
    service::program,
    store::Store,
};

/// The version of schemathesis, from PyPI.
const VERSION: &str = "4.32.5";

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let folder = program()?.ancestors().nth(2).context("a folder of builds")?.join("schemathesis");
    let program = match installed(&folder) {
        Ok(program) => program,
        Err(missing) => return Ok(Outcome::LeftOut(format!("{missing:#}"))),
    };
    let report = folder.join("report.txt");
    let (cases, failures) = judge(&program, &report, form, store)?;
    Ok(Outcome::Measured(vec![
        Figure::plain("requests", cases),
        Figure::exactly(format!("failures, told in {}", report.display()), 0, failures),
    ]))
}

/// The path of the program, which is installed if missing.
fn installed(folder: &Path) -> Result<PathBuf> {
    let program = folder.join(VERSION).join("bin").join("schemathesis");
    if !program.exists() {
        let environment = folder.join(VERSION);
        quiet(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))
            .context("needs python3 with `venv`: `apt-get install python3-venv`")?;
        let wanted = format!("schemathesis=={VERSION}");
        quiet(Command::new(environment.join("bin").join("pip")).args(["install", "--quiet", &wanted]))
            .with_context(|| format!("needs {wanted} from PyPI"))?;
    }
    Ok(program)
}

fn quiet(command: &mut Command) -> Result<()> {
    let output = command.stdin(Stdio::null()).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(())
}

/// Runs it against a new service; returns the number of requests and failures.
fn judge(program: &Path, report: &Path, form: Form, store: Store) -> Result<(u64, u64)> {
    let folder = tempfile::tempdir()?;
    // It sends many requests with a wrong token.
    let start = store.start().with("SERVICE_LIMITS__FAILED_AUTHENTICATIONS_PER_MINUTE", "0");
    let service = start.run(folder.path())?;
    let token = start.token(folder.path())?;
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("contract");
    let output = File::create(report).with_context(|| report.display().to_string())?;
    let status = Command::new(program)
        .arg("--no-color")
        .arg("--config-file")
        .arg(own.join("schemathesis.toml"))
        .args(["run", &format!("http://{}/openapi.json", service.address)])
        .args(["--header", &format!("Authorization: Bearer {token}")])
        .args(["--checks", "all", "--continue-on-failure"])
        .args(["--max-examples", form.pick("2", "500"), "--seed", "1"])
        // Coverage takes a minute.
        .args(["--phases", form.pick("examples,fuzzing", "examples,coverage,fuzzing,stateful")])
        .args(["--suppress-health-check", "all"])
        .env("SCHEMATHESIS_HOOKS", "checks")
        .env("PYTHONPATH", &own)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        // It stores state in its working directory.
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(output)
        .status()?;
    let text = std::fs::read_to_string(report)?;
    // `467 generated, 17 found 17 unique failures`, `467 generated, 467 passed`
    let counts = text.lines().find(|line| line.contains(" generated, "));
    let counts = counts.with_context(|| format!("it did not get far, see {}", report.display()))?;
    let cases = number_before(counts, " generated").context("a count of requests")?;
    let failures = number_before(counts, " unique failure").unwrap_or(0);
    // An internal error is a failure, too.
    Ok((cases, failures.max(u64::from(!status.success()))))
}

/// The number before a text.
fn number_before(line: &str, text: &str) -> Option<u64> {
    line.split(text).next().filter(|start| start.len() < line.len())?.split_whitespace().last()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_found_in_the_summary() {
        let failed = "  467 generated, 17 found 17 unique failures";
        assert_eq!(
            (number_before(failed, " generated"), number_before(failed, " unique failure")),
            (Some(467), Some(17))
        );
        assert_eq!(number_before("  9 generated, 9 passed", " unique failure"), None);
    }
}
