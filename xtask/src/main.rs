//! The tasks of this repository.

mod bench;
mod ci;
mod corpus;
mod diagnostics;
mod features;
mod manifest;
mod prove;
mod regenerate;
mod release;
mod report;
mod source;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The tasks of this repository.
///
/// Exit codes: 0 success, 1 failure, 2 wrong usage, 4 stale generated code.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct CommandLine {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Generates the code of generated-server, generated-client, generated-mcp and generated-cli from spec/openapi.yaml.
    Regenerate {
        /// Writes nothing; lists stale files and exits with 4.
        #[arg(long)]
        check: bool,
    },
    /// Runs everything that CI runs.
    Ci,
    /// Packages the published crates, and uses them from their archives alone, as CONTRIBUTING.md says.
    Release {
        /// Publishes nothing; `cargo publish` does that.
        #[arg(long, required = true)]
        dry_run: bool,
    },
    /// Measures the figures, next to the machine's own limits.
    Bench(bench::Arguments),
    /// Runs proofs against the running service: attacks, faults and load; all by default.
    Prove(prove::Arguments),
    /// Generates and compiles both crates of every document of a folder, and prints the results.
    Corpus(corpus::Arguments),
    /// Generates the crates of one document.
    #[command(hide = true)]
    CorpusOne(corpus::OneArguments),
    /// Serves the baseline that `bench` compares with.
    #[command(hide = true)]
    BenchFloor {
        /// Size of a response in bytes.
        bytes: usize,
    },
}

fn main() -> ExitCode {
    let root = root();
    match CommandLine::parse().task {
        Task::Regenerate { check: false } => regenerate::write(&root),
        Task::Regenerate { check: true } => regenerate::check(&root),
        Task::Ci => ci::run_all(&root),
        Task::Release { dry_run: _ } => code(release::dry_run(&root)),
        Task::Bench(arguments) => code(bench::run(&root, &arguments)),
        Task::Prove(arguments) => prove::run(&root, &arguments),
        Task::Corpus(arguments) => code(corpus::run(&root, &arguments)),
        Task::CorpusOne(arguments) => code(corpus::generate_one(&arguments)),
        Task::BenchFloor { bytes } => code(bench::serve_floor(bytes)),
    }
}

fn code(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:?}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the repository.
fn root() -> PathBuf {
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    PathBuf::from(xtask).join("..").components().fold(PathBuf::new(), |mut path, component| {
        // Remove `xtask/..` from the paths that are printed.
        if component == std::path::Component::ParentDir {
            path.pop();
        } else {
            path.push(component);
        }
        path
    })
}
