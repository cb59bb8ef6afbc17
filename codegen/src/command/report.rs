//! `specwright report`

mod anonymous;
mod compile;
mod form;
mod panics;
mod problem;
mod reduce;
mod trial;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::Value;
use specwright::{Code, Generator};

use super::config;
use super::description::Description;
use super::{Failure, Input, duration, output, policies};
use compile::Compiler;
use problem::{Problem, Wanted};
use trial::Trial;

pub(super) use panics::name_report;

const PUBLIC: &str = "\
The report has the parts of the issue form. Read it before you publish it: numbers stay as they
are, and so does what the problem depends on.";

#[derive(Args)]
#[command(after_help = PUBLIC)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// The kind of problem, such as a warning; by default, what stops the generation first.
    #[arg(long, value_name = "CODE")]
    code: Option<Code>,
    /// Also compiles the generated crates with cargo, and reports what does not compile.
    #[arg(long, conflicts_with = "code")]
    build: bool,
    /// Stops reducing after this time, such as `20s`.
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "30s")]
    budget: Duration,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Arguments { input, code, build, budget } = arguments;
    let config = config::read(input.described.config.as_deref())?;
    let description = Description::new(input, &config)?;
    let compiler = if *build { Some(Compiler::new()?) } else { None };
    panics::keep_quiet();

    let mut trial = Trial::new(&description, compiler, code.is_none());
    let found = trial.problems_of_files()?;
    let problem = choose(&found, *code)?;
    trial.generates = !matches!(problem, Problem::Diagnostic { .. });
    let mut tree = trial.trees();
    if !Wanted::exactly(&problem, &found).is_in(&trial.problems(&tree)) {
        return Err(Failure::usage(format!(
            "{}\nit is in the text of a file, not in its content, so the description cannot be reduced",
            problem.headline()
        )));
    }
    let plain = Generator::new().policies(policies::policies(&input.policies, &config.diagnostics)?);
    let needs_settings =
        !trial.works_with(plain, |trial| Wanted::exactly(&problem, &found).is_in(&trial.problems(&tree)));

    let start = Instant::now();
    let wanted = Wanted::exactly(&problem, &found);
    tree = reduce::reduce(tree, start + *budget, &|tree| wanted.is_in(&trial.problems(tree)));
    let is_cut = start.elapsed() >= *budget;
    let found = trial.problems(&tree);
    // The names are replaced in any case.
    let renaming = Instant::now() + (*budget).max(Duration::from_secs(10)) / 2;
    let wanted = Wanted::in_outline(&problem, &found);
    tree = anonymous::anonymous(tree, renaming, &|tree| wanted.is_in(&trial.problems(tree)));

    if Instant::now() >= renaming {
        return Err(Failure::usage("the time was too short to replace every name; `--budget` gives more"));
    }
    let settings = if needs_settings { input.described.config.as_deref() } else { None };
    output::print(&form::form(&trial, &tree, &wanted, settings)?)?;
    if is_cut {
        eprintln!("note: the time was too short to try everything; `--budget` gives more");
    }
    eprintln!("note: read the report before you publish it");
    Ok(ExitCode::SUCCESS)
}

/// The problem to report.
fn choose(found: &[Problem], code: Option<Code>) -> Result<Problem, Failure> {
    let problem = found.iter().find(|problem| match (code, problem) {
        (Some(wanted), Problem::Diagnostic { code, .. }) => *code == wanted,
        (Some(_), _) => false,
        (None, problem) => problem.is_fatal(),
    });
    problem.cloned().ok_or_else(|| {
        Failure::usage(match code {
            Some(code) => format!("the description has no problem `{}`", code.name()),
            None => "nothing fails with this description; `--code` reports a warning, `--build` what does not compile"
                .to_owned(),
        })
    })
}

/// The name of the file in which a description starts.
fn entry(trees: &Value) -> &str {
    trees.as_object().and_then(|files| files.keys().next()).map_or("", String::as_str)
}
