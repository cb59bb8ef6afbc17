//! `specwright explain`

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use specwright::{Code, Severity, UnknownCode};

use super::{Failure, output};

#[derive(Args)]
pub(super) struct Arguments {
    /// The number or the name, such as `W0312` or `path-parameter-outside-template`.
    code: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let text = match &arguments.code {
        None => list(),
        Some(wanted) => explanation(wanted.parse().map_err(|error: UnknownCode| Failure::usage(error.to_string()))?),
    };
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn list() -> String {
    let mut codes: Vec<Code> = Code::all().collect();
    codes.sort_by_key(|code| &code.number()[1..]);
    codes.into_iter().fold(String::new(), |mut text, code| {
        let _ = writeln!(text, "{}  {}", code.number(), code.name());
        text
    })
}

fn explanation(code: Code) -> String {
    let severity = match code.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    format!("{} {} ({severity})\n\n{}\n", code.number(), code.name(), code.explanation())
}
