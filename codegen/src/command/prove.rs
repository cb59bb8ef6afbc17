//! `specwright prove`

mod client;
mod finding;
mod judge;
mod known;
mod methods;
mod report;
mod run;

use std::num::NonZeroU8;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};
use reqwest::Url;
use specwright_exchange::{Operation, Values};

use super::{Described, Failure, duration, exchange, output};
use client::{Client, TOKEN};

pub(super) use client::Answer;
pub(super) use judge::{answered, of_request};

const WRITES: &str = "\
It sends writes: operations that create, change and delete are called with random values,
and with identifiers that the service has answered. Use a service for tests, or --read-only.

Exit code 1 means that the service does not keep its description, or that no operation succeeded; warnings do not
count.";

#[derive(Args)]
#[command(after_help = WRITES)]
pub(super) struct Arguments {
    #[command(flatten)]
    described: Described,
    /// The service; paths of the description follow it.
    #[arg(long, value_name = "URL")]
    url: Url,
    /// A header of every request, such as `X-Api-Key: k`; may be given several times. The `curl` lines of the report have it.
    #[arg(long = "header", value_name = "NAME: VALUE")]
    headers: Vec<String>,
    /// A token for `Authorization: Bearer`. The report does not contain it.
    #[arg(long, value_name = "TOKEN", env = TOKEN, hide_env_values = true)]
    bearer: Option<String>,
    /// Calls only operations with GET, HEAD, OPTIONS, QUERY and TRACE.
    #[arg(long)]
    read_only: bool,
    /// Calls only these operations, by `operationId`.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    only: Vec<String>,
    /// Does not call these operations.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    skip: Vec<String>,
    /// Stops after this time, such as `60s`, which is used up unless `--samples` is given. Without it, 20 seconds are the most.
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    budget: Option<Duration>,
    /// Number of valid requests for each operation, if there is time. Without it, 10, or with `--budget` as many as it
    /// has time for.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    samples: Option<u32>,
    /// Number of operations that are called at once; with 1, each request waits for the answer to the one before.
    #[arg(long, value_name = "NUMBER", default_value = "8")]
    connections: NonZeroU8,
    /// All requests follow from this number and from the answers of the service.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The format of the report.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people.
    #[value(alias = "text")]
    Human,
    /// For programs.
    Json,
    /// JUnit's XML, a test case for each operation.
    Junit,
}

/// The time of a run whose caller says nothing about it.
const BUDGET: Duration = Duration::from_secs(20);

/// The service breaks the description, or nothing of it was proven.
const BROKEN: u8 = 1;

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let (document, operations) = exchange::read(&arguments.described)?;
    let base_path = document.base_path();
    let selected = selected(arguments, operations)?;
    let client = Client::new(&arguments.url, &arguments.headers, arguments.bearer.as_deref())?;
    let plan = run::Plan {
        budget: arguments.budget.unwrap_or(BUDGET),
        samples: arguments.samples.unwrap_or(run::SAMPLES),
        uses_time: arguments.budget.is_some() && arguments.samples.is_none(),
        seed: arguments.seed,
        connections: usize::from(arguments.connections.get()),
        // A caller who names operations does not expect that others are called.
        tries_writes: !arguments.read_only && arguments.only.is_empty() && arguments.skip.is_empty(),
    };
    let outcome =
        exchange::runtime()?.block_on(run::run(&client, Values::new(document), operations, &selected, plan))?;
    match arguments.format {
        Format::Human => output::print(&report::human(&outcome))?,
        Format::Json => output::print_json(&report::json(&outcome))?,
        Format::Junit => output::print(&report::junit(&outcome))?,
    }
    let is_proven = outcome.unproven.len() < outcome.operations.len();
    if !is_proven {
        eprintln!("{}", report::nothing_proven(&outcome, &base_path));
    }
    Ok(if !is_proven || outcome.findings.has_errors() { ExitCode::from(BROKEN) } else { ExitCode::SUCCESS })
}

/// The operations that are called.
fn selected(arguments: &Arguments, operations: &'static [Operation]) -> Result<Vec<&'static Operation>, Failure> {
    let Arguments { only, skip, read_only, .. } = arguments;
    for id in only.iter().chain(skip) {
        if !operations.iter().any(|operation| operation.id == *id) {
            return Err(Failure::usage(format!("there is no operation `{id}`")));
        }
    }
    let is_selected = |operation: &&Operation| {
        (only.is_empty() || only.contains(&operation.id))
            && !skip.contains(&operation.id)
            && (!read_only || operation.is_safe())
    };
    let selected: Vec<_> = operations.iter().filter(is_selected).collect();
    if selected.is_empty() { Err(Failure::usage("no operation is selected")) } else { Ok(selected) }
}
