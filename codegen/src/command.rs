//! The commands and their exit codes.

mod completions;
mod config;
mod crate_name;
mod description;
mod diagnostics;
mod diff;
mod duration;
mod effective;
#[cfg(feature = "exchange")]
mod exchange;
mod explain;
mod generate;
mod init;
mod lint;
mod list;
mod lock;
#[cfg(feature = "exchange")]
mod mock;
mod offline;
mod output;
mod policies;
#[cfg(feature = "exchange")]
mod prove;
#[cfg(feature = "exchange")]
mod proxy;
mod remote;
mod report;
mod scaffold;
mod watch;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// The document has errors.
const DOCUMENT: u8 = 1;
/// The command line is wrong (also clap's own code), or a file cannot be read or written.
const USAGE: u8 = 2;
/// A change breaks something that works with the old description.
const BREAKING: u8 = 3;
/// The generated code is stale.
const STALE: u8 = 4;

/// Generates a strict axum server and a tolerant reqwest client from an OpenAPI description.
#[derive(Parser)]
#[command(name = "specwright", version, after_help = EXIT_CODES)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  fine
  1  the document is at fault, or the service does not keep it (`prove`)
  2  wrong usage, or a file that cannot be read or written
  3  a change breaks somebody (`diff`)
  4  what was generated is stale (`--check`), or a URL has another content than `specwright.lock` says";

#[derive(Subcommand)]
enum Command {
    /// Writes a configuration file that describes every setting, and its JSON Schema.
    Init(init::Arguments),
    /// Writes crates: a server, a client, the models alone, tools (MCP), a command-line program.
    Generate(generate::Arguments),
    /// Writes the crates again whenever the description changes.
    Watch(generate::Arguments),
    /// Prints an implementation of a tag's trait to start from.
    Scaffold(scaffold::Arguments),
    /// Reports what is wrong with a description.
    Lint(lint::Arguments),
    /// Writes the description as it is generated from: one file, with overlays applied, and repaired.
    Effective(effective::Arguments),
    /// Lists the operations of a description.
    List(list::Arguments),
    /// Reports which parties the changes between two descriptions break.
    Diff(diff::Arguments),
    /// Answers requests from the examples of a description, or with random valid values.
    #[cfg(feature = "exchange")]
    Mock(mock::Arguments),
    /// Reports what a running service does not keep of its description.
    #[cfg(feature = "exchange")]
    Prove(prove::Arguments),
    /// Stands between a client and a service, and reports what either does not keep of the description.
    #[cfg(feature = "exchange")]
    Proxy(proxy::Arguments),
    /// Reduces a description with which something fails, and replaces its names, for a report of the fault.
    Report(report::Arguments),
    /// Explains a kind of problem; without a code, lists all kinds.
    Explain(explain::Arguments),
    /// Prints a completion script for a shell.
    Completions(completions::Arguments),
}

/// The description, and the overlays that change it.
#[derive(Args, Clone, Default)]
struct Described {
    /// The file in which the description starts, or its URL; references to other files are relative to it.
    #[arg(value_name = "DOC")]
    document: PathBuf,
    /// A TOML file with settings.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// An OpenAPI Overlay that changes the description before it is read; may be given several times.
    #[arg(long = "overlay", value_name = "FILE")]
    overlays: Vec<PathBuf>,
}

/// The description, and how its problems are treated.
#[derive(Args, Clone, Default)]
struct Input {
    #[command(flatten)]
    described: Described,
    /// A folder with copies of documents whose URLs start with a prefix; they are not fetched from the network.
    #[arg(long, value_name = "URL-PREFIX=DIR")]
    offline: Vec<offline::Mirror>,
    #[command(flatten)]
    policies: policies::Decisions,
    /// Shows every problem, not only the first 50.
    #[arg(long)]
    all: bool,
}

/// How results are printed.
#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
}

/// Why a command stopped early.
enum Failure {
    /// The document has errors, and they have been reported.
    Document,
    /// A named file cannot be read, which has been reported.
    Unreadable,
    /// Anything else, with its message.
    Usage(String),
}

impl Failure {
    fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// Prints what has not been reported yet.
    fn report(&self) {
        if let Self::Usage(message) = self {
            eprintln!("error: {message}");
        }
    }

    /// The exit code.
    fn code(&self) -> u8 {
        match self {
            Self::Document => DOCUMENT,
            Self::Unreadable | Self::Usage(_) => USAGE,
        }
    }

    /// Adds the path of the file to the message.
    fn in_file(self, path: &Path) -> Self {
        match self {
            Self::Document | Self::Unreadable => self,
            Self::Usage(message) => Self::Usage(format!("{}: {message}", path.display())),
        }
    }
}

/// Runs the command.
pub(crate) fn run(line: CommandLine) -> ExitCode {
    let result = match line.command {
        Command::Init(arguments) => init::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Watch(arguments) => watch::run(&arguments),
        Command::Scaffold(arguments) => scaffold::run(&arguments),
        Command::Lint(arguments) => lint::run(&arguments),
        Command::Effective(arguments) => effective::run(&arguments),
        Command::List(arguments) => list::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        #[cfg(feature = "exchange")]
        Command::Mock(arguments) => mock::run(&arguments),
        #[cfg(feature = "exchange")]
        Command::Prove(arguments) => prove::run(&arguments),
        #[cfg(feature = "exchange")]
        Command::Proxy(arguments) => proxy::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
    };
    match result {
        Ok(code) => code,
        Err(failure) => {
            failure.report();
            ExitCode::from(failure.code())
        }
    }
}
