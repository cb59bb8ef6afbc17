//! `specwright list`

mod human;
mod json;

use std::process::ExitCode;

use clap::Args;
use specwright::{Code, Policy};

use super::config;
use super::description::Description;
use super::{Failure, Format, Input, diagnostics, output, policies};

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
    let config = config::read(input.described.config.as_deref())?;
    let mut description = Description::new(input, &config)?;
    // An empty selection is not an error here: the listing shows what it leaves.
    let mut policies = policies::policies(&input.policies, &config.diagnostics)?;
    policies.set(Code::NothingSelected, Policy::Warn).map_err(|error| Failure::usage(error.to_string()))?;
    description.generator = description.generator.policies(policies);
    let read = description.read().map_err(|diagnostics| {
        diagnostics::print(&description, &diagnostics, input.all);
        description.failure(&diagnostics)
    })?;
    diagnostics::print(&description, read.warnings(), input.all);
    match format {
        Format::Human => output::print(&human::table(read.api()))?,
        Format::Json => output::print_json(&json::json(&read))?,
    }
    Ok(ExitCode::SUCCESS)
}
