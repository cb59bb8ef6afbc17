//! `specwright lint`

mod sarif;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use specwright::Diagnostics;

use super::config;
use super::description::Description;
use super::{Failure, Input, diagnostics, output};

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// More descriptions, with the same settings.
    #[arg(value_name = "DOC")]
    others: Vec<PathBuf>,
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
    let Arguments { input, others, format } = arguments;
    let config = config::read(input.described.config.as_deref())?;
    let mut found = Diagnostics::default();
    let mut code = 0;
    for document in [&input.described.document].into_iter().chain(others) {
        let mut input = input.clone();
        input.described.document.clone_from(document);
        let description = Description::new(&input, &config)?;
        let diagnostics = match description.read() {
            Ok(read) => read.warnings().clone(),
            Err(diagnostics) => diagnostics,
        };
        if matches!(format, Format::Human) {
            diagnostics::print(&description, &diagnostics, input.all);
        }
        if diagnostics.has_errors() {
            code = code.max(description.failure(&diagnostics).code());
        }
        found.append(diagnostics::from_here(&description, &diagnostics));
    }
    match format {
        Format::Human => {}
        Format::Json => output::print_json(&diagnostics::json(&found))?,
        Format::Sarif => output::print_json(&sarif::sarif(&found))?,
    }
    Ok(ExitCode::from(code))
}
