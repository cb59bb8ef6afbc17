//! `specwright effective`

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::Value;

use super::config;
use super::description::Description;
use super::{Failure, Input, STALE, diagnostics, output};

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// The file to write, as JSON if its name ends in `.json`, or else as YAML; by default, standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Writes nothing; exits with 4 if the file is stale.
    #[arg(long, requires = "output")]
    check: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Arguments { input, output, check } = arguments;
    let description = Description::new(input, &config::read(input.described.config.as_deref())?)?;
    let effective = description.generator.effective(&description.source()).map_err(|diagnostics| {
        diagnostics::print(&description, &diagnostics, input.all);
        description.failure(&diagnostics)
    })?;
    let Some(path) = output else {
        output::print(&text(&effective, Path::new(""))?)?;
        return Ok(ExitCode::SUCCESS);
    };
    let is_output = |read: &PathBuf| match (fs::canonicalize(read), fs::canonicalize(path)) {
        (Ok(read), Ok(output)) => read == output,
        _ => false,
    };
    if description.files().iter().chain(&input.described.config).any(is_output) {
        let message = "the description is read from this file; name another one";
        return Err(Failure::usage(message).in_file(path));
    }
    let text = text(&effective, path)?;
    let failed = |error| Failure::usage(format!("{error}")).in_file(path);
    let old = match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        old => old.map_err(failed)?,
    };
    if *check && old != text {
        eprintln!("error: {} is stale; run the command without `--check`", path.display());
        return Ok(ExitCode::from(STALE));
    }
    if old != text {
        fs::write(path, text).map_err(failed)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(effective: &Value, path: &Path) -> Result<String, Failure> {
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")) {
        return Ok(format!("{effective:#}\n"));
    }
    serde_yaml::to_string(effective).map_err(|error| Failure::usage(error.to_string()))
}
