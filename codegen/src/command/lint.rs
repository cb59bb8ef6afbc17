//! `specwright lint`

mod sarif;

use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::config;
use super::description::Description;
use super::{Failure, Input, diagnostics, output};

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// The format of the report.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// On standard error, as rustc prints it.
    Human,
    /// On standard output, a list of objects.
    Json,
    /// On standard output, as SARIF 2.1.0.
    Sarif,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Arguments { input, format } = arguments;
    let config = config::read(input.described.config.as_deref())?;
    let description = Description::new(input, &config)?;
    let diagnostics = match description.read() {
        Ok(read) => read.warnings().clone(),
        Err(diagnostics) => diagnostics,
    };
    match format {
        Format::Human => diagnostics::print(&description, &diagnostics, input.all),
        Format::Json => output::print_json(&diagnostics::json(&diagnostics::from_here(&description, &diagnostics)))?,
        Format::Sarif => output::print_json(&sarif::sarif(&diagnostics::from_here(&description, &diagnostics)))?,
    }
    if diagnostics.has_errors() { Err(description.failure(&diagnostics)) } else { Ok(ExitCode::SUCCESS) }
}
