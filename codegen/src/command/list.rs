//! `codegen list`

mod human;
mod json;

use std::process::ExitCode;

use clap::Args;
use codegen::{Code, Policy};

use super::config::Config;
use super::description::Description;
use super::{Failure, Format, Input, output, report};

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// How they are listed.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Arguments { input, format } = arguments;
    let config = Config::read(input.config.as_deref())?;
    let mut description = Description::new(input, &config)?;
    // Whoever looks for the right selection wants to see what this one leaves.
    description
        .options
        .policies
        .set(Code::NothingSelected, Policy::Warn)
        .map_err(|error| Failure::usage(error.to_string()))?;
    let (api, warnings) = description.read().map_err(|diagnostics| {
        report::print(&description, &diagnostics, input.all);
        description.failure(&diagnostics)
    })?;
    report::print(&description, &warnings, input.all);
    match format {
        Format::Human => output::print(&human::table(&api))?,
        Format::Json => output::print_json(&json::json(&api))?,
    }
    Ok(ExitCode::SUCCESS)
}
